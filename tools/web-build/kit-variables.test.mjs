/** The variables of the UI kit that are left out of the style sheet are those that nothing refers to. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LEFT_OUT, withoutPalettes } from '../../web/build/styles/kitVariables.ts';
import { repositoryFiles } from '../repository/files.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** @param {string} file */
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const ours = repositoryFiles()
  .filter((file) => /^web\/src\/.*\.(?:tsx?|css)$/.test(file))
  .map(read);
const kit = '@mantine/core/styles/';
/** @param {string} name */
const ofKit = (name) => readFileSync(createRequire(import.meta.url).resolve(kit + name), 'utf8');
const VARIABLES = 'default-css-variables.layer.css';
const imported = ours.flatMap((text) =>
  [...text.matchAll(/'@mantine\/core\/styles\/([\w.-]+)'/g)].map(([, name = '']) => name),
);

test('no style and no component uses a colour that is left out', () => {
  const palette = `(?:${LEFT_OUT.join('|')})`;
  const styles = [withoutPalettes(ofKit(VARIABLES)), ...imported.map(ofKit), ...ours];
  expect(imported.length).toBeGreaterThan(20);
  for (const text of styles) {
    expect(text).not.toMatch(new RegExp(`--mantine-color-${palette}-`));
    expect(text).not.toMatch(new RegExp(`\\b(?:color|c|bg)=(?:\\{?['"])${palette}\\b`));
  }
});

test('all other variables stay', () => {
  const before = ofKit(VARIABLES);
  const now = withoutPalettes(before);
  const names = (/** @type {string} */ css) =>
    new Set([...css.matchAll(/^\s*(--[\w-]+):/gm)].map(([, name = '']) => name));
  const left = names(now);
  const gone = [...names(before)].filter((name) => !left.has(name));
  expect(gone.length).toBeGreaterThan(100);
  expect(gone.filter((name) => !LEFT_OUT.some((palette) => name.startsWith(`--mantine-color-${palette}-`)))).toEqual(
    [],
  );
  expect(now.split('{').length).toBe(before.split('{').length);
});
