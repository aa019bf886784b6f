import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** @type {string} */
let tree;
beforeAll(async () => {
  tree = await mkdtemp(path.join(tmpdir(), 'fieldroom-regexes-'));
  execFileSync('git', ['init', '--quiet'], { cwd: tree });
  for (const folder of ['contract/src', 'server/src', 'web/src'])
    await mkdir(path.join(tree, folder), { recursive: true });
});
afterAll(() => rm(tree, { recursive: true, force: true }));

/** @param {Record<string, string>} sources source text by file name */
async function check(sources) {
  const folder = path.join(tree, 'contract/src');
  await rm(folder, { recursive: true });
  await mkdir(folder);
  for (const [name, source] of Object.entries(sources)) await writeFile(path.join(folder, name), source);
  const { status, stdout } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'regexes.mjs'), tree], {
    encoding: 'utf8',
  });
  return { status, stdout };
}

// One run for all, because each run starts the analyser.
test('each expression that may take long is reported with its position', async () => {
  const refused = {
    'blanks.ts': 'export const tidy = (text: string) => text.replace(/[^\\S\\n]+$/gmu, "");',
    // An attack of 134 kB takes one second with this one, so it would pass if attacks were tried.
    'tags.ts': 'export const tags = (html: string) => html.match(/<(?:script|link)\\s[^>]*>/g);',
    // One with a lookahead is only tried, because no theory covers it.
    'ahead.ts': 'export const isTwice = (text: string) => /^(?=.*foo).*a.*a$/.test(text);',
    'program.ts': 'export const has = (text: string, word: string) => new RegExp(word).test(text);',
  };
  const { status, stdout } = await check({
    ...refused,
    'linear.ts': 'export const isNumber = (text: string) => /^[1-9]\\d{0,15}$/.test(text);',
    'linear-ahead.ts':
      'export const isName = (text: string) => /^(?!.*\\.\\.)[a-z.]*[a-z]@(?:[a-z]+\\.)+[a-z]{2,}$/.test(text);',
  });
  for (const name of Object.keys(refused)) expect(stdout).toContain(`contract/src/${name}`);
  expect(stdout).not.toMatch(/linear(?:-ahead)?\.ts/);
  expect(status).toBe(1);
});

test('a linear expression passes', async () => {
  const { status, stdout } = await check({
    'text.ts': 'export const isId = (text: string) => /^[1-9]\\d{0,15}$/.test(text);',
  });
  expect(stdout).toContain('1 regular expressions, 0 violations');
  expect(status).toBe(0);
});

test('a tree without expressions does not count as checked', async () => {
  expect((await check({ 'text.ts': 'export const nothing = 1;' })).status).toBe(1);
});
