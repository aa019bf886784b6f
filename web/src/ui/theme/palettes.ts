/** The ten palettes by name; their values stand in palettes.css. */
export const PALETTES = ['bluenavy', 'blueyale', 'blueolympic', 'greenmoss', 'greenlime', 'purplemonster', 'orangecarrot', 'redruby', 'yellowgranola', 'greysteel'] as const;
export type Palette = (typeof PALETTES)[number];
export type Scheme = 'light' | 'dark';
/** As the local storage key `theme` holds it (specification 4.5). */
export type ThemeName = `${Scheme}.${Palette}`;
export const DEFAULT_THEME: ThemeName = 'light.blueyale';
export const RADII = ['rounded', 'flat'] as const;
export type Radius = (typeof RADII)[number];

/** Reads a stored theme; anything unknown is the default. */
export function parseTheme(text: string | null): { scheme: Scheme; palette: Palette } {
  const [scheme, palette, more] = (text ?? '').split('.');
  const known = more === undefined && (scheme === 'light' || scheme === 'dark') && PALETTES.includes(palette as Palette);
  return known ? { scheme, palette: palette as Palette } : { scheme: 'light', palette: 'blueyale' };
}
