/**
 * Renders an upload as a new picture. It is decoded by its bytes, turned upright, made at most as large as asked for,
 * and written as WebP. Nothing else that was in the file comes along (a photo's place and camera, hidden contents,
 * further frames).
 */
import type { Metadata, Sharp } from 'sharp';
import { Problem } from '../problem.ts';
import { once } from '../small.ts';

/** Usual maximum size in px; WebP itself ends at 16383. */
const SIZE_MAX = { width: 1600, height: 2400 } as const;
/** Limits for decoding, checked in the header. More pixels than any camera that people carry. */
const PIXELS_MAX = 60_000_000;
/** A picture of one pixel by 59 million took 14 seconds. */
const SIDE_MAX = 16_000;
/**
 * Maximum memory for decoding: 20 million pixels of 4 bytes of an interlaced or progressive picture. Plain JPEG and PNG
 * are read line by line and need little.
 */
const DECODED_BYTES_MAX = 80_000_000;
const SECONDS_MAX = 10;
const QUALITY = 82;

/** The library, loaded for the first picture: it takes 10 MB, which a server without pictures keeps free. */
export const loadSharp = once(async () => {
  const { default: sharp } = await import('sharp');
  // Nobody uploads the same picture twice in a row, so a cache would only cost memory.
  sharp.cache(false);
  return sharp;
});

/**
 * Takes a picture that was rendered here or an SVG of ours, and the size to fill. Returns it as JPEG, on white where it
 * was transparent.
 */
export async function renderJpeg(
  bytes: Uint8Array,
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  const sharp = await loadSharp();
  return asJpeg(sharp(bytes).resize({ width, height, fit: 'cover' }));
}

/** How much the surroundings of a whole picture are blurred, in px. */
const BLUR_PX = 40;

/**
 * The same with the whole picture in the middle, for faces, which a cut would behead. What is left at its sides is the
 * picture itself, blurred.
 */
export async function renderWholeJpeg(
  bytes: Uint8Array,
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  const sharp = await loadSharp();
  const whole = await sharp(bytes).resize({ width, height, fit: 'inside' }).png().toBuffer();
  return asJpeg(
    sharp(bytes)
      .resize({ width, height, fit: 'cover' })
      .blur(BLUR_PX)
      .composite([{ input: whole }]),
  );
}

const asJpeg = (picture: Sharp): Promise<Buffer> =>
  picture.flatten({ background: '#fff' }).jpeg({ quality: QUALITY }).timeout({ seconds: SECONDS_MAX }).toBuffer();

/** Returns the type by the first bytes: the signatures of JFIF/JPEG, PNG (RFC 2083 3.1) and WebP (RFC 9649 2.4). */
function formatOf(bytes: Uint8Array): 'jpeg' | 'png' | 'webp' | null {
  const at = (from: number, ...expected: readonly number[]) =>
    expected.every((byte, index) => bytes[from + index] === byte);
  if (at(0, 0xff, 0xd8, 0xff)) return 'jpeg';
  if (at(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  // "RIFF", four bytes of length, "WEBP"
  if (at(0, 0x52, 0x49, 0x46, 0x46) && at(8, 0x57, 0x45, 0x42, 0x50)) return 'webp';
  return null;
}

/**
 * Bytes that decoding a picture takes in memory. Interlaced and progressive pictures, WebP and a PNG that has to be
 * turned need all of their pixels; of a progressive JPEG the coefficients are kept, in two bytes each.
 */
function decodedBytes(header: Metadata): number {
  const { format, width, height, channels, depth, isProgressive, orientation = 1, chromaSubsampling } = header;
  const whole = format === 'webp' || isProgressive || (format === 'png' && orientation > 1);
  if (!whole) return 0;
  const sampleBytes = format === 'jpeg' || depth === 'ushort' ? 2 : 1;
  const samples = chromaSubsampling === '4:2:0' ? 1.5 : channels;
  return width * height * samples * sampleBytes;
}

/**
 * Takes the uploaded bytes, the maximum size in px, and whether it is cut to a square around its middle. Returns the
 * picture as WebP, never enlarged. Problems: `image_unreadable`, `image_too_large`.
 */
export async function renderPicture(
  bytes: Buffer,
  { width, height, square = false }: { width: number; height: number; square?: boolean } = SIZE_MAX,
): Promise<Buffer> {
  const format = formatOf(bytes);
  if (format === null) throw new Problem('image_unreadable');
  const sharp = await loadSharp();
  try {
    // `pages: 1` reads the first frame of an animation alone; libvips then asks the loader that the signature names.
    const picture = sharp(bytes, { pages: 1, limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true });
    const header = await picture.metadata();
    if (header.format !== format) throw new Problem('image_unreadable');
    if (header.width > SIDE_MAX || header.height > SIDE_MAX || decodedBytes(header) > DECODED_BYTES_MAX)
      throw new Problem('image_too_large');
    const side = Math.min(width, height, header.width, header.height);
    return await picture
      .autoOrient()
      .resize(
        square
          ? { width: side, height: side, fit: 'cover' }
          : { width, height, fit: 'inside', withoutEnlargement: true },
      )
      .toColourspace('srgb')
      .webp({ quality: QUALITY })
      .timeout({ seconds: SECONDS_MAX })
      .toBuffer();
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (/exceeds pixel limit/i.test((error as Error).message)) throw new Problem('image_too_large');
    throw new Problem('image_unreadable');
  }
}
