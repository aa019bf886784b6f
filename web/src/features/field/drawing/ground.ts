/** The background behind the figures, and the colours that are readable on it (docs/product.md#11.14). */
import { readableOn } from '@fieldroom/contract/colours/contrast';
import type { CSSProperties } from 'react';
import type { Scheme } from '../../../ui/figures/index.ts';

export interface FieldGround {
  /** `#rrggbb`, the same in light and dark; null for the theme's own. */
  color: string | null;
  /** Address of a picture that the browser has decoded. */
  url: string | null;
}

/** Names get a border of this colour on a picture that has no colour behind it. */
const UNDER_PICTURE = '#ffffff';

/**
 * Takes the background (null while it is not known) and the page's scheme. Returns the scheme in which figures are
 * drawn on it, and the tokens of names, rings and pointers. The theme's background changes nothing.
 */
export function groundLook(
  ground: FieldGround | null,
  scheme: Scheme,
): { scheme: Scheme; style: CSSProperties & Record<`--${string}`, string> } {
  const under = ground?.color ?? (ground?.url ? UNDER_PICTURE : null);
  if (under === null) return { scheme, style: {} };
  const ink = readableOn(under);
  const style = {
    '--fr-field-edge': under,
    '--fr-bg': under,
    '--fr-surface': under,
    '--fr-text': ink,
    '--fr-muted': ink,
    '--fr-focus': ink,
  };
  return {
    scheme: ink === '#ffffff' ? 'dark' : 'light',
    // The theme's background is visible until a picture covers it.
    style: ground?.color ? { ...style, '--fr-field': under } : style,
  };
}

/**
 * For styles: `own` with a colour, else `theme`; `unknown` while it is not known, so that no wrong one is ever visible.
 */
export const groundKind = (ground: FieldGround | null): 'unknown' | 'theme' | 'own' =>
  ground === null ? 'unknown' : ground.color === null ? 'theme' : 'own';
