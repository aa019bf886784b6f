/** How the text of a setting is read and checked: the kinds of values that several areas have. */
import { z } from 'zod';

/** What was read of an area's settings, by their names; what is not set is undefined. */
export type Read<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** A whole number between both ends, which are included. */
export const whole = (least: number, most: number) =>
  z.string().transform((text, context) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    context.addIssue({ code: 'custom', message: `has to be a whole number from ${least} to ${most}` });
    return z.NEVER;
  });

/** Splits a text at its commas; empty parts do not count. */
export const list = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** An address with one of these protocols (as `URL` writes them, such as `smtp:`), kept as it was written. */
export const address = (protocols: readonly string[], example: string) =>
  z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url && protocols.includes(url.protocol)) return text;
    context.addIssue({ code: 'custom', message: `has to be an address such as ${example}` });
    return z.NEVER;
  });

/**
 * An address of the web without query, fragment and sign-in. Takes what is kept of it, null for one that does not fit,
 * and what to say then.
 */
export const webAddress = (kept: (url: URL) => string | null, message: string) =>
  z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isPlain =
      url !== null &&
      (url.protocol === 'http:' || url.protocol === 'https:') &&
      [url.search, url.hash, url.username, url.password].every((part) => part === '');
    const found = isPlain ? kept(url) : null;
    if (found !== null) return found;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

/** A secret or token that is shared with another program. */
export const sharedSecret = z.string().min(16, 'has to be 16 characters or longer');

/** Whether a host name or address means this machine alone. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return (
    bare === 'localhost' ||
    bare === '::1' ||
    /^127(?:\.\d{1,3}){3}$/.test(bare) ||
    /^::ffff:127(?:\.\d{1,3}){3}$/.test(bare)
  );
}
