/** Events in the form of the calls' answers. */
import { type Booking } from '@fieldroom/contract/bookings';
import { type Event, minorToPrice, type OwnEvent, type PublicHost } from '@fieldroom/contract/events';
import type { ShownEvent } from './lists/events.lists.store.ts';
import type { EventRow, Host } from './events.types.ts';

/** The file name of an event's picture in its address. */
export const fileNameOf = (imageFile: string) => `${imageFile}.webp`;
/** The file name by which messengers get an event's picture. */
export const shareNameOf = (fileName: string) => fileName.replace(/\.webp$/, '.jpg');
/** The file name by which messengers get the landscape of an event without a picture. */
export const LANDSCAPE_NAME = 'landscape.jpg';
const NAME = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(webp|jpg)$/;
/** The id of a picture by its file name, and whether messengers ask for it; null if it is not one of ours. */
export function askedPicture(fileName: string): { imageFile: string; shared: boolean } | null {
  const [, imageFile, ending] = NAME.exec(fileName) ?? [];
  return imageFile === undefined ? null : { imageFile, shared: ending === 'jpg' };
}
/** The id of a picture by its file name; null if it is not one of ours. */
export const imageFileOf = (fileName: string): string | null => {
  const asked = askedPicture(fileName);
  return asked === null || asked.shared ? null : asked.imageFile;
};
/** Names of an event's pictures. */
const filesOf = ({ imageFile }: Pick<EventRow, 'imageFile'>): string[] =>
  imageFile === null ? [] : [fileNameOf(imageFile)];

/**
 * The number of places that the public sees as taken. Never more than there are, because a therapist may give away
 * places that only look taken.
 */
export const takenForAll = ({
  places,
  held,
  confirmed,
  decoys,
}: Pick<ShownEvent, 'places' | 'held' | 'confirmed' | 'decoys'>): number => Math.min(places, held + confirmed + decoys);

/** Takes the event as it was read, and its attendees if the owner asks, otherwise null. */
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

/** The same, with what only its owner sees. */
export function toOwnEvent(row: ShownEvent, attendees: readonly Booking[] = []): OwnEvent {
  return {
    ...toEvent(row, attendees),
    held: row.held,
    confirmed: row.confirmed,
    deleted: row.deleted,
    cancelReason: row.cancelReason,
  };
}

/** The public data of a therapist who invites: no address, no time zone. */
export const toPublicHost = ({ id, therapistName, firstName, lastName, picture, line, about }: Host): PublicHost => ({
  id,
  therapistName,
  firstName,
  lastName,
  picture,
  line,
  about,
});
