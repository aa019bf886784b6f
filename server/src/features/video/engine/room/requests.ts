/** The checks the plugin makes of a request's elements, with its codes and words (Janus' JANUS_VALIDATE_JSON_OBJECT). */
import type { PluginBody } from '../../video.types.ts';
import { ERROR, Refusal } from './room.types.ts';

type Kind = 'string' | 'integer' | 'positive' | 'boolean' | 'array';
const KIND_WORDS: Record<Kind, string> = {
  string: 'a string',
  integer: 'an integer',
  positive: 'a positive integer',
  boolean: 'a boolean',
  array: 'an array',
};

const fits: Record<Kind, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  positive: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
};

function element(body: PluginBody, name: string, kind: Kind, required: boolean): unknown {
  const value = body[name];
  if (value === undefined || value === null) {
    if (required) throw new Refusal(ERROR.missingElement, `Missing mandatory element (${name})`);
    return undefined;
  }
  if (!fits[kind](value))
    throw new Refusal(ERROR.invalidElement, `Invalid element type (${name} should be ${KIND_WORDS[kind]})`);
  return value;
}

/** Reads elements of one body; each throws a `Refusal` with 429 or 430. */
export const read = {
  string: (body: PluginBody, name: string) => element(body, name, 'string', true) as string,
  text: (body: PluginBody, name: string) => element(body, name, 'string', false) as string | undefined,
  id: (body: PluginBody, name: string) => element(body, name, 'positive', true) as number,
  number: (body: PluginBody, name: string) => element(body, name, 'positive', false) as number | undefined,
  flag: (body: PluginBody, name: string) => element(body, name, 'boolean', false) as boolean | undefined,
  must: (body: PluginBody, name: string) => element(body, name, 'boolean', true) as boolean,
  list(body: PluginBody, name: string): PluginBody[] | undefined {
    const list = element(body, name, 'array', false) as unknown[] | undefined;
    if (list?.some((entry) => typeof entry !== 'object' || entry === null || Array.isArray(entry)))
      throw new Refusal(ERROR.invalidElement, `Invalid element type (${name} should be an array of objects)`);
    return list as PluginBody[] | undefined;
  },
};

export interface Layers {
  substream?: number;
  temporal?: number;
}

/** Simulcast layers wanted, 0 to 2; SVC's words are checked and mean nothing here. */
export function readLayers(body: PluginBody): Layers {
  const substream = read.number(body, 'substream');
  const temporal = read.number(body, 'temporal');
  if ((substream ?? 0) > 2 || (read.number(body, 'spatial_layer') ?? 0) > 2)
    throw new Refusal(ERROR.invalidElement, 'Invalid value (substream/spatial_layer should be 0, 1 or 2)');
  if ((temporal ?? 0) > 2 || (read.number(body, 'temporal_layer') ?? 0) > 2)
    throw new Refusal(ERROR.invalidElement, 'Invalid value (temporal/temporal_layer should be 0, 1 or 2)');
  return { substream, temporal };
}
