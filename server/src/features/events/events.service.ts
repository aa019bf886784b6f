/**
 * Writes, changes, cancels and deletes events. Rules: docs/product.md#9, and finer ones in the README.
 */
import { type EventInput, placesOf, type previewEvent, priceToMinor } from '@fieldroom/contract/events';
import type { ReplyOf } from '@fieldroom/contract/http';
import { Problem } from '../../platform/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Limit } from '../../platform/config.ts';
import type { Db, Queryable, Tx } from '../../platform/db/db.ts';
import type { Files } from '../../platform/files/files.ts';
import type { Limits } from '../../platform/limits.ts';
import { imageFileOf } from './events.views.ts';
import {
  carriedOver,
  checkDays,
  checkMove,
  instantsOf,
  isElsewhere,
  isMoved,
  joinedVersion,
  occurrencesOf,
  refuse,
  type Values,
} from './events.rules.ts';
import { searchable } from '../../platform/db/search-text.ts';
import * as store from './events.store.ts';
import type { CancelledEvents, EventChange, EventRow } from './events.types.ts';

/** Far more than anybody writes by hand; it stops a faulty program. */
const SAVES_A_DAY: Limit = { max: 200, windowSeconds: 86_400 };

export interface Listeners {
  onCancelling(tx: Tx, cancelled: CancelledEvents): Promise<void>;
  /** Returns how many emails were written. */
  onChanging(tx: Tx, changes: readonly EventChange[]): Promise<number>;
}

const NOBODY = { held: 0, confirmed: 0 };
const stands = ({ status, deletedAt }: EventRow) => status !== 'CANCELLED' && deletedAt === null;
/** Values in the stored form, with derived ones. */
const stored = (values: Values) => ({
  ...values,
  ...instantsOf(values),
  searchText: searchable(values.name, values.description, values.location, values.address),
});

interface Plan {
  readonly current: EventRow;
  /** Occurrences of the locked series that are neither cancelled nor deleted. */
  readonly standing: readonly EventRow[];
  readonly wanted: Values;
  readonly steps: readonly {
    readonly before: EventRow;
    readonly next: ReturnType<typeof stored>;
    readonly told: boolean;
  }[];
}

export type EventsService = ReturnType<typeof createEventsService>;

