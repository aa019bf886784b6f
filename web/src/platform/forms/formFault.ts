/** What is wrong with a text that somebody typed, judged by the contract's own schema. */
import type { Schema } from '@fieldroom/contract/http';
import * as z from 'zod/mini';

/** Returns the stable key of the first fault, null if the contract accepts the text. An empty text is `required`. */
export function formFault(schema: Schema, typed: string): string | null {
  const fault = z.safeParse(schema, typed).error?.issues[0];
  if (fault === undefined) return null;
  return typed.trim() === '' ? 'required' : fault.message;
}
