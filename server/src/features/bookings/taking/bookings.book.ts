/**
 * Books a place. The answer is the same for addresses that have a booking and for those that have none; emails tell the
 * difference only to their owners.
 */
import type { KeyObject } from 'node:crypto';
import { HOLD_MINUTES, type BookingInput, type Hold } from '@fieldroom/contract/bookings';
import { Problem } from '../../../platform/problem.ts';
import { normalizeEmail } from '@fieldroom/contract/text';
import type { Config } from '../../../platform/config.ts';
import type { Limits } from '../../../platform/limits.ts';
import type { UnprovenLimits } from '../emails/bookings.email-limits.ts';
import type { KnownAddresses } from './bookings.known-addresses.ts';
import { type Places, sourceOf, type TakenPlace } from './bookings.places.ts';

const NO_HOLDS_FREE_SECONDS = HOLD_MINUTES * 60;

export interface BookParts {
  limits: Pick<Limits, 'take' | 'addressBlock'>;
  config: Pick<Config, 'limits'>;
  unprovenLimits: Pick<UnprovenLimits, 'counters'>;
  places: Pick<Places, 'take' | 'refusalOf'>;
  knownAddresses: Pick<KnownAddresses, 'tell' | 'forget'>;
  /** The secret of this database for the hash of sources. */
  secret: () => Promise<KeyObject>;
}

/** The page's answer: `extendable` as long as sending again extends the hold. */
export const toHold = (handle: string, heldUntil: Date, extendable: boolean): Hold => ({
  handle,
  heldUntil: heldUntil.toISOString(),
  extendable,
});

export type Book = ReturnType<typeof createBook>;

/** Makes the function that books a place. */
export function createBook({ limits, config, unprovenLimits, places, knownAddresses, secret }: BookParts) {
  /**
   * Books: holds a place for ten minutes and writes to the address, both or neither (rules 1 to 7 of the README). Takes
   * the event, the person, and the internet address the request comes from. Returns the hold with its handle.
   * Problems: those of `bookEvent` in the contract.
   */
  return async function book(eventId: number, person: BookingInput, ip: string): Promise<Hold> {
    const { places: wanted, firstName, lastName, email, phoneNumber: phone, language } = person;
    const emailNormalized = normalizeEmail(email);
    /** Rule 5: the owner of a known address gets an email about a full event too. */
    const refuse = (refusal: Parameters<typeof isFull>[0]) => {
      if (isFull(refusal)) knownAddresses.tell({ eventId, emailNormalized });
      return new Problem(refusal);
    };

    const refusal = await places.refusalOf(eventId);
    if (refusal !== null) throw refuse(refusal);

    const block = limits.addressBlock(ip);
    await limits.take(`booking ${block}`, config.limits.booking);
    const counters = await unprovenLimits.counters(eventId, emailNormalized);
    const source = sourceOf(await secret(), block);
    const wish = { eventId, source, places: wanted, firstName, lastName, email, phone, language, counters };
    const taken = await places.take(wish);
    if (taken.verdict === 'held') knownAddresses.forget({ eventId, emailNormalized });
    if (isPlace(taken)) return toHold(taken.handle, taken.heldUntil, true);
    if (taken.verdict === 'too_many_holds')
      throw new Problem('too_many_requests', { retryAfterSeconds: NO_HOLDS_FREE_SECONDS });
    if (taken.verdict === 'too_few_places') throw new Problem('too_few_places');
    throw refuse(taken.verdict);
  };
}

type Taken = Awaited<ReturnType<Places['take']>>;
const isPlace = (taken: Taken): taken is TakenPlace => taken.verdict === 'held' || taken.verdict === 'known';
const isFull = (refusal: Exclude<Awaited<ReturnType<Places['refusalOf']>>, null>): boolean =>
  refusal === 'event_full' || refusal === 'event_holds_full';
