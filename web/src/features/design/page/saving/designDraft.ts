/** The design page's unsaved state. Pure, so that it can be tested without a page. */
import { contrast, TEXT_CONTRAST } from '@fieldroom/contract/colours/contrast';
import type { OwnDesign } from '../../ownDesign.ts';

/** The picture of a draft: the stored one, none, or a file that has yet to be uploaded. */
export type DraftPicture = { kind: 'stored' } | { kind: 'none' } | { kind: 'new'; file: File; address: string };

export interface Draft {
  color: string | null;
  picture: DraftPicture;
  left: OwnDesign['left'];
  top: OwnDesign['top'];
}

/** In the order in which they are saved. */
export const PARTS = ['color', 'picture', 'left', 'top'] as const;
export type Part = (typeof PARTS)[number];
/** Only the differences from the stored design. */
export type Changes = Partial<Draft>;

/** The page's design: the saved one with the changes applied. */
export const draftOf = (saved: OwnDesign, changes: Changes): Draft => ({
  color: saved.color,
  picture: { kind: saved.imageId === null ? 'none' : 'stored' },
  left: saved.left,
  top: saved.top,
  ...changes,
});

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The record without one part. */
export function without<R extends Partial<Record<Part, unknown>>>(parts: R, part: Part): R {
  const rest = { ...parts };
  delete rest[part];
  return rest;
}

/** Changes one part of a draft. A part that equals the stored one again is no longer a change. */
export function withChange<P extends Part>(saved: OwnDesign, changes: Changes, part: P, value: Draft[P]): Changes {
  const rest = without(changes, part);
  const stored = draftOf(saved, {})[part];
  const isNew = part === 'picture' && (value as DraftPicture).kind === 'new';
  return !isNew && same(stored, value) ? rest : { ...rest, [part]: value };
}

/** A menu with another background: colours that mean nothing without one are removed with it. */
export const withGround = <M extends OwnDesign['left'] | OwnDesign['top']>(menu: M, bgColor: string | null): M =>
  bgColor === null
    ? { ...menu, bgColor, textColor: null, ...('selectedColor' in menu ? { selectedColor: null } : {}) }
    : { ...menu, bgColor };

/** The lowest contrast of a menu's chosen text, if it is too low to be readable; else null. */
export function lowContrast(menu: OwnDesign['left'] | OwnDesign['top']): number | null {
  const { textColor, bgColor } = menu;
  if (textColor === null || bgColor === null) return null;
  const selected = 'selectedColor' in menu ? menu.selectedColor : null;
  const least = Math.min(...[bgColor, selected ?? bgColor].map((ground) => contrast(textColor, ground)));
  return least < TEXT_CONTRAST ? least : null;
}
