/** The product's clock in this browser (docs/product.md#2.4): fetched once, then advanced at its speed. */
import { getPublicConfig } from '@fieldroom/contract/accounts';
import { useEffect, useState } from 'react';
import { anonymousApi } from '../anonymousApi.ts';
import { type ProductClock, productClock } from '../../../platform/time/clock.ts';

/** Real time between two readings of the server's clock, which may be moved or run at another speed. */
const LOOK_AGAIN_MS = 30_000;

/** Asks the server. Throws `ApiProblem`. */
async function findClock(): Promise<ProductClock> {
  const { clock } = await anonymousApi.call(getPublicConfig);
  return productClock(clock);
}

/** From the time of an answer that has just arrived. */
function clockFrom(asOf: string): ProductClock {
  const [product, askedAt] = [Date.parse(asOf), performance.now()];
  return { now: () => product + (performance.now() - askedAt) };
}

/**
 * The product clock, read from the server every half minute and when the page becomes visible again. Takes whether the
 * page needs it, and the time of a reply that has just arrived, which counts until the first reading. Returns null
 * until one of them is known.
 */
export function useProductClock(wanted = true, asOf: string | null = null): ProductClock | null {
  const [clock, setClock] = useState(() => (asOf === null ? null : clockFrom(asOf)));
  useEffect(() => {
    if (!wanted) return;
    let current = true;
    const look = () => {
      // If the request fails, the last known clock keeps running.
      if (document.visibilityState !== 'hidden')
        findClock().then(
          (found) => current && setClock(found),
          () => {},
        );
    };
    look();
    const timer = setInterval(look, LOOK_AGAIN_MS);
    document.addEventListener('visibilitychange', look);
    return () => {
      current = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [wanted]);
  return clock;
}

/**
 * Whole product seconds until a moment: 0 once it has passed, null while the clock is not known. Renders again only
 * when they change.
 */
export function useSecondsUntil(clock: ProductClock | null, moment: string | null): number | null {
  const read = () =>
    clock === null || moment === null ? null : Math.max(0, Math.ceil((Date.parse(moment) - clock.now()) / 1000));
  const [, setShown] = useState<number | null>(null);
  useEffect(() => {
    if (clock === null || moment === null) return;
    const timer = setInterval(() => setShown(read()), 250);
    return () => clearInterval(timer);
    // eslint-disable-next-line react/exhaustive-deps
  }, [clock, moment]);
  return read();
}
