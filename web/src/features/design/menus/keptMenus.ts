/**
 * The colours of the menus as this browser stores them, so that the first paint of a page has them. Stored values are
 * unverified claims: an invalid design is dropped.
 */
import { storage } from '../../../platform/storage.ts';
import { type OwnDesign, THEME_DESIGN } from '../ownDesign.ts';

export type MenuDesign = Pick<OwnDesign, 'left' | 'top'>;
type Kept = MenuDesign & { id: number };

/** Whether a value has the parts of a menu's look, each a colour or null. */
function isMenu(value: unknown, like: object): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const parts = Object.entries(value);
  return (
    parts.length === Object.keys(like).length &&
    parts.every(([name, color]) => name in like && (color === null || /^#[0-9a-f]{6}$/.test(String(color))))
  );
}

function read(): Kept | null {
  const text = storage.getText('menus');
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as Kept;
    if (isMenu(kept.left, THEME_DESIGN.left) && isMenu(kept.top, THEME_DESIGN.top)) return kept;
  } catch {
    // Falls through: unreadable and invalid values are treated alike.
  }
  storage.remove('menus');
  return null;
}

/** The stored colours of this account; null if there are none. */
export function keptMenus(accountId: number): MenuDesign | null {
  const kept = read();
  return kept?.id === accountId ? kept : null;
}

/** Stores the colours for the next page of this account. */
export function keepMenus(id: number, { left, top }: MenuDesign): void {
  storage.setText('menus', JSON.stringify({ id, left, top } satisfies Kept));
}
