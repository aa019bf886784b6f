/**
 * The colours of the menus as this browser keeps them, so that the first paint of a page has them. What stands there is
 * a claim like all that is stored: what can't be a design is dropped.
 */
import { storage } from '../../../platform/storage.ts';
import { type OwnDesign, THEME_DESIGN } from '../ownDesign.ts';

export type MenuDesign = Pick<OwnDesign, 'left' | 'top'>;
type Kept = MenuDesign & { id: number };

/** Whether a value has the parts of a menu of the theme, each a colour or null. */
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
    // Falls through: unreadable and wrong shapes are treated alike.
  }
  storage.remove('menus');
  return null;
}

/** The kept colours of this account; null where there are none. */
export function keptMenus(accountId: number): MenuDesign | null {
  const kept = read();
  return kept?.id === accountId ? kept : null;
}

/** Keeps the colours for the next page of this account. */
export function keepMenus(id: number, { left, top }: MenuDesign): void {
  storage.setText('menus', JSON.stringify({ id, left, top } satisfies Kept));
}
