/** The product's clock in this browser: the server's time when it was asked, advanced at its speed. */
import type { PublicConfig } from '@fieldroom/contract/accounts';

export interface ProductClock {
  /** Product time in milliseconds. */
  now(): number;
}

/** Takes a reply that has just arrived. The browser's own date plays no part: it may be wrong. */
export function productClock(clock: PublicConfig['clock']): ProductClock {
  const askedAt = performance.now();
  const product =
    Date.parse(clock.anchorProduct) + (Date.parse(clock.serverNow) - Date.parse(clock.anchorReal)) * clock.speed;
  return { now: () => product + (performance.now() - askedAt) * clock.speed };
}
