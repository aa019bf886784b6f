/** `docs/coverage.md` says where everything lives. What it says exists, and it leaves out no call. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
/** @param {string} file */
const read = (file) => readFileSync(path.join(root, file), 'utf8');

const NOT_BUILT = 'not built yet';
const NO_TEST = 'no test';
const page = read('docs/coverage.md');
/** The cells of each row of the tables, without the headers. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:section|call) \|/.test(line))
  .map((line) =>
    line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim()),
  );
/** Five cells: section, what, where, test, rule. */
const parts = rows.filter((cells) => cells.length === 5);
/** Four cells: call, contract, server, test. */
const calls = rows.filter((cells) => cells.length === 4);
/** @param {string | undefined} cell */
const filesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
const isTest = /\.(?:test|spec)\.(?:tsx?|mjs)$/;

test('the tables were read', () => {
  expect(parts.length + calls.length).toBe(rows.length);
  expect(parts.length).toBeGreaterThan(130);
  expect(calls.length).toBeGreaterThan(100);
});

test('every file named in it exists', () => {
  const named = [
    ...parts.flatMap(([, , where, held]) => [...filesIn(where), ...filesIn(held)]),
    ...calls.flatMap(([, ...cells]) => cells.flatMap(filesIn)),
  ];
  expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

test('each part names its files and its tests, or says that it has none', () => {
  const incomplete = parts.filter(([, , where, held]) => {
    if (where === NOT_BUILT) return held !== '';
    const tests = filesIn(held);
    return (
      filesIn(where).length === 0 || (held !== NO_TEST && (tests.length === 0 || !tests.every((f) => isTest.test(f))))
    );
  });
  expect(incomplete).toEqual([]);
  const without = calls.filter(
    ([, contract, server, held]) =>
      contract !== NOT_BUILT &&
      (![contract, server, held].every((cell) => filesIn(cell).length > 0) ||
        !filesIn(held).every((file) => isTest.test(file))),
  );
  expect(without).toEqual([]);
});

test('the number of parts without a test is right', () => {
  const [, told] = /says \*no test\*: (\d+) of the rows/.exec(page) ?? [];
  expect(Number(told)).toBe(parts.filter(([, , , held]) => held === NO_TEST).length);
});

test('every rule cited in it is in docs/product.md', () => {
  const rules = new Set([...read('docs/product.md').matchAll(/^- \*\*(\d+\.\d+)\*\*/gm)].map(([, rule]) => rule));
  const cited = parts.flatMap(([, , , , rule = '']) => rule.split(',').map((each) => each.trim())).filter(Boolean);
  expect(cited.length).toBeGreaterThan(100);
  expect(cited.filter((rule) => !rules.has(rule))).toEqual([]);
});

test('its calls are the same as in docs/calls.tsv', () => {
  const told = calls.filter(([, contract]) => contract !== NOT_BUILT).flatMap(([call]) => filesIn(call));
  const table = read('docs/calls.tsv')
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split('\t').slice(0, 2).join(' '));
  expect(told.toSorted()).toEqual(table.toSorted());
});
