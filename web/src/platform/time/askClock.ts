import { getPublicConfig } from '@fieldroom/contract/accounts';
import { api } from '../api/index.ts';
import { type ProductClock, productClock } from './clock.ts';

/** The request that is on its way. */
let asking: Promise<ProductClock> | null = null;

/**
 * Asks the server for the product's clock (docs/product.md#2.4). A caller that asks while a request is on its way gets
 * its answer: when a page starts, the timer, the lists and the cards all need it. An answer is not kept for later
 * callers, because the clock may be moved.
 */
export function askClock(): Promise<ProductClock> {
  asking ??= api
    .call(getPublicConfig)
    .then(({ clock }) => productClock(clock))
    .finally(() => {
      asking = null;
    });
  return asking;
}
