/**
 * What a file of the contract exports is named in another file. `knip` cannot see that: `calls.ts` takes the files as
 * whole namespaces, so all their exports count as used.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryFiles } from './files.mjs';

const root = path.resolve(import.meta.dirname, '../..');
/** @param {string} file */
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const CONTRACT = 'contract/src/';

// The contract is another workspace, whose types this one does not see.
/** @param {string} file */
const load = (file) => import(path.join(root, file));
const { CALL_NAMES, SHAPES } = await load(`${CONTRACT}calls.ts`);

/**
 * Whether `calls.ts` collects an export: calls, messages, and shapes for the OpenAPI document.
 * @param {string} name
 * @param {unknown} value
 */
const isCollected = (name, value) => name === 'SENT_MESSAGES' || CALL_NAMES.has(value) || SHAPES.has(value);
/** What `index.ts` hands on as a whole. */
const HANDED_ON = ['http.ts', 'problems.ts', 'text.ts'].map((name) => `${CONTRACT}${name}`);

/**
 * The names that a file exports, without those whose comment says `@public`: features add to these types.
 * @param {string} code
 */
const exportsOf = (code) =>
  [...code.matchAll(/^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm)]
    .filter(({ index }) => {
      const before = code.slice(0, index);
      return !before.endsWith('*/\n') || !before.slice(before.lastIndexOf('/**')).includes('@public');
    })
    .map(([, name = '']) => name);

/**
 * The files of the contract that an import can mean.
 * @param {string} file the importing file
 * @param {string} from what it imports from
 */
function targetsOf(file, from) {
  if (from === '@fieldroom/contract') return HANDED_ON;
  if (from.startsWith('@fieldroom/contract/')) return [from.replace('@fieldroom/contract/', CONTRACT) + '.ts'];
  const target = path.posix.join(path.posix.dirname(file), from);
  return target.startsWith(CONTRACT) ? [target] : [];
}

test('what a file of the contract exports is named in another file', async () => {
  const files = repositoryFiles().filter((file) => /\.(?:tsx?|mjs)$/.test(file));
  /** @type {Set<string>} */
  const named = new Set();
  for (const file of files) {
    const code = read(file);
    const imports = code.matchAll(
      /(?:import|export) (?:type )?(?:\{([^}]*)\}|\* as (\w+)) from '([^']+)'|(?:const )?(?:\{([^}]*)\} = await )?import\(\s*'([^']+)'/g,
    );
    for (const [, list, namespace, from, lazyList, lazyFrom] of imports)
      for (const target of targetsOf(file, from ?? lazyFrom ?? '')) {
        const names = namespace
          ? [...code.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, 'g'))].map(([, name]) => name)
          : (list ?? lazyList ?? '').split(',').map((one) => /^\s*(?:type )?(\w+)/.exec(one)?.[1]);
        for (const name of names) named.add(`${target}: ${name}`);
      }
  }
  const contract = files.filter((file) => file.startsWith(CONTRACT) && !file.endsWith('.test.ts'));
  expect(contract.length).toBeGreaterThan(20);
  const unnamed = await Promise.all(
    contract.map(async (file) => {
      const values = await load(file);
      return exportsOf(read(file))
        .filter((name) => !named.has(`${file}: ${name}`) && !isCollected(name, values[name]))
        .map((name) => `${file}: ${name}`);
    }),
  );
  expect(unnamed.flat()).toEqual([]);
});
