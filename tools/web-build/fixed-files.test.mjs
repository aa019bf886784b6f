/** The modules named in `web/build/chunks/fixedFiles.ts` exist and are used. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  CONTROL_ICONS,
  fixedFiles,
  LIGHT,
  LIGHT_CONTRACT,
  LIGHT_ICONS,
  ROOM_ICONS,
  SCHEME_ICONS,
} from '../../web/build/chunks/fixedFiles.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('every named module exists', () => {
  const named = [...LIGHT, ...LIGHT_CONTRACT.map((name) => `/contract/src/${name}.ts`)];
  expect(named.filter((module) => !existsSync(path.join(root, module)))).toEqual([]);
});

test('every named icon is drawn, and is in one list', () => {
  const icons = [...LIGHT_ICONS, ...ROOM_ICONS, ...CONTROL_ICONS, ...SCHEME_ICONS];
  expect(icons).toEqual([...new Set(icons)]);
  const pages = globSync('web/src/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');
  expect(icons.filter((icon) => !new RegExp(`\\bIcon${icon}\\b`).test(pages))).toEqual([]);
});

test('a module is in the first file that lists it', () => {
  const icon = (/** @type {string} */ name) => `/x/node_modules/@tabler/icons-react/dist/esm/icons/Icon${name}.mjs`;
  const fileOf = (/** @type {string} */ id) =>
    fixedFiles
      .toSorted((a, b) => b.priority - a.priority)
      .find(({ test: holds }) => (holds instanceof RegExp ? holds.test(id) : holds(id)))?.name;
  expect(fileOf('/x/web/src/light/lightWords.ts')).toBe('light');
  // Without what needs zod.
  expect(fileOf('/x/contract/src/clients.ts?rest')).toBe('light');
  expect(fileOf('/x/contract/src/clients.ts?schemas')).toBeUndefined();
  expect(fileOf('/x/web/src/light/SchemeSwitch.tsx')).toBe('scheme');
  expect(fileOf('/x/node_modules/@tabler/icons-react/dist/esm/createReactComponent.mjs')).toBe('light');
  expect(['Mail', 'Moon', 'Video', 'Dots', 'Home'].map(icon).map(fileOf)).toEqual([
    'light',
    'scheme',
    'controlIcons',
    'roomIcons',
    undefined,
  ]);
});
