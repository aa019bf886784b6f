/**
 * The key of a sealed room on its way in a join link (docs/product.md#10.9): it stands behind the `#`, which no server
 * sees. The join page takes it out of the address bar, holds it while its owner waits, and leaves it for the room; all of it
 * in this tab alone.
 */

/** Where the room's page finds the key, as `generation.key`. */
export const roomKeyPlace = (therapistId: number): string => `fieldroom_room_key_${therapistId}`;
const HELD = 'fieldroom_link_key';
/** `generation.key`: at most seven digits, sixteen bytes in base64url. Whoever opens it looks closer. */
const KEY = /^\d{1,7}\.[\w-]{22}$/;

/** What a join link carries behind its `#`. In: the key as `generation.key`. */
export const linkKeyFragment = (written: string): string => `k=${written}`;

/**
 * For the join page: takes the key out of the address, so that no picture of the screen and no history keeps it. Other parts
 * of the fragment are left alone. In: the room's link, the address.
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
  try {
    window.sessionStorage.setItem(HELD, `${joinLink} ${key}`);
  } catch {
    // Then the therapist's browser hands the key over, as to those without one.
  }
}

/** Whoever got a seat: the key held for this room goes where the room looks for it; one for another room is dropped. */
export function seatLinkKey({ id, joinLink }: { id: number; joinLink: string }): void {
  try {
    const [forLink, key] = (window.sessionStorage.getItem(HELD) ?? '').split(' ');
    window.sessionStorage.removeItem(HELD);
    if (key !== undefined && forLink === joinLink) window.sessionStorage.setItem(roomKeyPlace(id), key);
  } catch {
    // As above.
  }
}
