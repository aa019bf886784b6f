/** JSON from outside: text that is nested absurdly deep is refused before anything parses it. */

/** Deeper than any body of the product: none goes beyond eight. */
export const JSON_DEPTH_MAX = 32;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Whether arrays and objects nest deeper than the maximum. Parsing 30,000 levels costs milliseconds of the main thread
 * and a deep recursion in everything that walks the result; this stops at the first bracket too many.
 * @param text JSON, not necessarily well formed
 */
export function isNestedTooDeeply(text: string, max = JSON_DEPTH_MAX): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === BACKSLASH) i += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > max) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

/**
 * Parses JSON that came from outside.
 * @throws SyntaxError if it is not JSON, or nests deeper than `JSON_DEPTH_MAX`
 */
export function parseJson(text: string): unknown {
  if (isNestedTooDeeply(text)) throw new SyntaxError('JSON nested too deeply');
  return JSON.parse(text) as unknown;
}
