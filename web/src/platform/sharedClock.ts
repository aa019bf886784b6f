/** The product's clock for everything on this page, asked once. */
import { getPublicConfig } from '@fieldroom/contract/accounts';
import { useEffect, useState } from 'react';
import { api } from './api/index.ts';
import { type ProductClock, productClock } from './clock.ts';

let asked: Promise<ProductClock> | null = null;

/** Returns the clock. A question that failed is asked again by the next caller. */
export function sharedClock(): Promise<ProductClock> {
  asked ??= api.call(getPublicConfig).then(
    ({ clock }) => productClock(clock),
    (fault: unknown) => {
      asked = null;
      throw fault;
    },
  );
  return asked;
}

/** The clock once it is known; null until then. */
export function useSharedClock(): ProductClock | null {
  const [clock, setClock] = useState<ProductClock | null>(null);
  useEffect(() => {
    let gone = false;
    sharedClock().then(
      (found) => {
        if (!gone) setClock(found);
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, []);
  return clock;
}
