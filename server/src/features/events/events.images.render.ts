/**
 * What somebody uploaded, made into a picture of ours: read as what its bytes are, turned upright, at most 1600 pixels wide,
 * written anew as WebP without anything that came along (place and camera of a photo, what a polyglot hides, further frames).
 */
import sharp from 'sharp';
import { Problem } from '@fieldroom/contract/problems';

const WIDTH_MAX = 1600;
/** A tall picture is bounded as well; WebP itself ends at 16383. */
const HEIGHT_MAX = 2400;
/** More than any camera people carry; 65,535 × 65,535 would be 17 GB. Looked at in the header, before anything is decoded. */
const PIXELS_MAX = 60_000_000;
const SECONDS_MAX = 20;
const QUALITY = 82;

// Nobody uploads the same picture twice in a row; memory is worth more.
sharp.cache(false);

/** What the first bytes say: the signatures of JFIF/JPEG, PNG (RFC 2083 3.1) and WebP (RFC 9649 2.4). */
export function formatOf(bytes: Uint8Array): 'jpeg' | 'png' | 'webp' | null {
  const at = (from: number, ...expected: readonly number[]) =>
    expected.every((byte, index) => bytes[from + index] === byte);
  if (at(0, 0xff, 0xd8, 0xff)) return 'jpeg';
  if (at(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  // "RIFF", four bytes of length, "WEBP"
  if (at(0, 0x52, 0x49, 0x46, 0x46) && at(8, 0x57, 0x45, 0x42, 0x50)) return 'webp';
  return null;
}

/** In: the uploaded bytes. Out: the picture as WebP. Problem: `image_unreadable`. */
export async function renderPicture(bytes: Buffer): Promise<Buffer> {
  const format = formatOf(bytes);
  if (format === null) throw new Problem('image_unreadable');
  try {
    // `pages: 1` reads the first frame of an animation alone; libvips then asks the loader that the signature names.
    const picture = sharp(bytes, { pages: 1, limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true });
    if ((await picture.metadata()).format !== format) throw new Problem('image_unreadable');
    return await picture
      .autoOrient()
      .resize({ width: WIDTH_MAX, height: HEIGHT_MAX, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .webp({ quality: QUALITY })
      .timeout({ seconds: SECONDS_MAX })
      .toBuffer();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('image_unreadable');
  }
}
