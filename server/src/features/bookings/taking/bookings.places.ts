/**
 * Takes places for a crowd, in two ways. Requests for places go to the database in batches: one statement
 * (`take_holds`) decides all of them and writes bookings and emails. If an event refused everybody the last time,
 * people who wait share one read that began after they asked (rule 5).
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { HOLD_MINUTES, refusesAll } from '@fieldroom/contract/bookings';
import { type Language, normalizeEmail } from '@fieldroom/contract/text';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import type { Counter } from '../../../platform/limits.ts';
import type { Outbox, PreparedWords } from '../../../platform/mail/outbox.ts';
import { setBounded } from '../../../platform/small.ts';
import { newToken } from '../../../platform/tokens.ts';
import type { EventRow, Events, Host } from '../../events/index.ts';
import { createBatches, type Served } from './bookings.batches.ts';
import { endOf, emailFor, personOf } from './bookings.known-addresses.ts';
import * as store from './bookings.taking.store.ts';
import type { BookingEmails, Recipient } from '../bookings.types.ts';

const BATCHES = 2;
const PATIENT_BATCHES = 3;
const BATCH_SIZE = 128;
/**
 * Minimum time between two reads of the same refusing events, so that one read serves a whole crowd. Each read begins
 * after those it serves have asked, so nobody gets an older answer for it: people wait up to this much longer.
 */
const LOOKS_APART_MS = 1;
/** Maximum number of events whose facts are kept for emails, and of events known to refuse. */
const REMEMBERED = 5_000;
/** If the limit is this high, open holds are not counted, because no source can have that many. */
const OPEN_HOLDS_COUNTED = 10_000;
const TRIES_WITHIN = 3;

/**
 * The end of a hold that begins now: ten minutes, but not beyond the start, when nothing can be confirmed any more.
 */
export const holdEnd = (now: Date, { startsAt }: Pick<EventRow, 'startsAt'>): Date =>
  new Date(Math.min(now.getTime() + HOLD_MINUTES * 60_000, startsAt.getTime()));

/** A person who wants a place. */
interface PlaceRequest {
  readonly eventId: number;
  /** Keyed hash of the address block. */
  readonly source: Buffer;
  /** The number of places that they want. */
  readonly places: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  /** Of the emails; by default the therapist's. */
  readonly language: Language | undefined;
  /** The counters of the email to this address. Beyond these limits none is sent; the place is taken in any case. */
  readonly counters: readonly Counter[];
}

/** The outcome. `known` looks like `held` to the caller's page; its handle is a decoy (rule 4). */
type Taken = TakenPlace | { readonly verdict: store.Refusal | 'too_few_places' | 'too_many_holds' };
export interface TakenPlace {
  readonly verdict: 'held' | 'known';
  readonly handle: string;
  readonly heldUntil: Date;
}

export interface Places {
  /** Takes a place together with others who ask at the same time. */
  take(wish: PlaceRequest): Promise<Taken>;
  /**
   * Takes a place inside a transaction that has locked the event, until a given time. Does not count the open holds of
   * the source.
   */
  takeWithin(
    tx: Tx,
    request: PlaceRequest,
    given: { event: EventRow; host: Host; heldUntil: Date; extended: boolean },
  ): Promise<Taken>;
  /**
   * Why an event that refused everybody the last time refuses again; null if it may take somebody. Uses a read that
   * begins after the call.
   */
  refusalOf(eventId: number): Promise<store.Refusal | null>;
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
}

/** The data for emails about an event, with its version. */
interface EventFacts {
  readonly version: string;
  readonly event: EventRow;
  readonly host: Host;
}

export interface PlacesParts {
  db: Db;
  clock: Pick<Clock, 'now'>;
  events: Pick<Events, 'find' | 'host'>;
  outbox: Pick<Outbox, 'prepareWords' | 'prepareAddress'>;
  mail: Pick<BookingEmails, 'heldEmail' | 'alreadyBookedEmail'>;
  /** Maximum number of open holds of a source. */
  openHolds: number;
}

/**
 * Makes the taking of places at all events. What emails say about an event is kept in memory; the version of the event
 * shows the statement when that is outdated.
 */
