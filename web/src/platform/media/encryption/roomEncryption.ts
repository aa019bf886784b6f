/** Encryption of one person's media in one room: the key, the ciphers that use it, and the digits to compare. */
import { createKeyring } from './keyring.ts';
import { keyFragment, safetyCode } from './keyExchange.ts';
import type { MediaHost, MediaState } from '../mediaTypes.ts';
import {
  createFrameEncryption,
  type RoomKey,
  type ConnectionEncryption,
  type FrameEncryption,
} from './encodedTransform.ts';

/**
 * Somebody who is absent for this long has left, and the therapist's browser makes a new key. Shorter absences are lost
 * connections.
 */
const GONE_MS = 20_000;

export interface Encryption {
  /** Prepares encryption. Returns whether there is a key already; null when this browser does not support it. */
  begin(): { ready: boolean } | null;
  /** The room is not encrypted, or this browser no longer takes part; clears the digits. */
  off(): void;
  forConnection(onUnreadable: (news: { at: string; unreadable: boolean }) => void): ConnectionEncryption | null;
  /** What a join link carries behind its `#`; null while there is no key. */
  fragment(): string | null;
  /** Frames arrive that cannot be decrypted. */
  lacking(): void;
  /** Takes the current publishers; the therapist's browser notices who has left for good. */
  present(ids: readonly number[]): void;
  /** Somebody was removed: a new key for all others, at once, or when this browser takes part again. */
  removed(personId: number): void;
  close(): void;
}

/** Takes what the room's feature provides, a callback with what to show, and a callback for a new key. */
export function createEncryption(
  host: MediaHost,
  shown: (state: Pick<MediaState, 'safetyCode' | 'waitingForKey'>) => void,
  keyCame: () => void,
): Encryption {
  let on = false;
  let frameEncryption: FrameEncryption | null = null;
  const known = new Set<number>();
  const gone = new Map<number, ReturnType<typeof setTimeout>>();

  const show = async (key: RoomKey | null) => {
    shown({ safetyCode: null, waitingForKey: key === null });
    if (!key) return;
    const code = await safetyCode(key);
    if (on && keyring.current() === key) shown({ safetyCode: code, waitingForKey: false });
  };
  const keyring = createKeyring(host, (key, sending) => {
    frameEncryption?.key(key, sending);
    if (on && keyring.current() === key) void show(key);
    keyCame();
  });
  const forget = (personId: number) => {
    clearTimeout(gone.get(personId));
    gone.delete(personId);
    known.delete(personId);
  };
  return {
    begin() {
      frameEncryption ??= createFrameEncryption();
      if (!frameEncryption) return null;
      on = true;
      keyring.begin();
      const key = keyring.current();
      if (key) frameEncryption.key(key, true);
      void show(key);
      return { ready: key !== null };
    },
    off() {
      on = false;
      keyring.rest();
      shown({ safetyCode: null, waitingForKey: false });
    },
    forConnection: (onUnreadable) => (on ? (frameEncryption?.forConnection(host.me.id, onUnreadable) ?? null) : null),
    fragment() {
      const key = on ? keyring.current() : null;
      return key && keyFragment(key);
    },
    lacking: () => keyring.lacking(),
    present(ids) {
      if (!on || host.me.as !== 'therapist') return;
      for (const id of ids) {
        forget(id);
        known.add(id);
      }
      for (const id of known) {
        if (ids.includes(id) || gone.has(id)) continue;
        gone.set(
          id,
          setTimeout(() => {
            // Everybody who has left since, with one new key.
            const out = [...gone.keys()];
            for (const one of out) forget(one);
            keyring.renew(out);
          }, GONE_MS),
        );
      }
    },
    removed(personId) {
      forget(personId);
      keyring.renew([personId]);
    },
    close() {
      on = false;
      for (const id of [...gone.keys()]) forget(id);
      keyring.close();
      frameEncryption?.close();
    },
  };
}
