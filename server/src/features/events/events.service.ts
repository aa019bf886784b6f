/** The rules of writing, changing, cancelling and deleting events. PRODUCT 9, specification `events-and-booking` 3 to 5; numbered in the README. */
import {
  dayPlus,
  daysBetween,
  type EventInput,
  placesOf,
  priceToMinor,
  shiftedDates,
} from '@fieldroom/contract/events';
import { Problem } from '@fieldroom/contract/problems';
import type { Clock } from '../../platform/clock.ts';
import type { Limit } from '../../platform/config.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Files } from '../../platform/files.ts';
import type { Limits } from '../../platform/limits.ts';
import { imageFileOf } from './events.answers.ts';
import {
  checkDays,
  checkMove,
  instantsOf,
  isElsewhere,
  isMoved,
  occurrencesOf,
  refuse,
  searchable,
} from './events.rules.ts';
import * as store from './events.store.ts';
import type { EventChange, EventRow } from './events.types.ts';

/** Far beyond what anybody writes by hand; a program that goes wrong stops here. */
const SAVES_A_DAY: Limit = { max: 200, windowSeconds: 86_400 };

export interface Listeners {
  onCancelling(tx: Tx, cancelled: { event: EventRow; reason: string }): Promise<void>;
  onChanging(tx: Tx, change: EventChange): Promise<void>;
}

export type EventsService = ReturnType<typeof createEventsService>;

