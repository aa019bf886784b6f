/** The ten palettes by name; their values stand in palettes.css. */
export const PALETTES = [
  'bluenavy',
  'blueyale',
  'blueolympic',
  'greenmoss',
  'greenlime',
  'purplemonster',
  'orangecarrot',
  'redruby',
  'yellowgranola',
  'greysteel',
] as const;
export type Palette = (typeof PALETTES)[number];
export type Scheme = 'light' | 'dark';
const RADII = ['rounded', 'flat'] as const;
export type Radius = (typeof RADII)[number];

/**
 * Reads `scheme.palette` as the local storage key `theme` holds it; anything unknown is the default
 * (docs/product.md#11.2).
 */
export function parseTheme(text: string | null): { scheme: Scheme; palette: Palette } {
  const [scheme, palette, more] = (text ?? '').split('.');
  const known =
    more === undefined && (scheme === 'light' || scheme === 'dark') && PALETTES.includes(palette as Palette);
  return known ? { scheme, palette: palette as Palette } : { scheme: 'light', palette: 'blueyale' };
}
