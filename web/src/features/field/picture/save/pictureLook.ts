/** The present colours of the field, as a file can contain them: without tokens of the page. */
import type { Scheme } from '../../../../ui/figures/index.ts';

/** A colour as `#rrggbb`, and its opacity, 0..1. */
interface SolidColor {
  color: string;
  opacity: number;
}

export interface PictureLook {
  /** The scheme in which figures are drawn on this background. */
  scheme: Scheme;
  /** The background, and the light in its middle; null if the therapist chose a colour. */
  field: SolidColor;
  lit: SolidColor | null;
  /** Letters and rings, and the border of letters. */
  ink: string;
  edge: string;
}

const hex = (channel: number | undefined) => (channel ?? 0).toString(16).padStart(2, '0');

/** The computed value of a token inside an element. Mixed colours are resolved by painting one pixel. */
function tokenOf(element: Element, token: string): SolidColor {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('the browser paints no pixel');
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
  return { color: `#${hex(red)}${hex(green)}${hex(blue)}`, opacity: (alpha ?? 255) / 255 };
}

/**
 * Takes the element in the field's place, with the field's tokens; the scheme of figures; and whether the background
 * has a colour of its own.
 */
export function lookOf(element: Element, scheme: Scheme, ownColor: boolean): PictureLook {
  return {
    scheme,
    field: tokenOf(element, '--fr-field'),
    lit: ownColor ? null : tokenOf(element, '--fr-field-lit'),
    ink: tokenOf(element, '--fr-text').color,
    edge: tokenOf(element, '--fr-field-edge').color,
  };
}
