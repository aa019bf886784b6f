/** Addresses of pages that have a name in `contract/src/pages.ts` are spelled only there. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryFiles } from './files.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** @param {string} file */
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const CODE = /^(?:(?:contract|server|web)\/src|web\/(?:build|public))\/.*\.(?:js|tsx?)$/;

test('a page that has a name is never written out', () => {
  const named = [...read('contract/src/pages.ts').matchAll(/^export const \w+ = '(\/[\w/-]+)';$/gm)].map(
    ([, address = '']) => address,
  );
  expect(named).toContain('/user/login');
  // Whole addresses: in quotes, at the end of a template's value, or before a query or a fragment.
  const writtenOut = new RegExp(`['"\`}](?:${named.join('|')})['"\`?#]`);
  const files = repositoryFiles().filter(
    (file) => CODE.test(file) && !/\.(?:test|testing|fixture)\.tsx?$/.test(file) && file !== 'contract/src/pages.ts',
  );
  expect(files.length).toBeGreaterThan(500);
  const violations = files.flatMap((file) =>
    read(file)
      .split('\n')
      .flatMap((line, index) =>
        /^\s*(?:\*|\/[/*])/.test(line) || !writtenOut.test(line) ? [] : [`${file}:${index + 1}: ${line.trim()}`],
      ),
  );
  expect(violations).toEqual([]);
});
