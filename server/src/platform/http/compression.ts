/** Compression of answers that are written for one request; files are compressed beforehand. */
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

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
 * Sends a text, compressed if that is worth it and the browser accepts it. The caller has set status and type
 * (docs/decisions/0028-replies-are-compressed.md).
 */
export function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): FastifyReply | Promise<FastifyReply> {
  const coding = text.length < WORTH_BYTES ? null : codingFor(request.headers['accept-encoding']);
  if (coding === null) return reply.send(text);
  return COMPRESS[coding](Buffer.from(text)).then((bytes) => reply.header('content-encoding', coding).send(bytes));
}
