/**
 * Which colours can be read on which (docs/product.md#11.14). Without schemas, because the room's first script includes
 * it too.
 */

/** Contrast of normal text by WCAG 2.2, 1.4.3. */
export const TEXT_CONTRAST = 4.5;

/** Lightness of a colour `#rrggbb` from 0 to 1, by WCAG 2.2 ("relative luminance"). */
export function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colours `#rrggbb` from 1 to 21, by WCAG 2.2 ("contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Tried first: a soft dark colour, then black. */
const INKS = ['#1f2732', '#ffffff', '#000000'] as const;

/** A colour for text that can be read on a colour `#rrggbb`: black or white always can. */
export const readableOn = (ground: string): string =>
  INKS.find((ink) => contrast(ink, ground) >= TEXT_CONTRAST) ?? '#000000';
