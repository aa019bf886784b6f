/** Sealing of one person's media in one room: the key, what seals with it, and the digits to compare. */
import { createKeyring } from './keyring.ts';
import { keyFragment, safetyCode } from './keys.ts';
import type { MediaDoor, MediaState } from './media.types.ts';
import { createSealer, type RoomKey, type Seal, type Sealer } from './seal.ts';

/** Whoever has been gone for so long is out: the therapist's browser makes another key. Shorter ways out and in are lines that dropped. */
const GONE_MS = 20_000;

export interface Encryption {
  /** Gets ready to seal. Out: whether there is a key already; null where this browser can't seal. */
  begin(): { ready: boolean } | null;
  /** Takes the marks off; the room is open. */
  off(): void;
  forConnection(onSealed: (news: { at: string; sealed: boolean }) => void): Seal | null;
  /** What a join link carries behind its `#`; null while there is no key. */
  fragment(): string | null;
  /** Frames come that can't be opened. */
  lacking(): void;
  /** Who publishes now; the therapist's browser notices who has gone for good. */
  present(ids: readonly number[]): void;
  /** Somebody was sent out: another key for all others, at once. */
  removed(personId: number): void;
  close(): void;
}

/** In: the room's door, who hears of what is shown, who hears that a key came. */
export function createEncryption(
  door: MediaDoor,
  shown: (state: Pick<MediaState, 'safetyCode' | 'waitingForKey'>) => void,
  keyCame: () => void,
): Encryption {
  let on = false;
  let sealer: Sealer | null = null;
  const known = new Set<number>();
  const gone = new Map<number, ReturnType<typeof setTimeout>>();

  const show = async (key: RoomKey | null) => {
    shown({ safetyCode: null, waitingForKey: key === null });
    if (!key) return;
    const code = await safetyCode(key);
    if (on && keyring.current() === key) shown({ safetyCode: code, waitingForKey: false });
  };
  const keyring = createKeyring(door, (key, sending) => {
    sealer?.key(key, sending);
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
      sealer ??= createSealer();
      if (!sealer) return null;
      on = true;
      keyring.begin();
      const key = keyring.current();
      if (key) sealer.key(key, true);
      void show(key);
      return { ready: key !== null };
    },
    off() {
      on = false;
      shown({ safetyCode: null, waitingForKey: false });
    },
    forConnection: (onSealed) => (on ? (sealer?.forConnection(door.me.id, onSealed) ?? null) : null),
    fragment() {
      const key = on ? keyring.current() : null;
      return key && keyFragment(key);
    },
    lacking: () => keyring.lacking(),
    present(ids) {
      if (!on || door.me.as !== 'therapist') return;
      for (const id of ids) {
        forget(id);
        known.add(id);
      }
      for (const id of known) {
        if (ids.includes(id) || gone.has(id)) continue;
        gone.set(
          id,
          setTimeout(() => {
            // All who have gone by now, by one new key.
            const out = [...gone.keys()];
            for (const one of out) forget(one);
            keyring.renew(out);
          }, GONE_MS),
        );
      }
    },
    removed(personId) {
      forget(personId);
      if (on) keyring.renew([personId]);
    },
    close() {
      on = false;
      for (const id of [...gone.keys()]) forget(id);
      keyring.close();
      sealer?.close();
    },
  };
}
