/**
 * Every exported function, component, hook and class has a docstring directly above it that says what it is in words.
 * Tags alone, such as `@returns`, are not enough.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryFiles } from './files.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const FOLDERS = ['contract/src', 'server/src', 'server/tests', 'web/src', 'web/build', 'e2e', 'bench', 'tools'];
const SOURCE = /\.(?:tsx?|mjs)$/;
const TEST = /\.(?:test|spec)\.(?:tsx?|mjs)$|\.d\.ts$/;

/** An export with a value. The formatter puts each at the start of a line, so this needs no parser. */
const EXPORT =
  /^export (?:default )?(?:(?:async )?function\*? ?(?<fn>[\w$]*)|(?:abstract )?class (?<cls>[\w$]+)|const (?<value>[\w$]+))/gm;
/** Functions that return a function made from their argument, or fetch one. */
const MAKER = /^(?:memo|lazy|lazyPart)\(/;
const FUNCTION = /^(?:async\s+)?(?:function\b|[\w$]+\s*=>)/;
const PARAMETERS = /^(?:async\s*)?(?:<[^()]*>\s*)?(?=\()/;
const CLOSING = { '(': ')', '[': ']', '{': '}' };

/**
 * Returns where a bracket closes. Takes the text and the position of the opening bracket. A string counts as one
 * character, so that a bracket inside one closes nothing.
 * @param {string} text
 * @param {number} at
 */
function closing(text, at) {
  /** @type {string[]} */
  const open = [];
  for (let place = at; place < text.length; place += 1) {
    const sign = text[place] ?? '';
    if (sign in CLOSING) open.push(CLOSING[/** @type {keyof typeof CLOSING} */ (sign)]);
    else if (sign === open.at(-1)) {
      open.pop();
      if (open.length === 0) return place;
    } else if (sign === "'" || sign === '"' || sign === '`')
      do place += text[place] === '\\' ? 2 : 1;
      while (place < text.length && text[place] !== sign);
  }
  return text.length;
}

/**
 * Whether the rest of `export const name` makes the constant a function.
 * @param {string} rest from after the name on
 */
function isFunction(rest) {
  let place = 0;
  // Skip the type, which may contain arrows and brackets, up to the assignment sign.
  while (place < rest.length && !(rest[place] === '=' && rest[place + 1] !== '>'))
    place = (rest[place] ?? '') in CLOSING ? closing(rest, place) + 1 : place + 1;
  const value = rest.slice(place + 1).trimStart();
  if (MAKER.test(value) || FUNCTION.test(value)) return true;
  const parameters = PARAMETERS.exec(value)?.[0];
  // Brackets around a value are followed by neither an arrow nor a type.
  return parameters !== undefined && /^\s*(?:=>|:)/.test(value.slice(closing(value, parameters.length) + 1));
}

/**
 * Whether a text ends with a docstring that has a word before its first tag. Remarks for the linter may follow it.
 * @param {string} text
 */
function endsWithDocstring(text) {
  let end = text.trimEnd();
  for (let line; (line = end.slice(end.lastIndexOf('\n') + 1)).trimStart().startsWith('//');)
    end = end.slice(0, -line.length).trimEnd();
  const docstring = end.slice(end.lastIndexOf('/*'));
  return docstring.endsWith('*/') && /^\/\*\*[\s*]*[^\s*@/]/.test(docstring);
}

/**
 * The exported functions and classes without a docstring, as `name:line`. Overloads share the one of the first.
 * @param {string} source
 */
function undocumented(source) {
  /** @type {Set<string>} */
  const seen = new Set();
  return [...source.matchAll(EXPORT)].flatMap(({ 0: start, index, groups = {} }) => {
    const name = groups.fn ?? groups.cls ?? groups.value ?? '';
    if (groups.value !== undefined && !isFunction(source.slice(index + start.length))) return [];
    const above = source.slice(0, index);
    if (seen.has(name)) return [];
    seen.add(name);
    return endsWithDocstring(above) ? [] : [`${name || 'default'}:${above.split('\n').length}`];
  });
}

test('every exported function and class has a docstring', () => {
  const files = repositoryFiles().filter(
    (file) => FOLDERS.some((folder) => file.startsWith(`${folder}/`)) && SOURCE.test(file) && !TEST.test(file),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(
    files.flatMap((file) =>
      undocumented(readFileSync(path.join(root, file), 'utf8')).map((name) => `${file}: ${name}`),
    ),
  ).toEqual([]);
});

test.each([
  ['export function half(n: number) {}'],
  ['export default function Page() {}'],
  ['export async function load(): Promise<void> {}'],
  ['export class Pool extends Other {}'],
  ['export const half = (n: number): number => n / 2;'],
  ['export const half = async (n = ")") => n;'],
  ['export const half: (n: number) => number = (n) => n / 2;'],
  ['export const keep = <T extends object>(one: T) => one;'],
  ['export const Row = memo(function Row() {});'],
  ['export const name = value => value;'],
  ['/* No docstring. */\nexport const half = (n: number) => n / 2;'],
  ['/** */\nexport const half = (n: number) => n / 2;'],
  ['/** @param {number} n */\nexport const half = (n) => n / 2;'],
  ['/**\n * @returns half of it\n */\nexport function half(n: number) {}'],
  ['/** Of the type. */\ninterface Half {}\n\nexport function half(n: Half) {}'],
])('%s is reported', (source) => expect(undocumented(source)).toHaveLength(1));

test.each([
  ['/** Half of it. */\nexport function half(n: number) {}'],
  ['/**\n * `half` of it.\n * @throws never\n */\nexport function half(n: number) {}'],
  ['/**\n * Half of it.\n */\n// eslint-disable-next-line some-rule\nexport const half = (n: number) => n / 2;'],
  ['/** Half of it. */\nexport function half(n: number): number;\nexport function half(n: string): string;'],
  ['export const LIMIT = (2 + 3) * 4;'],
  ['export const table: Record<string, () => void> = {};'],
  ['export const call = endpoint({ path: "/" });'],
  ['export type Half = (n: number) => number;'],
])('%s passes', (source) => expect(undocumented(source)).toEqual([]));
