/**
 * Checks that every regular expression of the product takes linear time, because with a slower one a single request can
 * block the server for everybody. Prints each slow expression; exits with 1 if there is any.
 *
 * The analysis of one expression can take seconds, so `node_modules/.cache` keeps the verdicts. `regexes.mjs FOLDER`
 * checks another work tree of Git instead of this one.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { repositoryFiles } from './repository/files.mjs';

await bootstrap(import.meta.url);

// Imported only here, because `bootstrap` installs the packages.
const { parse } = await import('@swc/core');
const { check } = await import('recheck');

const tree = process.argv[2] ?? root;
const FOLDERS = ['contract/src', 'server/src', 'web/src'];
/**
 * The analyser counts steps instead of measuring time, and does not try its attacks: on a busy machine it would mistake
 * a slow search for an expression that is not linear. An attack of 300,000 characters takes a linear one a few million
 * steps. The time limit only ends what hangs.
 */
const BY_STEPS = {
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  attackLimit: 50_000_000,
  recallTimeout: -1,
  timeout: 600_000,
};
const cacheFile = path.join(root, 'node_modules', '.cache', 'fieldroom', 'regexes.json');

/** @type {Map<string, { pattern: string, flags: string, files: Set<string> }>} */
const expressions = new Map();
/** @type {string[]} */
const violations = [];

for (const file of repositoryFiles(tree)) {
  if (!FOLDERS.some((folder) => file.startsWith(`${folder}/`))) continue;
  if (!/\.tsx?$/.test(file) || /\.(?:test|testing|fixture)\.tsx?$/.test(file)) continue;
  const source = await readFile(path.join(tree, file), 'utf8');
  collect(await parse(source, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'esnext' }), file);
}
if (expressions.size === 0) violations.push('No regular expression was found, so none was checked.');

/** @type {Record<string, string>} verdicts by expression; `safe` when it is linear */
const kept = await readFile(cacheFile, 'utf8').then(JSON.parse, () => ({}));
/** @type {Record<string, string>} */
const verdicts = {};
for (const [expression, { pattern, flags, files }] of expressions) {
  const verdict = kept[expression] ?? (await verdictOn(pattern, flags));
  if (verdict === 'safe') verdicts[expression] = verdict;
  else violations.push(`${expression}\n  in ${[...files].join(', ')}\n  ${verdict}`);
}
if (tree === root) {
  await mkdir(path.dirname(cacheFile), { recursive: true });
  await writeFile(cacheFile, JSON.stringify(verdicts));
}

for (const violation of violations) console.log(`${violation}\n`);
console.log(`${expressions.size} regular expressions, ${violations.length} violations`);
process.exitCode = violations.length > 0 ? 1 : 0;

/**
 * @param {string} pattern
 * @param {string} flags
 * @returns {Promise<string>} `safe`, or a description of the problem
 */
async function verdictOn(pattern, flags) {
  // The analyser does not know the flag `v`; our expressions mean the same with `u`.
  const found = await check(pattern, flags.replace('v', 'u'), BY_STEPS);
  if (found.status === 'safe') return 'safe';
  return found.status === 'vulnerable'
    ? `It is slower than linear (${found.complexity.summary}). Anchor it, bound it, or parse the text in steps.`
    : `It could not be checked (${found.error.kind}). Simplify it.`;
}

/**
 * Collects the expressions below a node of the syntax tree. One that is built at run time cannot be checked.
 * @param {unknown} node
 * @param {string} file
 */
function collect(node, file) {
  if (Array.isArray(node)) {
    for (const one of node) collect(one, file);
    return;
  }
  if (node === null || typeof node !== 'object') return;
  const { type, pattern, flags, callee } = /** @type {Record<string, any>} */ (node);
  if (type === 'RegExpLiteral') {
    const expression = `/${pattern}/${flags}`;
    const known = expressions.get(expression) ?? { pattern, flags, files: new Set() };
    expressions.set(expression, known);
    known.files.add(file);
  }
  if (
    (type === 'NewExpression' || type === 'CallExpression') &&
    callee.type === 'Identifier' &&
    callee.value === 'RegExp'
  )
    violations.push(
      `RegExp(…)\n  in ${file}\n  Write a literal: an expression that is built at run time cannot be checked.`,
    );
  for (const value of Object.values(node)) collect(value, file);
}