export function createPlaces({ db, clock, events, outbox, mail, openHolds }: PlacesParts): Places {
  const facts = new Map<number, EventFacts>();
  /** Events that refused everybody the last time. */
  const refusing = new Set<number>();
  const openMax = openHolds < OPEN_HOLDS_COUNTED ? openHolds : null;

  /** Null if the event cannot be booked. */
  async function factsOf(eventId: number): Promise<EventFacts | null> {
    const kept = facts.get(eventId);
    if (kept) return kept;
    // The version first: a change between the reads makes it outdated, and the statement answers `stale`.
    const version = await store.readVersion(db, eventId);
    if (version === null) return null;
    const event = await events.find(eventId);
    const host = event === null ? null : await events.host(event.therapistId);
    if (event === null || host === null) return null;
    const found = { version, event, host };
    setBounded(facts, REMEMBERED, eventId, found);
    return found;
  }

  /** The texts that emails of one batch share, by event, language and end of the hold. */
  type SharedWords = Map<string, PreparedWords>;
  function wordsOf(
    words: SharedWords,
    given: Pick<EventFacts, 'event' | 'host'> & { to: Recipient; places: number },
    heldUntil: Date | null,
  ): PreparedWords {
    const key = `${given.event.id} ${given.to.language} ${given.places} ${heldUntil?.getTime() ?? 'confirmed'}`;
    const there = words.get(key);
    if (there) return there;
    // Only the token is personal in these emails; a random one stands for it.
    const mark = newToken().token;
    const made = outbox.prepareWords(emailFor(mail, { ...given, token: mark, heldUntil }), mark);
    words.set(key, made);
    return made;
  }

  /** The statement's input for a request, and the handle for its page. Throws if no email can go to the address. */
  function prepare(
    { eventId, source, places, firstName, lastName, email, phone, language, counters }: PlaceRequest,
    live: store.LiveBooking | null,
    { event, host, version }: Omit<EventFacts, 'version'> & { version: string | null },
    { heldUntil, extended }: { heldUntil: Date; extended: boolean },
    shared: SharedWords,
  ): Prepared {
    const [token, handle] = [newToken(), newToken()];
    const own = language ?? host.language;
    // An email to somebody who has a booking is about that booking, in its language and to its address.
    const to = live ?? { email, language: own };
    const words = wordsOf(
      shared,
      { event, host, to, places: live?.places ?? places },
      live === null ? heldUntil : endOf(live),
    );
    const address = outbox.prepareAddress(to.email);
    return {
      handle: handle.token,
      hold: {
        eventId,
        version,
        source,
        places,
        firstName,
        lastName,
        email,
        emailNormalized: normalizeEmail(email),
        phone,
        language: own,
        heldUntil,
        extended,
        tokenHash: token.hash,
        handleHash: handle.hash,
        live,
        message: { ...address, words, token: token.token, counters },
      },
    };
  }

  const personAtEvent = ({ eventId, email }: PlaceRequest) => ({ eventId, emailNormalized: normalizeEmail(email) });
  /** Finds the live bookings of the people who ask. Returns a function from a request to that booking. */
  async function liveBookings(
    requests: readonly PlaceRequest[],
  ): Promise<(request: PlaceRequest) => store.LiveBooking | null> {
    const live = await store.readLiveOf(db, requests.map(personAtEvent));
    const byPerson = new Map(live.map((one) => [personOf(one), one]));
    return (request) => byPerson.get(personOf(personAtEvent(request))) ?? null;
  }

  /** Facts of the events of a batch. An event that cannot be read has its own fault. */
  async function factsOfAll(eventIds: Iterable<number>) {
    const all = new Map<number, EventFacts | null | { fault: unknown }>();
    const read = async (eventId: number) =>
      void all.set(eventId, await factsOf(eventId).catch((fault: unknown) => ({ fault })));
    await Promise.all([...new Set(eventIds)].map(read));
    return all;
  }

  function remember(eventId: number, verdict: store.Verdict): void {
    if (!store.isRefusal(verdict)) return;
    if (refusing.size >= REMEMBERED) refusing.delete(refusing.values().next().value!);
    refusing.add(eventId);
  }

  /** The batch's answer for a request, from the statement's verdict. */
  function served({ handle, hold: { eventId, heldUntil } }: Prepared, verdict: store.Verdict): Served<Taken> {
    if (verdict === 'busy') return 'locked';
    if (verdict === 'stale') {
      facts.delete(eventId);
      return 'again';
    }
    remember(eventId, verdict);
    return { answer: verdict === 'held' || verdict === 'known' ? { verdict, handle, heldUntil } : { verdict } };
  }

  const taking = createBatches<PlaceRequest, Taken>({
    batches: BATCHES,
    patientBatches: PATIENT_BATCHES,
    size: BATCH_SIZE,
    async serve(requests, patient) {
      // Live bookings are read before, for the emails. The statement answers `stale` if they have changed.
      const [now, liveOf, eventFacts] = await Promise.all([
        clock.now(),
        liveBookings(requests),
        factsOfAll(requests.map(({ eventId }) => eventId)),
      ]);
      const shared: SharedWords = new Map();
      // One by one, so that a request that cannot be served does not affect the others.
      const prepared = requests.map((request): Prepared | Served<Taken> => {
        const found = eventFacts.get(request.eventId)!;
        if (found !== null && 'fault' in found) return found;
        if (found === null) {
          remember(request.eventId, 'not_found');
          return { answer: { verdict: 'not_found' } };
        }
        try {
          const heldUntil = holdEnd(now, found.event);
          return prepare(request, liveOf(request), found, { heldUntil, extended: false }, shared);
        } catch (fault) {
          return { fault };
        }
      });
      const holds = prepared.filter(isPrepared).map(({ hold }) => hold);
      const verdicts = holds.length === 0 ? [] : await store.takeHolds(db, holds, { openMax, patient });
      const next = verdicts.values();
      return prepared.map((one) => (isPrepared(one) ? served(one, next.next().value!) : one));
    },
  });

  const looking = createBatches<number, store.Refusal | null>({
    batches: 1,
    patientBatches: 0,
    size: Number.MAX_SAFE_INTEGER,
    apartMs: LOOKS_APART_MS,
    async serve(eventIds) {
      const distinct = [...new Set(eventIds)];
      const standing = new Map((await store.readStanding(db, distinct)).map((one) => [one.id, one]));
      const refusals = new Map(distinct.map((eventId) => [eventId, refusalBy(standing.get(eventId))]));
      for (const [eventId, refusal] of refusals) if (refusal === null) refusing.delete(eventId);
      return eventIds.map((eventId) => ({ answer: refusals.get(eventId)! }));
    },
  });

  return {
    take: (request) => taking.ask(request.eventId, request),

    async takeWithin(tx, request, { event, host, heldUntil, extended }) {
      for (let tries = 0; tries < TRIES_WITHIN; tries++) {
        const [live = null] = await store.findLiveOf(tx, [personAtEvent(request)]);
        const facts = { event, host, version: null };
        const { hold, handle } = prepare(request, live, facts, { heldUntil, extended }, new Map());
        const [verdict] = await store.takeHolds(tx, [hold], { openMax: null, patient: true });
        if (verdict === 'held' || verdict === 'known') return { verdict, handle, heldUntil };
        if (verdict === 'too_few_places' || (verdict !== undefined && store.isRefusal(verdict))) return { verdict };
        // While the event is locked, only time can advance: the hold that the email is about has just ended.
      }
      throw new Error('a place was neither taken nor refused');
    },

    refusalOf: async (eventId) => (refusing.has(eventId) ? looking.ask(eventId, eventId) : null),
    async idle() {
      await Promise.all([taking.idle(), looking.idle()]);
    },
  };
}

/** A request in the statement's form, and the handle for its page. */
interface Prepared {
  readonly hold: store.HoldRequest;
  readonly handle: string;
}
const isPrepared = (one: Prepared | Served<Taken>): one is Prepared => typeof one === 'object' && 'hold' in one;

/** The refusal of an event in this state; undefined if the event cannot be booked at all. */
function refusalBy(standing: store.Standing | undefined): store.Refusal | null {
  if (standing === undefined) return 'not_found';
  return standing.refusal ?? refusesAll(standing.places, standing.held, standing.confirmed);
}

/** A keyed hash of an address block, which alone identifies nobody. Takes a secret of this database. */
export const sourceOf = (secret: KeyObject, block: string): Buffer =>
  createHmac('sha256', secret).update(`booking source ${block}`).digest();
