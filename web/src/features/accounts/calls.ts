/** The calls of signing in and out that every page carries, by address alone; see platform/api/address.ts. */
import type * as accounts from '@fieldroom/contract/accounts';
import { address } from '../../platform/api/index.ts';

export const isTheripstLoggedIn = address<typeof accounts.isTheripstLoggedIn>(
  'POST',
  '/api/authentication/isTheripstLoggedIn/{userId}',
);
export const logout = address<typeof accounts.logout>('POST', '/api/authentication/logout/{userId}');
