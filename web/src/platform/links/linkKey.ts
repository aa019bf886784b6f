/**
 * The key of an encrypted room inside a join link (docs/product.md#10.9). It follows the `#`, which no server sees. The
 * join page takes it out of the address bar, keeps it while the client waits, and leaves it for the room. It never
 * leaves this tab.
 */
import { tabStore } from '../storage.ts';

/** Where the room's page finds the key, stored as `generation.key`. */
export const roomKeyPlace = (therapistId: number): string => `fieldroom_room_key_${therapistId}`;
const HELD = 'fieldroom_link_key';
/** `generation.key`: at most seven digits, sixteen bytes in base64url. The code that reads it checks it fully. */
const KEY = /^\d{1,7}\.[\w-]{22}$/;

/** Takes the key as `generation.key`. Returns what a join link carries after its `#`. */
export const linkKeyFragment = (written: string): string => `k=${written}`;

/**
 * For the join page: takes the key out of the address, so that no screenshot and no history keeps it, and leaves the
 * rest of the fragment as it is. Takes the room's link and the address.
 */
export function holdLinkKey(
  joinLink: string,
  place: Pick<Location, 'hash' | 'pathname' | 'search'> = window.location,
): void {
  const parts = new URLSearchParams(place.hash.replace(/^#/, ''));
  const key = parts.get('k');
  if (key === null) return;
  parts.delete('k');
  const rest = parts.toString();
  window.history.replaceState(
    window.history.state,
    '',
    place.pathname + place.search + (rest === '' ? '' : `#${rest}`),
  );
  if (!KEY.test(key)) return;
  // If it cannot be kept, the therapist's browser gives this person the key, as it does to people without one.
  tabStore.set(HELD, `${joinLink} ${key}`);
}

/**
 * Once a client has a seat: moves the key of this room to where the room looks for it, and drops the key of another
 * room.
 */
export function seatLinkKey({ id, joinLink }: { id: number; joinLink: string }): void {
  const [forLink, key] = (tabStore.get(HELD) ?? '').split(' ');
  tabStore.remove(HELD);
  if (key !== undefined && forLink === joinLink) tabStore.set(roomKeyPlace(id), key);
}
