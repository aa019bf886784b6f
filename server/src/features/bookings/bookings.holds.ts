/**
 * Taking places: the two ways by which a crowd is answered. Places are taken together, in one statement with their letters
 * (`take_holds`); and where an event would not take anybody, those who wait share one read that began after they came.
 */
import { createHmac, type KeyObject } from 'node:crypto';
import { HOLD_MINUTES, noSeat } from '@fieldroom/contract/bookings.rules';
import { type Language, normalizeEmail } from '@fieldroom/contract/text';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import { newToken } from '../accounts/index.ts';
import type { EventRow, Events, Host } from '../events/index.ts';
import { createGatherer } from './bookings.gather.ts';
import { endOf, letterFor, personOf } from './bookings.known.ts';
import * as store from './bookings.store.ts';
import type { BookingMail, Recipient } from './bookings.types.ts';

const ROUNDS = 2;
const PATIENT_ROUNDS = 3;
const TOGETHER = 128;
/** Events whose letter is kept ready, and events that are known to refuse. */
const REMEMBERED = 5_000;
/** From so many open holds a source on nothing is counted: no source could have them. */
const OPEN_HOLDS_COUNTED = 10_000;
const TRIES_WITHIN = 3;

/** Somebody who wants a place. */
export interface Wish {
  readonly eventId: number;
  /** Keyed hash of the address block. */
  readonly source: Buffer;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  /** Of the letters; the therapist's where none is said. */
  readonly language: Language | undefined;
  /** Whether a letter may still go to this address; the place is taken in any case. */
  readonly letter: boolean;
}

/** What came of it. `known` looks like `held` to whoever asked; its handle takes a place in the eyes of the public. */
export type Taken = TakenPlace | { readonly verdict: store.Refusal | 'too_many_holds' };
export interface TakenPlace {
  readonly verdict: 'held' | 'known';
  readonly handle: string;
  readonly heldUntil: Date;
}

export interface Holds {
  take(wish: Wish): Promise<Taken>;
  /** The same for one, inside a transaction that has the event locked. In: until when, where not for the usual time. Open holds of the source are not counted. */
  takeWithin(
    tx: Tx,
    wish: Wish,
    given: { event: EventRow; host: Host; heldUntil: Date; extended: boolean },
  ): Promise<Taken>;
  /** Why an event takes nobody, for those that did not the last time; null where it has to be tried. Decided by a read that begins after the call. */
  refusalOf(eventId: number): Promise<store.Refusal | null>;
  idle(): Promise<void>;
}

/** What a letter about an event needs, and the version of all that. */
interface Card {
  readonly version: string;
  readonly event: EventRow;
  readonly host: Host;
}

export interface HoldsParts {
  db: Db;
  clock: Pick<Clock, 'now'>;
  events: Pick<Events, 'find' | 'host'>;
  outbox: Pick<Outbox, 'row'>;
  mail: Pick<BookingMail, 'heldLetter' | 'alreadyBookedLetter'>;
  /** Open holds of a source at most. */
  openHolds: number;
}

