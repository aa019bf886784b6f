import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** An empty work tree of Git, outside this one. */
async function newTree() {
  const folder = await mkdtemp(path.join(tmpdir(), 'fieldroom-columns-'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  return folder;
}

/** @type {string} */
let tree;
beforeAll(async () => {
  tree = await newTree();
});
afterAll(() => rm(tree, { recursive: true, force: true }));

const words = (/** @type {number} */ count) => Array.from({ length: count }, () => 'words').join(' ');
const LONG = words(30);

/** Lines that must not be longer than 120 columns, by file. */
const REFUSED = {
  'comment.ts': `/** ${LONG} */\nexport const a = 1;\n`,
  'block.ts': `/**\n * ${LONG}\n */\nexport const a = 'a';\n`,
  'behind.ts': `export const a = 'text'; // ${LONG}\n`,
  'ends-in-string.ts': `// it's ${LONG} 'quoted at its end, which is no string'\nexport const a = 1;\n`,
  'part.tsx': `export const A = () => (\n  <p>\n    {/* ${LONG} */}\n    text\n  </p>\n);\n`,
  'style.css': `/* it's ${LONG} */\n.a {\n  color: red;\n}\n`,
  'selector.css': `${Array.from({ length: 30 }, () => '.part').join(' ')} {\n  color: red;\n}\n`,
  'function.sql': `SELECT ${Array.from({ length: 30 }, (_, at) => `column${at}`).join(', ')};\n`,
  'comment.sql': `-- it's ${LONG}\nSELECT 1;\n`,
  'block.sql': `/* it's ${LONG}, isn't it? */\nSELECT 1;\n`,
  'letters.ts': `// ${'🙂'.repeat(118)}\nexport const a = 1;\n`,
  'migrations/0003.sql': `/* ${LONG} */\nSELECT 1;\n`,
  'migrations/0001.sql': `-- ${LONG}\nSELECT 1;\n`,
};
/** Lines that cannot be broken, and generated ones. */
const ALLOWED = {
  'string.ts': `export const a = '${LONG}';\n`,
  'call.ts': `export const a = call('${words(18)}', async ({ visit, server, more }) => {\n  visit(server, more);\n});\n`,
  'template.ts': `export const a = \`\n${LONG} // ${LONG}\n\`;\n`,
  'wide.ts': `// ä\nexport const a = 'ä${LONG}';\n`,
  'regex.ts': `export const a = /${LONG}/;\n`,
  'address.ts': `// https://example.org/${'a'.repeat(120)}\nexport const a = 1;\n`,
  'text.tsx': `export const A = () => <p title="${LONG}">text</p>;\n`,
  'image.css': `.a {\n  mask: url('${'a'.repeat(120)}');\n}\n`,
  'text.sql': `-- it's short\nSELECT '${LONG}';\n`,
  'name.sql': `SELECT 1 AS "${LONG}";\n`,
  'fitting-letters.ts': `// ${'🙂'.repeat(117)}\nexport const a = 1;\n`,
  'migrations/0004.sql': `CREATE TABLE "a -- b" (${LONG});\n`,
  'migrations/0002.sql': `CREATE TABLE "a" (${LONG});\n`,
  'data.json': `{ "a": "${LONG}" }\n`,
  'prose.md': `${LONG}\n`,
  'dist/made.mjs': `// ${LONG}\n`,
};

test('a long line is reported with its position, unless a text on it cannot be broken', async () => {
  await writeFile(path.join(tree, '.gitignore'), 'dist/\n');
  for (const [file, source] of Object.entries({ ...REFUSED, ...ALLOWED })) {
    await mkdir(path.dirname(path.join(tree, file)), { recursive: true });
    await writeFile(path.join(tree, file), source);
  }
  const { status, stdout } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'columns.mjs'), tree], {
    encoding: 'utf8',
  });
  const refused = [...stdout.matchAll(/^(\S+):\d+: \d+ columns$/gm)].map(([, file]) => file);
  expect(new Set(refused)).toEqual(new Set(Object.keys(REFUSED)));
  expect(stdout).toMatch(/^block\.ts:2: \d+ columns$/m);
  expect(stdout).toMatch(/^letters\.ts:1: 121 columns$/m);
  expect(status).toBe(1);
});

test('a tree without code does not count as checked', async () => {
  const empty = await newTree();
  const { status, stdout } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'columns.mjs'), empty], {
    encoding: 'utf8',
  });
  await rm(empty, { recursive: true });
  expect(stdout).toContain('No file was found');
  expect(status).toBe(1);
});
