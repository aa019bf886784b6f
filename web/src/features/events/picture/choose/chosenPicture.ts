/**
 * Pictures before the upload: whether a file may be one, and the chosen crop (docs/product.md#9.18: JPEG, PNG, WebP, up
 * to 5 MB).
 */
import { PICTURE_UPLOAD } from '@fieldroom/contract/pictures';

export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;
/** Width to height of the crop: that of the picture at the top of an event's page (`--fr-picture-ratio`). */
export const PICTURE_RATIO = 17 / 6;
/** Width to height of the middle that every phone shows, from 320 px on. */
export const PHONE_RATIO = 8 / 7;
/** Narrower pictures, in px, look blurred at the top of a page. */
export const SHARP_WIDTH = 1200;
/** No page shows more pixels. */
const WIDTH_MAX = 1920;

/** A picture that the server has: the event it was uploaded for and its name there. */
export interface ImageRef {
  eventId: number;
  fileName: string;
}
/** The picture of a form: none, one that the server has, or one that was just cropped and has yet to be uploaded. */
export type Picture =
  | { kind: 'none' }
  | { kind: 'stored'; ref: ImageRef }
  | { kind: 'new'; file: File; address: string };

export type PictureFault = 'image_unreadable' | 'payload_too_large';

/** The type of a file by its first bytes; its name and declared type are unverified claims. */
export function kindOf(bytes: Uint8Array): (typeof PICTURE_TYPES)[number] | null {
  const starts = (at: number, ...expected: number[]) => expected.every((byte, index) => bytes[at + index] === byte);
  if (starts(0, 0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (starts(0, 0x52, 0x49, 0x46, 0x46) && starts(8, 0x57, 0x45, 0x42, 0x50)) return 'image/webp';
  return null;
}

/** Why a file can't be the picture, null if it can be tried. */
export async function pictureFault(file: Blob): Promise<PictureFault | null> {
  if (file.size > PICTURE_UPLOAD.maxBytes) return 'payload_too_large';
  return kindOf(new Uint8Array(await file.slice(0, 16).arrayBuffer())) === null ? 'image_unreadable' : null;
}

/** The crop of a picture: its middle (0 to 1 of the movable range) and its zoom (1: all that fits). */
export interface Cut {
  x: number;
  y: number;
  zoom: number;
}
export const WHOLE: Cut = { x: 0.5, y: 0.5, zoom: 1 };
const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/**
 * The rectangle of a crop in the picture's own pixels. Takes natural width and height, the crop, and width to height of
 * the frame.
 */
export function cutRectangle(
  width: number,
  height: number,
  cut: Cut,
  ratio = PICTURE_RATIO,
): { x: number; y: number; width: number; height: number } {
  const fit = width / height > ratio ? { width: height * ratio, height } : { width, height: width / ratio };
  const size = { width: fit.width / cut.zoom, height: fit.height / cut.zoom };
  return { x: clamp(cut.x, 0, 1) * (width - size.width), y: clamp(cut.y, 0, 1) * (height - size.height), ...size };
}

/**
 * Moves a crop by a drag over the frame. Takes natural size, the crop, and the distance in parts of the frame's width
 * and height (right and down positive). The picture follows the pointer, so the crop moves the other way.
 */
export function movedCut(
  width: number,
  height: number,
  cut: Cut,
  byX: number,
  byY: number,
  ratio = PICTURE_RATIO,
): Cut {
  const part = cutRectangle(width, height, cut, ratio);
  const [roomX, roomY] = [width - part.width, height - part.height];
  return {
    ...cut,
    x: roomX > 0 ? clamp(cut.x - (byX * part.width) / roomX, 0, 1) : 0.5,
    y: roomY > 0 ? clamp(cut.y - (byY * part.height) / roomY, 0, 1) : 0.5,
  };
}

/**
 * The crop as a file to upload: at most 1920 px wide, never enlarged, on white where it was transparent. Takes the
 * picture, the crop, and width to height of the frame. Throws when the browser can't.
 */
export async function cutPicture(image: HTMLImageElement, cut: Cut, ratio = PICTURE_RATIO): Promise<File> {
  const part = cutRectangle(image.naturalWidth, image.naturalHeight, cut, ratio);
  const width = Math.max(1, Math.round(Math.min(WIDTH_MAX, part.width)));
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = Math.max(1, Math.round(width / ratio));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, part.x, part.y, part.width, part.height, 0, 0, canvas.width, canvas.height);
  // Every browser can write JPEG; the server converts it.
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.9));
  if (!blob) throw new Error('the picture could not be cut');
  return new File([blob], 'picture.jpg', { type: 'image/jpeg' });
}
