/** The ten palettes by name (docs/product.md#11.2). What browsers store, and what bug reports name, is one of them. */
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
