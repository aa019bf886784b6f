/** Which folders count as too full. */
import { expect, test } from 'vitest';
import { LIMIT, tooFull } from './folders.mjs';

/**
 * @param {string} folder
 * @param {number} count
 */
const files = (folder, count) => Array.from({ length: count }, (_, index) => `${folder}/part${index}.ts`);

test('a folder over the limit is named, with advice', () => {
  expect(tooFull([...files('web/src/a', LIMIT), ...files('web/src/b', LIMIT + 1)], {})).toEqual([
    'web/src/b holds 17 things, more than 16: group them in folders by what a person would look for.',
  ]);
});

test('a component with its style and its test counts once, and subfolders do not count', () => {
  const component = ['Menu.tsx', 'Menu.module.css', 'Menu.test.tsx', 'below/Other.tsx'].map(
    (name) => `web/src/a/${name}`,
  );
  expect(tooFull([...files('web/src/a', LIMIT - 1), ...component], {})).toEqual([]);
  expect(tooFull([...files('web/src/a', LIMIT), ...component], {})).toHaveLength(1);
});

test('tests without a part of the same name count', () => {
  const tests = ['a.races.test.ts', 'a.crash.test.ts', 'a.ts'].map((name) => `server/src/a/${name}`);
  expect(tooFull([...files('server/src/a', LIMIT - 2), ...tests], {})).toHaveLength(1);
});

test('each file whose name begins with a dot counts', () => {
  const hidden = ['.gitignore', '.npmrc', '.testrc.json'].map((name) => `web/${name}`);
  expect(tooFull([...files('web', LIMIT - 3), ...hidden], {})).toEqual([]);
  expect(tooFull([...files('web', LIMIT - 2), ...hidden], {})).toHaveLength(1);
});

test('files of the contract that belong to a feature do not count', () => {
  const features = files('contract/src', LIMIT + 1);
  expect(tooFull(features, {})).toHaveLength(1);
  expect(tooFull([...features, 'server/src/features/part0/index.ts'], {})).toEqual([]);
});

test('a sequence may be long; an exception that is no longer needed is named', () => {
  const exceptions = { 'docs/decisions': 'numbered', 'web/src': 'not grouped yet' };
  expect(tooFull([...files('docs/decisions', 40), ...files('web/src', 3)], exceptions)).toEqual([
    'web/src holds 3 things: remove it from EXCEPTIONS in tools/folders.mjs.',
  ]);
});
