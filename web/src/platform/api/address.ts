/**
 * Method and path of a contract's call without its schemas: for what is needed before the first picture of the play area,
 * where a schema library would be a tenth of all that is loaded. The shapes still come from the contract, as types; that
 * method and path are the contract's own is tested beside each list of addresses.
 */
import type { Endpoint } from '@fieldroom/contract/http';

export interface Address<E extends Endpoint> {
  readonly method: E['method'];
  readonly path: string;
  /** Never there: carries the shapes of the call. */
  readonly shapes?: E;
}

/** In: method and path as the contract declares them, the endpoint as type argument. Out: what `api.call` takes in its place. */
export function address<E extends Endpoint>(method: E['method'], path: string): Address<E> {
  return { method, path };
}
