/**
 * Each table is written only by its own feature, except by the two named in
 * docs/decisions/0025-tables-have-one-writer.md.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryFiles } from './files.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const FEATURES = 'server/src/features/';
const files = repositoryFiles().filter((file) => file.startsWith(FEATURES));
/** @param {string} file */
const read = (file) => readFileSync(path.join(root, file), 'utf8');
/** @param {string} file */
const featureOf = (file) => file.slice(FEATURES.length).split('/')[0] ?? '';

/** Features that write to tables of others, with the owners of those tables. */
const ALSO_WRITES = {
  profile: ['accounts', 'field'],
  retention: ['bookings', 'clients', 'moments', 'sessions'],
};

/**
 * The feature of each table, by its name in SQL and by its name in code.
 * @type {Map<string, string>}
 */
const owners = new Map(
  files
    .filter((file) => file.endsWith('.tables.ts'))
    .flatMap((file) =>
      [...read(file).matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g)].flatMap(([, code = '', table = '']) => [
        /** @type {const} */ ([`code ${code}`, featureOf(file)]),
        /** @type {const} */ ([`table ${table}`, featureOf(file)]),
      ]),
    ),
);

/**
 * The keys of `owners` that a text of a store writes to.
 * @param {string} text
 */
const written = (text) => [
  ...[...text.matchAll(/\.(?:insert|update|delete)\((\w+)\)/g)].map(
    ([, code]) => /** @type {const} */ (`code ${code}`),
  ),
  ...[...text.matchAll(/(?:INSERT INTO|(?<!FOR )UPDATE|DELETE FROM)\s+(?:\$\{(\w+)\}|(\w+))/g)].map(([, code, table]) =>
    code === undefined ? `table ${table}` : `code ${code}`,
  ),
];

test('the tables of a feature are written only by that feature', () => {
  expect(owners.size).toBeGreaterThan(80);
  /** @type {Record<string, Set<string>>} */
  const others = {};
  for (const file of files.filter((name) => /\.(?:store\.ts|sql)$/.test(name)))
    for (const key of written(read(file))) {
      const owner = owners.get(key);
      if (owner !== undefined && owner !== featureOf(file)) (others[featureOf(file)] ??= new Set()).add(owner);
    }
  expect(Object.fromEntries(Object.entries(others).map(([feature, of]) => [feature, [...of].toSorted()]))).toEqual(
    ALSO_WRITES,
  );
});