/** Makes the taker of places. Rules 1 to 7 of the README. */
export function createHolds({ db, clock, events, outbox, mail, openHolds }: HoldsParts): Holds {
  const cards = new Map<number, Card>();
  /** Events that refused everybody the last time. */
  const refusing = new Set<number>();
  const openMax = openHolds < OPEN_HOLDS_COUNTED ? openHolds : null;

  /** Null for what can't be booked. */
  async function cardOf(eventId: number): Promise<Card | null> {
    const kept = cards.get(eventId);
    if (kept) return kept;
    // The version first: what changes between the reads makes it outdated, and the statement refuses the letter.
    const version = await store.readVersion(db, eventId);
    if (version === null) return null;
    const event = await events.find(eventId);
    const host = event === null ? null : await events.host(event.therapistId);
    if (event === null || host === null) return null;
    const card = { version, event, host };
    if (cards.size >= REMEMBERED) cards.delete(cards.keys().next().value!);
    cards.set(eventId, card);
    return card;
  }

  /** What letters of one round have in common, by event, language and what they say. */
  type RoundWords = Map<string, store.Words>;
  function wordsOf(
    words: RoundWords,
    given: Pick<Card, 'event' | 'host'> & { to: Recipient },
    heldUntil: Date | null,
  ): store.Words {
    const key = `${given.event.id} ${given.to.language} ${heldUntil?.getTime() ?? 'confirmed'}`;
    const there = words.get(key);
    if (there) return there;
    // Nothing of the person stands in these letters but the token; a random one holds its place.
    const mark = newToken().token;
    const made = { mark, row: outbox.row(letterFor(mail, { ...given, token: mark, heldUntil })) };
    words.set(key, made);
    return made;
  }

  /** The row to be and what its owner gets. Throws for an address that no letter can go to. */
  function prepare(
    wish: Wish,
    live: store.LiveBooking | null,
    card: Omit<Card, 'version'> & { version: string | null },
    heldUntil: Date,
    extended: boolean,
    round: RoundWords,
  ): { request: store.HoldRequest; handle: string } {
    const { eventId, source, firstName, lastName, email, phone, language = card.host.language } = wish;
    const [token, handle] = [newToken(), newToken()];
    // To whoever has a booking the letter goes as they want their letters, and tells of that booking.
    const to = live ?? { email, language };
    const words = wordsOf(round, { event: card.event, host: card.host, to }, live === null ? heldUntil : endOf(live));
    const { kind, subject } = words.row;
    const { id, messageId } = outbox.row({ to: to.email, kind, subject, language: to.language, text: '', html: '' });
    return {
      handle: handle.token,
      request: {
        eventId,
        version: card.version,
        source,
        firstName,
        lastName,
        email,
        emailNormalized: normalizeEmail(email),
        phone,
        language,
        heldUntil,
        extended,
        tokenHash: token.hash,
        handleHash: handle.hash,
        live,
        letter: wish.letter ? { words, token: token.token, id, messageId } : null,
      },
    };
  }

  const personIn = ({ eventId, email }: Wish) => ({ eventId, emailNormalized: normalizeEmail(email) });
  /** Finds the live bookings of some people. Out: who asks for one. */
  async function liveBookings(wishes: readonly Wish[]): Promise<(wish: Wish) => store.LiveBooking | null> {
    const all = new Map((await store.readLiveOf(db, wishes.map(personIn))).map((live) => [personOf(live), live]));
    return (wish) => all.get(personOf(personIn(wish))) ?? null;
  }

  function remember(eventId: number, verdict: store.Verdict): void {
    if (!store.isRefusal(verdict)) return;
    if (refusing.size >= REMEMBERED) refusing.delete(refusing.values().next().value!);
    refusing.add(eventId);
  }

  const taking = createGatherer<Wish, Taken>({
    rounds: ROUNDS,
    patientRounds: PATIENT_ROUNDS,
    together: TOGETHER,
    async serve(wishes, patient) {
      const found = new Map<number, Card | null | { fault: unknown }>();
      const reading = Promise.all(
        [...new Set(wishes.map(({ eventId }) => eventId))].map(async (eventId) => {
          found.set(eventId, await cardOf(eventId).catch((fault: unknown) => ({ fault })));
        }),
      );
      // Who is known is asked for beforehand, for the letter; the statement takes nothing where that has changed.
      const [now, liveOf] = await Promise.all([clock.now(), liveBookings(wishes)]);
      await reading;
      const heldUntil = new Date(now.getTime() + HOLD_MINUTES * 60_000);

      // Each is looked at alone, so that one who can't be served spoils nothing for the others.
      const words: RoundWords = new Map();
      const asked = wishes.map((wish) => {
        const card = found.get(wish.eventId)!;
        if (card === null) return { answer: { verdict: 'not_found' } as const };
        if ('fault' in card) return { fault: card.fault };
        try {
          return prepare(wish, liveOf(wish), card, heldUntil, false, words);
        } catch (fault) {
          return { fault };
        }
      });
      const requests = asked.flatMap((one) => ('request' in one ? [one.request] : []));
      const verdicts = requests.length === 0 ? [] : await store.takeHolds(db, requests, { openMax, patient });

      let position = 0;
      return asked.map((one, index) => {
        const { eventId } = wishes[index]!;
        if ('answer' in one) remember(eventId, 'not_found');
        if (!('request' in one)) return one;
        const verdict = verdicts[position++]!;
        if (verdict === 'busy') return 'locked';
        if (verdict === 'stale') {
          cards.delete(eventId);
          return 'again';
        }
        remember(eventId, verdict);
        return {
          answer: verdict === 'held' || verdict === 'known' ? { verdict, handle: one.handle, heldUntil } : { verdict },
        };
      });
    },
  });

  const looking = createGatherer<number, store.Refusal | null>({
    rounds: 1,
    patientRounds: 0,
    together: Number.MAX_SAFE_INTEGER,
    async serve(eventIds) {
      const standing = new Map((await store.readStanding(db, [...new Set(eventIds)])).map((one) => [one.id, one]));
      const refusalOf = (eventId: number): store.Refusal | null => {
        const one = standing.get(eventId);
        return one === undefined ? 'not_found' : (one.refusal ?? noSeat(one.places, one.held, one.confirmed));
      };
      const refusals = new Map([...new Set(eventIds)].map((eventId) => [eventId, refusalOf(eventId)]));
      for (const [eventId, refusal] of refusals) if (refusal === null) refusing.delete(eventId);
      return eventIds.map((eventId) => ({ answer: refusals.get(eventId)! }));
    },
  });

  return {
    take: (wish) => taking.ask(wish.eventId, wish),

    async takeWithin(tx, wish, { event, host, heldUntil, extended }) {
      for (let tries = 0; tries < TRIES_WITHIN; tries++) {
        const [live = null] = await store.findLiveOf(tx, [personIn(wish)]);
        const { request, handle } = prepare(wish, live, { event, host, version: null }, heldUntil, extended, new Map());
        const [verdict] = await store.takeHolds(tx, [request], { openMax: null, patient: true });
        if (verdict === 'held' || verdict === 'known') return { verdict, handle, heldUntil };
        if (verdict !== undefined && store.isRefusal(verdict)) return { verdict };
        // With the event locked nothing but time can have changed: the hold that the letter tells of has just ended.
      }
      throw new Error('a place was neither taken nor refused');
    },

    refusalOf: async (eventId) => (refusing.has(eventId) ? looking.ask(eventId, eventId) : null),
    async idle() {
      await Promise.all([taking.idle(), looking.idle()]);
    },
  };
}

/** Where a booking comes from, in a form that stands for nobody by itself. In: a secret of this database, an address block. */
export const sourceOf = (secret: KeyObject, block: string): Buffer =>
  createHmac('sha256', secret).update(`booking source ${block}`).digest();