export function createEventsService({
  db,
  clock,
  files,
  limits,
  listeners,
}: {
  db: Db;
  clock: Clock;
  files: Pick<Files, 'remove'>;
  limits: Pick<Limits, 'take'>;
  listeners: Listeners;
}) {
  /** The parts of the input that all occurrences of a save share. */
  function sharedOf(input: EventInput) {
    const { eventName: name, eventLocation: location, address, description } = input;
    return {
      name,
      location,
      address,
      description,
      type: input.type,
      isOnline: input.isOnline,
      startTime: input.startTime,
      endTime: input.endTime,
      priceMinor: priceToMinor(input.price, input.currency)!,
      currency: input.currency,
      places: placesOf(input.type, input.maximumParticipant),
      searchText: searchable(name, description, location, address),
    };
  }

  /** The picture that is chosen: undefined leaves what is there, null takes it away. */
  async function chosenPicture(
    tx: Tx,
    therapistId: number,
    { pictureFrom }: EventInput,
  ): Promise<string | null | undefined> {
    if (pictureFrom === undefined || pictureFrom === null) return pictureFrom;
    await store.lockPictures(tx, therapistId);
    const imageFile = imageFileOf(pictureFrom.fileName);
    if (imageFile === null || !(await store.hasPicture(tx, therapistId, imageFile, pictureFrom.eventId)))
      refuse('pictureFrom', 'unknown');
    return imageFile;
  }

  /** Forgets pictures that no event shows any more. Under `lockPictures`. */
  async function dropUnused(tx: Tx, therapistId: number, imageFiles: readonly (string | null)[]): Promise<void> {
    for (const imageFile of new Set(imageFiles))
      if (imageFile !== null && !(await store.hasPicture(tx, therapistId, imageFile)))
        await files.remove(tx, imageFile);
  }

  async function create(therapistId: number, input: EventInput): Promise<number> {
    const timeZone = input.timeZone ?? (await store.readTimeZone(db, therapistId));
    const shared = { ...sharedOf(input), timeZone };
    const now = await clock.now();
    const [first, ...further] = occurrencesOf(input.dates, input.repetitions);
    checkDays('dates', first!, shared, now);
    for (const dates of further) checkDays('repetitions', dates, shared, now);
    return db.transaction(async (tx) => {
      const imageFile = (await chosenPicture(tx, therapistId, input)) ?? null;
      const rows = [first!, ...further].map((dates) => ({
        ...shared,
        ...instantsOf({ ...shared, dates }),
        dates,
        therapistId,
        imageFile,
        repetitionRule: input.repetitionRule ?? null,
      }));
      return (await store.insertEvents(tx, rows))[0]!;
    });
  }

  async function change(therapistId: number, eventId: number, input: EventInput): Promise<void> {
    await db.transaction(async (tx) => {
      // Before any row is locked, as everywhere.
      if (input.pictureFrom !== undefined) await store.lockPictures(tx, therapistId);
      const found = await store.findEvent(tx, eventId);
      if (found === null || found.deletedAt !== null) throw new Problem('not_found');
      const whole = input.scope === 'later' || input.repetitions.length > 0;
      const series = whole ? await store.lockSeries(tx, found.seriesId) : [(await store.lockEvent(tx, eventId))!];
      const position = series.findIndex(({ id }) => id === eventId);
      const current = series[position]!;
      if (current.deletedAt !== null) throw new Problem('not_found');
      if (current.status === 'CANCELLED') throw new Problem('event_cancelled');

      const now = await clock.now(tx);
      const shared = { ...sharedOf(input), timeZone: input.timeZone ?? current.timeZone };
      const picture = await chosenPicture(tx, therapistId, input);
      const shift = daysBetween(current.dates[0]!, input.dates[0]!);
      const standing = series.filter(({ status, deletedAt }) => status !== 'CANCELLED' && deletedAt === null);
      const touched = input.scope === 'later' ? standing.filter((row) => series.indexOf(row) >= position) : [current];
      const changes: EventChange[] = [];
      for (const before of touched) {
        const dates = before === current ? input.dates : shiftedDates(input.dates, dayPlus(before.dates[0]!, shift));
        const wall = { ...shared, dates };
        const next = { ...wall, ...instantsOf(wall) };
        checkMove(before, next, now);
        if (shared.places < before.places) {
          const { held, confirmed } = await store.readCounts(tx, before.id);
          if (shared.places < held + confirmed)
            throw new Problem('places_below_taken', { fields: [{ path: 'maximumParticipant', code: 'below_taken' }] });
        }
        const told = before.endsAt > now && (isMoved(before, next) || isElsewhere(before, next));
        const after = await store.updateEvent(tx, before.id, {
          ...next,
          sequence: told ? before.sequence + 1 : before.sequence,
          ...(picture === undefined ? {} : { imageFile: picture }),
          ...(input.repetitionRule === undefined ? {} : { repetitionRule: input.repetitionRule }),
        });
        if (told) changes.push({ before, after });
      }
      if (input.repetitions.length > 0 && standing.length === 1)
        await extend(tx, current, input, shared, picture === undefined ? current.imageFile : picture, now);
      if (picture !== undefined)
        await dropUnused(
          tx,
          therapistId,
          touched.map(({ imageFile }) => imageFile),
        );
      for (const one of changes) await listeners.onChanging(tx, one);
    });
  }

  /** Further occurrences of an event that had none. */
  async function extend(
    tx: Tx,
    { therapistId, seriesId, repetitionRule }: EventRow,
    input: EventInput,
    shared: ReturnType<typeof sharedOf> & { timeZone: string },
    imageFile: string | null,
    now: Date,
  ): Promise<void> {
    const [, ...further] = occurrencesOf(input.dates, input.repetitions);
    for (const dates of further) checkDays('repetitions', dates, shared, now);
    const rule = input.repetitionRule === undefined ? repetitionRule : input.repetitionRule;
    await store.insertEvents(
      tx,
      further.map((dates) => ({
        ...shared,
        ...instantsOf({ ...shared, dates }),
        dates,
        therapistId,
        imageFile,
        repetitionRule: rule,
      })),
      seriesId,
    );
  }

  /** This occurrence, or this and all later ones of its series, locked. Out: in order of time, whatever their state. */
  async function lockFrom(tx: Tx, eventId: number, andLater: boolean): Promise<EventRow[]> {
    const found = await store.findEvent(tx, eventId);
    if (found === null) throw new Problem('not_found');
    if (!andLater) return [(await store.lockEvent(tx, eventId))!];
    const series = await store.lockSeries(tx, found.seriesId);
    return series.slice(series.findIndex(({ id }) => id === eventId));
  }

  return {
    /**
     * Writes a new event with its further occurrences, or changes one. In: the parsed input; the gate has seen that an event
     * it names is the therapist's own. Out: id of the first occurrence written, or of the one changed.
     * Problems: `invalid_input` (`in_past`, `too_far`, `end_before_start`, `unknown`), `event_cancelled`, `places_below_taken`, `not_found`, `too_many_requests`.
     */
    async save(therapistId: number, input: EventInput): Promise<{ id: number }> {
      await limits.take(`event save ${therapistId}`, SAVES_A_DAY);
      if (input.id === undefined || input.id === null) return { id: await create(therapistId, input) };
      await change(therapistId, input.id, input);
      return { id: input.id };
    },

    /** Cancels, once: a second time changes nothing and writes to nobody. Problem: `not_found`. */
    async cancel(eventId: number, reason: string, andLater: boolean): Promise<void> {
      await db.transaction(async (tx) => {
        for (const row of await lockFrom(tx, eventId, andLater)) {
          if (row.status === 'CANCELLED' || (row.id !== eventId && row.deletedAt !== null)) continue;
          await listeners.onCancelling(tx, { event: await store.markCancelled(tx, row.id, reason), reason });
        }
      });
    },

    /** Hides from public and upcoming lists. Problems: `not_found`, `event_has_bookings` where people are booked and it was not cancelled. */
    async remove(eventId: number, andLater: boolean): Promise<void> {
      await db.transaction(async (tx) => {
        const rows = (await lockFrom(tx, eventId, andLater)).filter(({ deletedAt }) => deletedAt === null);
        for (const { id, status } of rows) {
          if (status === 'CANCELLED') continue;
          const { held, confirmed } = await store.readCounts(tx, id);
          if (held + confirmed > 0) throw new Problem('event_has_bookings');
        }
        await store.markDeleted(
          tx,
          rows.map(({ id }) => id),
        );
      });
    },

    dropUnused,
  };
}
