/** How long somebody has waited, by the product's clock. */
import { getPublicConfig } from '@fieldroom/contract/accounts';
import { useEffect, useState } from 'react';
import { api } from '../../../platform/api/index.ts';
import { type ProductClock, productClock } from '../../../platform/time/clock.ts';

/** The server's clock may be moved or run at another speed, so it is read again. */
const LOOK_AGAIN_MS = 30_000;

/**
 * Returns a function that takes a moment and returns the whole minutes since, updated twice a minute; 0 until the clock
 * is known.
 */
export function useMinutesSince(): (iso: string) => number {
  const [clock, setClock] = useState<ProductClock | null>(null);
  useEffect(() => {
    let gone = false;
    const look = () => {
      // If the request fails, the last known clock keeps running; render again.
      api
        .call(getPublicConfig)
        .then(
          (config) => productClock(config.clock),
          () => null,
        )
        .then(
          (found) => {
            if (!gone) setClock((known) => found ?? (known && { ...known }));
          },
          () => undefined,
        );
    };
    look();
    const timer = setInterval(look, LOOK_AGAIN_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, []);
  return (iso) => (clock === null ? 0 : Math.max(0, Math.floor((clock.now() - Date.parse(iso)) / 60_000)));
}
