import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** @type {string} */
let tree;
beforeAll(async () => {
  tree = await mkdtemp(path.join(tmpdir(), 'fieldroom-regexes-'));
  for (const folder of ['contract/src', 'server/src', 'web/src'])
    await mkdir(path.join(tree, folder), { recursive: true });
});
afterAll(() => rm(tree, { recursive: true, force: true }));

/** @param {string} source */
async function check(source) {
  await writeFile(path.join(tree, 'contract/src/text.ts'), source);
  const { status, stdout } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'regexes.mjs'), tree], {
    encoding: 'utf8',
  });
  return { status, stdout };
}

test.each([
  ['blanks at the ends of lines', 'export const tidy = (text: string) => text.replace(/[^\\S\\n]+$/gmu, "");'],
  ['nested repetition', 'export const isWord = (text: string) => /^(?:\\w+\\s?)+$/.test(text);'],
  [
    'an expression of the running program',
    'export const has = (text: string, word: string) => new RegExp(word).test(text);',
  ],
])('%s is refused', async (_, source) => {
  const { status, stdout } = await check(source);
  expect(stdout).toContain('contract/src/text.ts');
  expect(status).toBe(1);
});

test('a linear expression passes', async () => {
  const { status, stdout } = await check('export const isId = (text: string) => /^[1-9]\\d{0,15}$/.test(text);');
  expect(stdout).toContain('1 regular expressions, 0 violations');
  expect(status).toBe(0);
});

test('a tree without expressions does not pass for a checked one', async () => {
  expect((await check('export const nothing = 1;')).status).toBe(1);
});