/** Makes the acts on events. `listeners` run inside the transaction that cancels or changes an occurrence. */
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
  function sharedOf(input: EventInput): Omit<Values, 'dates' | 'timeZone'> {
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
    };
  }

  /** The chosen picture: undefined keeps the current one, null removes it. */
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

  /** Deletes pictures that no event shows any more. Call it under `lockPictures`. */
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
        ...stored({ ...shared, dates }),
        therapistId,
        imageFile,
        repetitionRule: input.repetitionRule ?? null,
      }));
      return (await store.insertEvents(tx, rows))[0]!;
    });
  }

  /**
   * What a change would do, from rows read before: each occurrence it touches with its new values, and whether its
   * people get an email. Throws the problem that forbids it. Save and preview both use this, so the preview announces
   * exactly the emails that are sent.
   */
  async function planOf(
    on: Queryable,
    eventId: number,
    input: EventInput,
    series: readonly EventRow[],
    now: Date,
  ): Promise<Plan> {
    const position = series.findIndex(({ id }) => id === eventId);
    const current = series[position];
    if (current === undefined || current.deletedAt !== null) throw new Problem('not_found');
    if (current.status === 'CANCELLED') throw new Problem('event_cancelled');
    const standing = series.filter(stands);
    const touched = input.scope === 'later' ? standing.filter((row) => series.indexOf(row) >= position) : [current];
    if (input.version !== undefined && input.version !== (await versionOf(on, touched)))
      throw new Problem('event_changed');
    const wanted = { ...sharedOf(input), timeZone: input.timeZone ?? current.timeZone, dates: input.dates };
    const steps = touched.map((before) => {
      const next = stored(before === current ? wanted : carriedOver(before, current, wanted));
      checkMove(before, next, now);
      return { before, next, told: before.endsAt > now && (isMoved(before, next) || isElsewhere(before, next)) };
    });
    return { current, standing, wanted, steps };
  }

  /** The version of what an edit concerns: only the event, or the event and the later ones that still take place. */
  async function versionOf(on: Queryable, rows: readonly { id: number }[]): Promise<string> {
    return joinedVersion(
      await store.readVersions(
        on,
        rows.map(({ id }) => id),
      ),
    );
  }

  async function change(therapistId: number, eventId: number, input: EventInput): Promise<number> {
    return db.transaction(async (tx) => {
      // This comes before any row is locked, as in every act.
      if (input.pictureFrom !== undefined) await store.lockPictures(tx, therapistId);
      const found = await store.findEvent(tx, eventId);
      if (found === null || found.deletedAt !== null) throw new Problem('not_found');
      const whole = input.scope === 'later' || input.repetitions.length > 0;
      const series = whole ? await store.lockSeries(tx, found.seriesId) : [(await store.lockEvent(tx, eventId))!];
      const now = await clock.now(tx);
      const { current, standing, wanted, steps } = await planOf(tx, eventId, input, series, now);
      const picture = await chosenPicture(tx, therapistId, input);
      const changes: EventChange[] = [];
      for (const { before, next, told } of steps) {
        const taken = next.places < before.places ? await store.readCounts(tx, before.id) : NOBODY;
        if (next.places < before.places && next.places < taken.held + taken.confirmed)
          throw new Problem('places_below_taken', { fields: [{ path: 'maximumParticipant', code: 'below_taken' }] });
        const after = await store.updateEvent(tx, before.id, {
          ...next,
          sequence: told ? before.sequence + 1 : before.sequence,
          ...(picture === undefined ? {} : { imageFile: picture }),
          ...(input.repetitionRule === undefined ? {} : { repetitionRule: input.repetitionRule }),
        });
        if (told) changes.push({ before, after });
      }
      if (input.repetitions.length > 0 && standing.length === 1)
        await extend(tx, current, input, wanted, picture === undefined ? current.imageFile : picture, now);
      if (picture !== undefined)
        await dropUnused(
          tx,
          therapistId,
          steps.map(({ before }) => before.imageFile),
        );
      return changes.length > 0 ? listeners.onChanging(tx, changes) : 0;
    });
  }

  /** Further occurrences of an event that had none. */
  async function extend(
    tx: Tx,
    { therapistId, seriesId, repetitionRule }: EventRow,
    input: EventInput,
    shared: Values,
    imageFile: string | null,
    now: Date,
  ): Promise<void> {
    const [, ...further] = occurrencesOf(input.dates, input.repetitions);
    for (const dates of further) checkDays('repetitions', dates, shared, now);
    const rule = input.repetitionRule === undefined ? repetitionRule : input.repetitionRule;
    await store.insertEvents(
      tx,
      further.map((dates) => ({ ...stored({ ...shared, dates }), therapistId, imageFile, repetitionRule: rule })),
      seriesId,
    );
  }

  /**
   * Locks this occurrence, or this and all later ones of its series. Returns them in order of time, whatever their
   * state.
   */
  async function lockFrom(tx: Tx, eventId: number, andLater: boolean): Promise<EventRow[]> {
    const found = await store.findEvent(tx, eventId);
    if (found === null) throw new Problem('not_found');
    if (!andLater) return [(await store.lockEvent(tx, eventId))!];
    const series = await store.lockSeries(tx, found.seriesId);
    return series.slice(series.findIndex(({ id }) => id === eventId));
  }

  return {
    /**
     * Writes a new event with its further occurrences, or changes one. Takes the parsed input; the gate has checked
     * that the named event belongs to the therapist. Returns the id of the first occurrence written, or of the changed
     * one, and how many people get an email. Problems: `invalid_input` (`in_past`, `too_far`, `end_before_start`,
     * `unknown`), `event_cancelled`, `event_changed`, `places_below_taken`, `not_found`, `too_many_requests`.
     */
    async save(therapistId: number, input: EventInput): Promise<{ id: number; emails: number }> {
      await limits.take(`event save ${therapistId}`, SAVES_A_DAY);
      if (input.id === undefined || input.id === null) return { id: await create(therapistId, input), emails: 0 };
      return { id: input.id, emails: await change(therapistId, input.id, input) };
    },

    /**
     * Returns how many people would get an email about a change, without making it. Problems: as for a save, apart from
     * pictures and places.
     */
    async preview(input: EventInput): Promise<ReplyOf<typeof previewEvent>> {
      const eventId = input.id;
      if (eventId === undefined || eventId === null) return { told: [] };
      return db.transaction(async (tx) => {
        const found = await store.findEvent(tx, eventId);
        if (found === null) throw new Problem('not_found');
        const { steps } = await planOf(
          tx,
          eventId,
          input,
          await store.readSeriesRows(tx, found.seriesId),
          await clock.now(tx),
        );
        const told = [];
        for (const { before } of steps.filter((step) => step.told)) {
          const { held, confirmed } = await store.readPeople(tx, before.id);
          told.push({ id: before.id, dates: before.dates, held, confirmed });
        }
        return { told };
      });
    },

    /** Cancels, once: a second time changes nothing and sends nothing. Problems: `not_found`, `event_over`. */
    async cancel(eventId: number, reason: string, andLater: boolean): Promise<void> {
      await db.transaction(async (tx) => {
        const rows = await lockFrom(tx, eventId, andLater);
        const now = await clock.now(tx);
        const events: EventRow[] = [];
        for (const row of rows) {
          if (row.status === 'CANCELLED' || (row.id !== eventId && row.deletedAt !== null)) continue;
          if (row.endsAt <= now) {
            if (row.id === eventId) throw new Problem('event_over');
            continue;
          }
          events.push(await store.markCancelled(tx, row.id, reason));
        }
        if (events.length > 0) await listeners.onCancelling(tx, { events, reason });
      });
    },

    /**
     * Hides the event from public and upcoming lists. Problems if people are booked and it was not cancelled:
     * `event_has_bookings`, or `event_over`. Also `not_found`.
     */
    async remove(eventId: number, andLater: boolean): Promise<void> {
      await db.transaction(async (tx) => {
        const now = await clock.now(tx);
        const rows = (await lockFrom(tx, eventId, andLater)).filter(({ deletedAt }) => deletedAt === null);
        for (const { id, status, endsAt } of rows) {
          if (status === 'CANCELLED') continue;
          const { held, confirmed } = await store.readCounts(tx, id);
          // An event that is over can no longer be cancelled first.
          if (held + confirmed > 0) throw new Problem(endsAt <= now ? 'event_over' : 'event_has_bookings');
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
