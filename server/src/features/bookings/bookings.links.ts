/**
 * Finds the booking of a link, or a handle. Guesses are counted by address block, together with wrong room codes and
 * join links, and delayed more and more beyond the limit. A right link is never refused (docs/product.md#14.5).
 */
import { Problem } from '../../platform/problem.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Limits } from '../../platform/limits.ts';
import { hashToken } from '../../platform/tokens.ts';
import type { createThrottle } from '../clients/index.ts';
import * as store from './bookings.store.ts';
import { findHandle, type HandleRow } from './taking/bookings.taking.store.ts';
import type { BookingRow } from './bookings.types.ts';

export type LinkThrottle = Pick<ReturnType<typeof createThrottle>, 'turn' | 'wrong' | 'stop'>;

export interface Links {
  /** The booking of a token. Problem: `link_invalid`, after the throttle. */
  booking(token: string, purpose: store.Purpose, ip: string): Promise<BookingRow>;
  /** A handle, even a used one. Problem: `link_invalid`, after the throttle. */
  handle(handle: string, ip: string): Promise<HandleRow & { open: boolean }>;
}

/** Makes the look-up of links and handles. Each waits for its turn at the throttle. */
export function createLinks({
  db,
  limits,
  throttle,
}: {
  db: Db;
  limits: Pick<Limits, 'addressBlock'>;
  throttle: LinkThrottle;
}): Links {
  async function found<T>(ip: string, find: () => Promise<T | null>): Promise<T> {
    const block = limits.addressBlock(ip);
    await throttle.turn(block);
    const row = await find();
    if (row !== null) return row;
    await throttle.wrong(block);
    throw new Problem('link_invalid');
  }
  return {
    booking: (token, purpose, ip) => found(ip, () => store.findByToken(db, hashToken(token), purpose)),
    handle: (handle, ip) => found(ip, () => findHandle(db, hashToken(handle))),
  };
}
