/** Compression of answers that are written for one request; files are compressed beforehand. */
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Compressing fewer bytes saves less than it costs. */
const WORTH_BYTES = 1400;

const COMPRESS = {
  br: (bytes: Buffer) =>
    promisify(zlib.brotliCompress)(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => promisify(zlib.gzip)(bytes),
};

/** Returns the coding that suits an Accept-Encoding header; null for none. */
function codingFor(accepted: string | string[] | undefined): keyof typeof COMPRESS | null {
  const wanted = String(accepted ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase());
  const takes = (coding: string) =>
    wanted.some((part) => part.split(';')[0]!.trim() === coding && !/;\s*q=0(?:\.0+)?$/.test(part));
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null;
}

/**
 * Compresses an answer if that is worth it and the browser accepts it. Takes the bytes and the Accept-Encoding header.
 * Returns the bytes to send and their content coding, null for none.
 */
export async function compressed(
  bytes: Buffer,
  accepted: string | string[] | undefined,
): Promise<{ bytes: Buffer; coding: string | null }> {
  const coding = bytes.length < WORTH_BYTES ? null : codingFor(accepted);
  return coding === null ? { bytes, coding } : { bytes: await COMPRESS[coding](bytes), coding };
}
