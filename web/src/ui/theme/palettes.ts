/** Reads the look that a browser stores. The palettes' values are in palettes.values.ts. */
import { type Palette, PALETTES } from '@fieldroom/contract/colours/palettes';

export type Scheme = 'light' | 'dark';
const RADII = ['rounded', 'flat'] as const;
export type Radius = (typeof RADII)[number];

/** Whether a text is `scheme.palette`, as the local storage key `theme` holds it. */
export function isTheme(text: string | null): text is `${Scheme}.${Palette}` {
  const [scheme, palette, more] = (text ?? '').split('.');
  return more === undefined && (scheme === 'light' || scheme === 'dark') && PALETTES.includes(palette as Palette);
}

/**
 * Reads `scheme.palette`; anything unknown is the default palette (docs/product.md#11.2), light or dark like the
 * system.
 */
export function parseTheme(text: string | null, system: Scheme = 'light'): { scheme: Scheme; palette: Palette } {
  if (!isTheme(text)) return { scheme: system, palette: 'blueyale' };
  const [scheme, palette] = text.split('.');
  return { scheme: scheme as Scheme, palette: palette as Palette };
}
