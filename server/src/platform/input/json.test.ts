/** How deep JSON may be nested. */
import { expect, test } from 'vitest';
import { isNestedTooDeeply, JSON_DEPTH_MAX, parseJson } from './json.ts';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test('the maximum depth passes, one more does not', () => {
  expect(isNestedTooDeeply(nested(JSON_DEPTH_MAX))).toBe(false);
  expect(isNestedTooDeeply(nested(JSON_DEPTH_MAX + 1))).toBe(true);
  expect(isNestedTooDeeply('{"a":'.repeat(JSON_DEPTH_MAX + 1))).toBe(true);
});

test('many siblings are not deep', () => {
  expect(isNestedTooDeeply(`[${'[],'.repeat(1000)}{}]`)).toBe(false);
});

test('brackets in strings do not count, also after an escaped quote', () => {
  expect(isNestedTooDeeply(JSON.stringify({ a: `"\\${'['.repeat(100)}` }))).toBe(false);
  expect(isNestedTooDeeply(`["\\"",${nested(JSON_DEPTH_MAX)}]`)).toBe(true);
});

test('JSON from outside is parsed up to that depth', () => {
  expect(parseJson('{"a":[1]}')).toEqual({ a: [1] });
  expect(() => parseJson(nested(JSON_DEPTH_MAX + 1))).toThrow(SyntaxError);
  expect(() => parseJson('{')).toThrow(SyntaxError);
});
