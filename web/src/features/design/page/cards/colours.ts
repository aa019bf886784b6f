/** The colours offered beside the theme's own; their names are words under `design:colour.names`. */
export const COLOURS = {
  sand: '#efe3cb',
  sage: '#d5e2cf',
  sky: '#d3e4ef',
  lilac: '#e3dcef',
  rose: '#f1dbdb',
  stone: '#dedcd6',
  forest: '#2f4a3c',
  night: '#1f2d4a',
  slate: '#3b4652',
  earth: '#5a4434',
} as const;
export type ColourName = keyof typeof COLOURS;
export const COLOUR_NAMES = Object.keys(COLOURS) as ColourName[];

/** Reads `#rrggbb` or `#rgb`, the hash may be missing. Returns `#rrggbb` in lower case, null for anything else. */
export function hexOf(text: string): string | null {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return `#${digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('')}`;
}
