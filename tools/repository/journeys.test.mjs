/**
 * Texts that journeys look for exist. A text that was reworded makes a journey wait until its timeout, and an assertion
 * that it is absent always passes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';
import { expect, test } from 'vitest';
import { repositoryFiles } from './files.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const FOLDERS = ['e2e/journeys', 'e2e/pictures', 'e2e/browsers', 'e2e/firefox', 'e2e/webkit', 'e2e/upgrade'];
/** These start programs and do not look for texts. */
const WITHOUT_TEXTS = ['turn.ts', 'driver.ts', 'versions.ts'];
const LOCALES = ['en', 'de', 'hu', 'ro'].map((language) => `web/src/locales/${language}`);
/** This one contains the page `/dev`, which is for developers and not in the locales. */
const DEMO_FOLDER = 'server/src/demo';
/** Names in the demo practice. */
const DEMO = ['anna', 'olga', 'mother', 'father', 'sister'];

/** Functions that take texts of the pages, as strings or as `name`, `hasText` and `text` of an object. */
const FIND = new Set([
  ...['getByText', 'getByLabel', 'getByRole', 'getByPlaceholder', 'filter', 'toHaveAccessibleName'],
  ...['join', 'accept', 'button', 'tile', 'setSwitch', 'flipSwitch', 'waitFor', 'waitUntilGone', 'click'],
]);
/** Functions that take values that a journey makes up: names of people, figures and events, and addresses. */
const MAKE_UP = new Set([
  ...['fill', 'knockByLink', 'knockByCode', 'addFigure', 'figure', 'eventMenu', 'letIn', 'admit', 'add'],
  ...['openVideoRoom', 'writeEvent', 'publishEvent', 'setInputFiles', 'firstName', 'familyName', 'dragBy', 'goto'],
]);

/** @param {string} text */
const wordsOf = (text) =>
  text
    .replace(/\{\{.*?\}\}|<\/?\d+>/g, ' ')
    .toLowerCase()
    .replaceAll(/’s\b/g, '')
    // The quotes of a literal in the demo's code are not part of its words.
    .match(/\p{L}[\p{L}’']*\p{L}/gu) ?? [];

/**
 * The words of each part of a literal; none for any other expression. A colon joins two texts, and `|` separates the
 * alternatives of a regular expression.
 * @param {any} node
 * @returns {string[][]}
 */
function literalWords(node) {
  switch (node?.type) {
    case 'StringLiteral':
      return node.value.split(':').map(wordsOf);
    case 'TemplateLiteral':
      return node.quasis
        .map((/** @type {{ cooked: string }} */ part) => part.cooked)
        .join(' ')
        .split(':')
        .map(wordsOf);
    case 'RegExpLiteral':
      return node.pattern
        .replaceAll(String.raw`\/`, '/')
        .replaceAll(/\\[a-zA-Z]|\[[^\]]*\]|\(\?:/g, ' ')
        .split(/[|:]/)
        .map(wordsOf);
    case 'NewExpression':
      return literalWords(node.arguments[0]?.expression);
    default:
      return [];
  }
}

/**
 * Calls back with every call below a node, and with the properties of objects as if they were calls.
 * @param {unknown} node
 * @param {(name: string, args: any[]) => void} onCall
 */
function eachCall(node, onCall) {
  if (Array.isArray(node)) for (const one of node) eachCall(one, onCall);
  else if (node !== null && typeof node === 'object') {
    const { type, callee, arguments: args, key, value } = /** @type {Record<string, any>} */ (node);
    if (type === 'CallExpression')
      onCall(
        callee.property?.value ?? callee.value,
        args.map((/** @type {{ expression: unknown }} */ argument) => argument.expression),
      );
    if (type === 'KeyValueProperty') onCall(key.value, [value]);
    for (const below of Object.values(node)) eachCall(below, onCall);
  }
}

/**
 * Literals in arguments: the arguments themselves, and properties of objects and elements of arrays among them.
 * @param {any[]} nodes
 * @param {(property: string) => boolean} wanted
 * @returns {string[][]}
 */
function literalsIn(nodes, wanted) {
  return nodes.flatMap((node) => {
    if (node?.type === 'ArrayExpression')
      return literalsIn(
        node.elements.map((/** @type {{ expression: unknown }} */ element) => element.expression),
        wanted,
      );
    if (node?.type !== 'ObjectExpression') return literalWords(node);
    return node.properties.flatMap((/** @type {any} */ { key, value }) =>
      wanted(key?.value) ? literalsIn([value], wanted) : [],
    );
  });
}

/** @param {unknown} value @returns {string[]} */
const textsIn = (value) => (typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(textsIn));

test('every text that a journey looks for exists', () => {
  const texts = LOCALES.flatMap((locale) => readdirSync(path.join(root, locale)).map((file) => path.join(locale, file)))
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => textsIn(JSON.parse(readFileSync(path.join(root, file), 'utf8'))))
    .map(wordsOf);
  for (const file of readdirSync(path.join(root, DEMO_FOLDER)).filter((name) => !name.includes('.test.')))
    texts.push(
      ...readFileSync(path.join(root, DEMO_FOLDER, file), 'utf8')
        .split('\n')
        .map(wordsOf),
    );
  /** @type {string[]} */
  const missing = [];
  let looked = 0;
  const journeys = repositoryFiles().filter(
    (file) => FOLDERS.some((folder) => file.startsWith(`${folder}/`)) && file.endsWith('.ts'),
  );
  for (const file of journeys.filter((name) => !WITHOUT_TEXTS.includes(path.basename(name)))) {
    const parsed = parseSync(readFileSync(path.join(root, file), 'utf8'), {
      syntax: 'typescript',
      target: 'esnext',
    });
    const madeUp = new Set(DEMO);
    /** @type {string[][]} */
    const found = [];
    eachCall(parsed, (name, args) => {
      if (MAKE_UP.has(name)) for (const word of literalsIn(args, () => true).flat()) madeUp.add(word);
      if (FIND.has(name))
        // The first argument of `getByRole` is the role.
        found.push(
          ...literalsIn(name === 'getByRole' ? args.slice(1) : args, (property) =>
            ['name', 'hasText', 'text'].includes(property),
          ),
        );
    });
    for (const words of found) {
      const wanted = words.filter((word) => !madeUp.has(word));
      looked += wanted.length > 0 ? 1 : 0;
      if (!texts.some((text) => isWithin(wanted, text))) missing.push(`${file}: ${words.join(' ')}`);
    }
  }
  expect(looked).toBeGreaterThan(300);
  expect([...new Set(missing)]).toEqual([]);
});

/**
 * Whether a text contains words in their order, perhaps with others between them.
 * @param {readonly string[]} words
 * @param {readonly string[]} text
 */
function isWithin(words, text) {
  let next = 0;
  for (const word of text) if (word === words[next]) next += 1;
  return next === words.length;
}
