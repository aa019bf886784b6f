/** Events as the calls answer them. */
import { type Booking } from '@fieldroom/contract/bookings';
import { type Event, minorToPrice, type OwnEvent, type PublicHost } from '@fieldroom/contract/events';
import type { ShownEvent } from './events.lists.store.ts';
import type { EventRow, Host } from './events.types.ts';

/** The name under which an event's picture is asked for. */
export const fileNameOf = (imageFile: string) => `${imageFile}.webp`;
/** The inner id of a picture by its name; null for what is no name of ours. */
export const imageFileOf = (fileName: string): string | null =>
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.webp$/.exec(fileName)?.[1] ?? null;
/** Names of an event's pictures. */
export const filesOf = ({ imageFile }: Pick<EventRow, 'imageFile'>): string[] =>
  imageFile === null ? [] : [fileNameOf(imageFile)];

/** How many places everybody is told are taken. Never more than there are: a therapist may give away what only looks taken. */
export const takenForAll = ({
  places,
  held,
  confirmed,
  decoys,
}: Pick<ShownEvent, 'places' | 'held' | 'confirmed' | 'decoys'>): number => Math.min(places, held + confirmed + decoys);

/** In: the event as read, and its attendees where the owner asks; null for everybody else. */
export function toEvent(row: ShownEvent, attendees: readonly Booking[] | null): Event {
  return {
    id: row.id,
    seriesId: row.seriesId,
    therapistId: row.therapistId,
    therapistName: row.therapistName,
    status: row.status,
    eventName: row.name,
    type: row.type,
    isOnline: row.isOnline,
    eventLocation: row.location,
    address: row.address,
    description: row.description,
    dates: row.dates,
    startTime: row.startTime,
    endTime: row.endTime,
    timeZone: row.timeZone,
    startsOn: row.startsOn,
    endsOn: row.endsOn,
    price: minorToPrice(row.priceMinor, row.currency),
    currency: row.currency,
    maximumParticipant: row.places,
    currentParticipantsNumber: attendees === null ? takenForAll(row) : row.held + row.confirmed,
    currentParticipantsInfo: [...(attendees ?? [])],
    repetitions: [...row.repetitions],
    repetitionRule: row.repetitionRule,
    files: filesOf(row),
  };
}

/** The same with what only its owner sees. */
export function toOwnEvent(row: ShownEvent, attendees: readonly Booking[] = []): OwnEvent {
  return {
    ...toEvent(row, attendees),
    held: row.held,
    confirmed: row.confirmed,
    deleted: row.deleted,
    cancelReason: row.cancelReason,
  };
}

export const toPublicHost = ({ id, therapistName, firstName, lastName, picture }: Host): PublicHost => ({
  id,
  therapistName,
  firstName,
  lastName,
  picture,
});
