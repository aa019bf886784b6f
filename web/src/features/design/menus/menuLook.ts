/**
 * The colours of a menu in all its states, from the few that the therapist chose. Text, icons, hover, selected entry
 * and focus ring can be told apart and read on any of them (docs/product.md#11.14).
 */
import { contrast, luminance, readableOn, TEXT_CONTRAST } from '@fieldroom/contract/colours/contrast';
import type { LeftMenuDesign, TopMenuDesign } from '@fieldroom/contract/design';
import type { CSSProperties } from 'react';

type Tokens = CSSProperties & Record<`--${string}`, string>;

/**
 * How far an entry under the pointer, the selected one, and lines are from their background, as a share of the text's
 * colour.
 */
const HOVER = 0.1;
const SELECTED = 0.18;
const LINE = 0.3;

/** Mixes two colours `#rrggbb`; `part` of the second, 0 to 1. */
function mix(one: string, other: string, part: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [a, b] = [one, other].map((color) => Number.parseInt(color.slice(at, at + 2), 16)) as [number, number];
    return Math.round(a + (b - a) * part)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}

/** A shade of the background that can be distinguished from it, and on which the text is still readable. */
function shade(ground: string, text: string, part: number): string {
  const nearer = mix(ground, text, part);
  if (contrast(text, nearer) >= TEXT_CONTRAST) return nearer;
  // The contrast only grows away from the text.
  return mix(ground, luminance(text) > luminance(ground) ? '#000000' : '#ffffff', part);
}

/** The tokens that the left menu uses instead of the theme's. None if nothing was chosen. */
export function leftMenuLook({ bgColor, textColor, selectedColor }: Omit<LeftMenuDesign, 'type'>): Tokens {
  if (bgColor === null) return selectedColor === null ? {} : selectedLook(selectedColor, readableOn(selectedColor));
  const text = textColor ?? readableOn(bgColor);
  const selected = selectedColor ?? shade(bgColor, text, SELECTED);
  return {
    '--fr-bg': bgColor,
    '--fr-text': text,
    '--fr-muted': text,
    '--fr-sunken': shade(bgColor, text, HOVER),
    '--fr-line': mix(bgColor, text, LINE),
    '--fr-accent-ink': text,
    '--fr-focus': text,
    ...selectedLook(selected, contrast(text, selected) >= TEXT_CONTRAST ? text : readableOn(selected)),
  };
}

const selectedLook = (ground: string, text: string): Tokens => ({
  '--fr-surface': ground,
  '--menu-selected-text': text,
});

/** The tokens of the top bar. They have their own names: popovers of the bar keep the theme's colours. */
export function topMenuLook({ bgColor, textColor }: Omit<TopMenuDesign, 'type'>): Tokens {
  if (bgColor === null) return {};
  const text = textColor ?? readableOn(bgColor);
  return { '--menu-bg': bgColor, '--menu-text': text, '--menu-hover': shade(bgColor, text, HOVER) };
}
