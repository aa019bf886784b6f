/** Runs what features do while a connection is being made. */
import { asOneRequest, Waits } from '../platform/db/waits.ts';
import { type Channel, CONNECTING_PATIENCE, type Sender } from './channel.ts';
import { orEnd } from './dispatch.ts';

export interface HooksParts {
  readonly channels: readonly Channel[];
  /** How long a message waits for the database in all, in milliseconds; a hook may wait longer. */
  readonly waitMs: number;
}

/** Runs a hook of all channels for one sender. Throws what ends the connection. */
export type RunHook = (hook: 'onConnect' | 'onOwnSubscribed' | 'onJoin', sender: Sender) => Promise<void>;

/**
 * Makes what runs a hook of all channels, one after the other, with one time for the waits of all of them. The
 * connection can't go on without any of them, so a fault ends it.
 */
export const createHooks =
  ({ channels, waitMs }: HooksParts): RunHook =>
  (hook, sender) =>
    asOneRequest(new Waits(waitMs * CONNECTING_PATIENCE), async () => {
      for (const channel of channels) await orEnd(async () => channel[hook]?.(sender));
    });
