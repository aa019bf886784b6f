/** The picture of the whole page, with everything personal hidden before it is taken (docs/product.md#12.25). */
import { PICTURE_UPLOAD } from '@fieldroom/contract/pictures';
import { createContext, domToCanvas } from 'modern-screenshot';
import { allWords } from '../../platform/i18n/app.ts';
import { assertMasked, fixedTexts, mask, mayBeCopied, withoutTexts } from './mask.ts';

/** The server stores it no larger (docs/product.md#12.22). */
const SIDE_MAX = 8000;
/** Maximum wait for what the page still loads; some of it may never arrive. */
const LOADING_MS = 3000;
/** Maximum time to draw the copy. Parts not drawn by then are missing from the picture, silently. */
const DRAWING_MS = 30_000;
/** Marks the panel, which is not part of its own picture. */
const PANEL_MARK = 'data-bug-report';

/** An empty page to read default styles from. With `srcdoc` Trusted Types would refuse it. */
function emptyFrame(): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.setAttribute('aria-hidden', 'true');
  document.body.append(frame);
  return frame;
}

const bytesOf = (canvas: HTMLCanvasElement, type: string): Promise<Blob> =>
  new Promise((done, fail) => {
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('the picture could not be written'))), type, 0.85);
  });

/**
 * Takes the picture. Returns a PNG, or a JPEG where a PNG would be too large to send. Throws if it cannot be drawn, or
 * if anything on it is not masked.
 */
export async function takePicture(): Promise<Blob> {
  const fixed = fixedTexts(allWords());
  const { scrollWidth, scrollHeight } = document.documentElement;
  const frame = emptyFrame();
  try {
    const context = await createContext(document.body, {
      width: Math.min(scrollWidth, SIDE_MAX),
      height: Math.min(scrollHeight, SIDE_MAX),
      backgroundColor: getComputedStyle(document.body).backgroundColor,
      // Without custom properties, which are many times longer than all others and which nothing in the copy reads.
      includeStyleProperties: [...getComputedStyle(document.body)].filter((name) => !name.startsWith('--')),
      timeout: LOADING_MS,
      // Nothing is fetched, neither fonts nor pictures.
      font: false,
      fetchFn: () => Promise.resolve('data:,'),
      filter: (node) =>
        node !== frame && mayBeCopied(node) && !(node instanceof Element && node.hasAttribute(PANEL_MARK)),
      onCloneNode: (copy) => mask(copy as Element, fixed),
      onCreateForeignObjectSvg(svg) {
        for (const style of svg.querySelectorAll('style')) style.textContent = withoutTexts(style.textContent);
        assertMasked(svg, fixed);
      },
      autoDestruct: true,
    });
    context.sandbox = frame;
    context.timeout = DRAWING_MS;
    const canvas = await domToCanvas(context);
    const png = await bytesOf(canvas, 'image/png');
    if (png.size <= PICTURE_UPLOAD.maxBytes) return png;
    const jpeg = await bytesOf(canvas, 'image/jpeg');
    if (jpeg.size <= PICTURE_UPLOAD.maxBytes) return jpeg;
    throw new Error('the picture is too large');
  } finally {
    frame.remove();
  }
}
