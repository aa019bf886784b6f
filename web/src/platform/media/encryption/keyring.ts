/**
 * The room's key and how it is distributed: the therapist's browser makes it, gives it to clients who send a public
 * key, and makes another when somebody is removed. A client requests it until it has it, and again when frames arrive
 * for which it has no key.
 */
import { handOver, type HandKeys, keepKey, keptKey, newHandKeys, newRoomKey, takeOver } from './keyExchange.ts';
import type { MediaHost } from '../mediaTypes.ts';
import type { RoomKey } from './encodedTransform.ts';

/** A client requests again after this long without a reply; the therapist may join later. */
const ASK_EVERY_MS = 3_000;
/** At most one reply to one person in this time. */
const ANSWER_EVERY_MS = 1_000;
/** A new key is used to encrypt only after everybody had time to get it. */
const SWITCH_AFTER_MS = 800;

export interface Keyring {
  /** The key known to this browser. */
  current(): RoomKey | null;
  /** Makes sure that there is a key: the therapist's browser makes one, a client requests it. */
  begin(): void;
  /**
   * This browser no longer takes part: it neither requests nor gives a key. Another window of the therapist's may do so
   * now, with its own key.
   */
  rest(): void;
  /** Frames arrive that cannot be decrypted: requests again, not too often. */
  lacking(): void;
  /** For the therapist: makes a new key for everybody except these people; while this browser takes no part, at the
   * next `begin`. */
  renew(without: readonly number[]): void;
  close(): void;
}

/**
 * Takes what the room's feature provides, and a callback for keys: first a new key to decrypt with, then `sending` when
 * it is time to encrypt with it.
 */
export function createKeyring(host: MediaHost, heard: (key: RoomKey, sending: boolean) => void): Keyring {
  const isTherapist = host.me.as === 'therapist';
  let current: RoomKey | null = null;
  let begun = false;
  let closed = false;
  let asking: ReturnType<typeof setTimeout> | undefined;
  let switching: ReturnType<typeof setTimeout> | undefined;
  let askedMs = Number.NEGATIVE_INFINITY;
  let own: Promise<HandKeys> | null = null;
  /** Keys are decrypted one after the other: what was sent last counts, however long each takes. */
  let opening: Promise<unknown> = Promise.resolve();
  /** Clients' public keys, for the next key. */
  const clients = new Map<number, { publicKey: string; answeredMs: number; waiting?: ReturnType<typeof setTimeout> }>();

  function take(key: RoomKey, atOnce: boolean) {
    current = key;
    keepKey(host.therapistId, key);
    heard(key, atOnce);
    clearTimeout(switching);
    if (!atOnce) switching = setTimeout(() => heard(key, true), SWITCH_AFTER_MS);
  }
  async function answer(clientId: number) {
    const client = clients.get(clientId);
    const key = current;
    if (!client || !key || !begun) return;
    client.answeredMs = performance.now();
    const message = await handOver(client.publicKey, { therapistId: host.therapistId, clientId }, key);
    // Another key may be on its way now; an older one must not follow it, or the client could not decrypt.
    if (message && !closed && key === current && clients.has(clientId)) host.sendKey({ to: clientId, ...message });
  }
  async function ask() {
    clearTimeout(asking);
    if (closed || !begun) return;
    askedMs = performance.now();
    own ??= newHandKeys();
    const { publicKey } = await own;
    if (closed || !begun) return;
    host.sendKey({ to: host.therapistId, publicKey });
    // A client that has the key from the link sends its public key too, once, so that the next key reaches it.
    if (current === null) asking = setTimeout(() => void ask(), ASK_EVERY_MS);
  }
  const off = host.onKey(({ from, publicKey, sealed, generation }) => {
    if (isTherapist) {
      if (sealed !== undefined || from === host.therapistId) return;
      const known = clients.get(from);
      clearTimeout(known?.waiting);
      const client = { publicKey, answeredMs: known?.answeredMs ?? Number.NEGATIVE_INFINITY };
      const wait = Math.max(0, client.answeredMs + ANSWER_EVERY_MS - performance.now());
      clients.set(from, { ...client, ...(wait > 0 ? { waiting: setTimeout(() => void answer(from), wait) } : {}) });
      if (wait === 0) void answer(from);
      return;
    }
    if (from !== host.therapistId || sealed === undefined || generation === undefined || !own) return;
    const keys = own;
    const ids = { therapistId: host.therapistId, clientId: host.me.id };
    opening = opening.then(async () => {
      const key = await takeOver(await keys, ids, { publicKey, sealed, generation });
      if (!key || closed) return;
      clearTimeout(asking);
      const first = current === null;
      const same =
        current?.generation === key.generation && key.key.every((byte, index) => byte === current?.key[index]);
      if (!same) take(key, first);
    });
  });
  return {
    current: () => current,
    begin() {
      if (begun) return;
      begun = true;
      const known = current ?? keptKey(host.therapistId);
      if (known) take(known, true);
      if (!isTherapist) void ask();
      else {
        if (!known) take(newRoomKey(null), true);
        for (const clientId of clients.keys()) void answer(clientId);
      }
    },
    rest() {
      begun = false;
      clearTimeout(asking);
    },
    lacking() {
      if (begun && !isTherapist && performance.now() - askedMs >= ASK_EVERY_MS) void ask();
    },
    renew(without) {
      if (!isTherapist) return;
      for (const id of without) {
        clearTimeout(clients.get(id)?.waiting);
        clients.delete(id);
      }
      if (!begun) {
        current = null;
        keepKey(host.therapistId, null);
        return;
      }
      take(newRoomKey(current), false);
      for (const clientId of clients.keys()) void answer(clientId);
    },
    close() {
      closed = true;
      clearTimeout(asking);
      clearTimeout(switching);
      for (const { waiting } of clients.values()) clearTimeout(waiting);
      off();
    },
  };
}
