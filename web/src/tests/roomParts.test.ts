/**
 * What style sheets of several features and the components say about the room twice: the names of its parts
 * (`data-room`), by which the sheets lay them out, and the width from which its top bar has place for words. A name
 * that no component has any more would take its styles away without a word.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROOMY_SCREEN } from '../ui/useMediaQuery.ts';

const SOURCES = path.dirname(import.meta.dirname);
const read = (pattern: string) =>
  globSync(pattern, { cwd: SOURCES, exclude: (name) => /\.test\./.test(name) })
    .map((file) => readFileSync(path.join(SOURCES, file), 'utf8'))
    .join('\n');

test('style sheets name parts of the room that are there', () => {
  const named = new Set([...read('**/*.css').matchAll(/\[data-room='(\w+)'\]/g)].map(([, name]) => name));
  const there = new Set([...read('**/*.tsx').matchAll(/\bdata-room="(\w+)"/g)].map(([, name]) => name));
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((name) => !there.has(name))).toEqual([]);
});

test('all style sheets of the room end the narrow bar one px below the width of the components', () => {
  const [, width] = /^\(min-width: (\d+)px\)$/.exec(ROOMY_SCREEN) ?? [];
  const widths = globSync('features/{room,video}/**/*.css', { cwd: SOURCES }).flatMap((sheet) =>
    [...read(sheet).matchAll(/\(max-width: (1299|1300)px\)/g)].map(([, narrow]) => ({ sheet, width: Number(narrow) })),
  );
  expect(widths.length).toBeGreaterThanOrEqual(2);
  expect(widths).toEqual(widths.map(({ sheet }) => ({ sheet, width: Number(width) - 1 })));
});
