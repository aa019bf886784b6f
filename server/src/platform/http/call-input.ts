/** What a call brings: its parts parsed by the contract's shapes, and forms with a file. */
import type { IncomingMessage } from 'node:http';
import type { Endpoint, Schema } from '@fieldroom/contract/http';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { Problem } from '../problem.ts';
import { fieldFaults } from './faults.ts';
import { asProblem } from './problem-replies.ts';

/** 64 kB, the limit of bodies and of frames (docs/product.md#14.6). */
export const BODY_BYTES = 65_536;

/** A file from a multipart form. */
export interface Upload {
  readonly filename: string;
  /** The type that the sender gives; the bytes decide. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Parses one part of the call. A part that is not in the contract must be empty. Problem: `invalid_input`. */
export function parsePart(schema: Schema | null, input: unknown): unknown {
  if (schema === null) {
    if (input === undefined || input === null) return undefined;
    const keys = typeof input === 'object' && !Array.isArray(input) ? Object.keys(input) : [''];
    if (keys.length > 0)
      throw new Problem('invalid_input', {
        fields: keys.slice(0, 50).map((key) => ({ path: key.slice(0, 100), code: 'unknown_property' })),
      });
    return undefined;
  }
  const parsed = z.safeParse(schema, input);
  if (!parsed.success) throw new Problem('invalid_input', { fields: fieldFaults(parsed.error, input) });
  return parsed.data;
}

/** Whether JSON may contain a NUL, which it can only write as an escape. Most bodies need not be walked then. */
export const mayHaveNul = (json: string) => json.includes('\\u0000');

/**
 * Returns the input, unless one of its texts contains a NUL: PostgreSQL stores none, and no text that a person writes
 * has one.
 */
export function withoutNul(input: unknown): unknown {
  if (input === undefined || input === null) return input;
  const fields = nulFaults(input, []);
  if (fields.length > 0) throw new Problem('invalid_input', { fields });
  return input;
}

function nulFaults(input: unknown, path: readonly string[]): { path: string; code: string }[] {
  if (typeof input === 'string')
    return input.includes('\0') ? [{ path: path.join('.'), code: 'unsafe_characters' }] : [];
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) => nulFaults(value, [...path, name]));
}

/** Whether a body may have more than the usual bytes. */
export const isLarge = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > BODY_BYTES;

/** Reads a multipart form: one file and text fields. */
export async function readForm(
  request: FastifyRequest,
  { maxBytes, field = 'file', optional = false }: NonNullable<Endpoint['upload']>,
): Promise<{ file: Upload | null; fields: Record<string, string> }> {
  if (!request.isMultipart()) throw new Problem('bad_request');
  const fields: Record<string, string> = {};
  let file: Upload | null = null;
  try {
    for await (const part of request.parts({ limits: { fileSize: maxBytes } })) {
      if (part.type === 'file')
        file = { filename: part.filename.slice(0, 200), contentType: part.mimetype, bytes: await part.toBuffer() };
      else fields[part.fieldname] = String(part.value);
    }
  } catch (error) {
    // A form that has no boundary, is cut off or garbled: the parser's own faults carry no code.
    throw asProblem(error) ?? new Problem('bad_request');
  }
  if (!file && !optional) throw new Problem('invalid_input', { fields: [{ path: field, code: 'required' }] });
  return { file, fields };
}
