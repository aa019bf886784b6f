/**
 * How the public pages call the server: without a sign-in. A therapist who opens them sees and does what everybody may.
 */
import { type Api, createApi } from '../../platform/api/api.ts';
import { createStore } from '../../platform/storage.ts';

const closed = (): Storage => {
  throw new Error('closed');
};

/** Sends no token and keeps nothing. */
export const anonymousApi: Api = createApi({ store: createStore(closed, closed) });
