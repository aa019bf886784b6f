/** Files of a drawn field (docs/product.md#5.32), made entirely in the browser. */
import { PICTURE_SIZE } from './PictureDrawing.tsx';

/** Widths of a PNG, px. */
export const PNG_WIDTHS = [1600, 3200] as const;
export type PngWidth = (typeof PNG_WIDTHS)[number];

const XLINK = 'http://www.w3.org/1999/xlink';
const SVG_TYPE = 'image/svg+xml';
const heightFor = (width: number) => Math.round((width * PICTURE_SIZE.height) / PICTURE_SIZE.width);

/** The drawing as a file. Takes the `<svg>` on the page, and its display width in px. */
export function svgFile(drawing: SVGSVGElement, width: number): Blob {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  // These belong to the page around it.
  for (const name of ['aria-hidden', 'focusable', 'class', 'style']) copy.removeAttribute(name);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(heightFor(width)));
  // Some programs know only the older attribute.
  for (const image of copy.querySelectorAll('image')) {
    image.setAttributeNS(XLINK, 'xlink:href', image.getAttribute('href') ?? '');
    image.removeAttribute('href');
  }
  return new Blob(['<?xml version="1.0" encoding="UTF-8"?>\n', new XMLSerializer().serializeToString(copy), '\n'], {
    type: SVG_TYPE,
  });
}

/**
 * The drawing in pixels. Takes the `<svg>` on the page and the width in px. Throws where the browser cannot draw it.
 */
export async function pngFile(drawing: SVGSVGElement, width: PngWidth): Promise<Blob> {
  const address = URL.createObjectURL(svgFile(drawing, width));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = heightFor(width);
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('the browser has no canvas');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (png === null) throw new Error('the picture is too large for this browser');
    return png;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A day in this browser's time zone: `2026-11-25`. */
export function localDay(moment: Date): string {
  const digits = (value: number, count: number) => String(value).padStart(count, '0');
  return [digits(moment.getFullYear(), 4), digits(moment.getMonth() + 1, 2), digits(moment.getDate(), 2)].join('-');
}
