/** Imports inside drizzle-orm lead where Node would lead them. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { resolveInDrizzle } from './drizzle-imports.ts';

/** `require` finds another file of the same folder. */
const INDEX = new URL('./index.js', pathToFileURL(createRequire(import.meta.url).resolve('drizzle-orm'))).href;
const QUICK = new URL('./drizzle-imports.ts', import.meta.url).href;

describe('imports of drizzle-orm', () => {
  test('another file of it is a module, beside the importing one', () => {
    expect(resolveInDrizzle('./sql/index.js', INDEX)).toEqual({
      url: new URL('./sql/index.js', INDEX).href,
      format: 'module',
      shortCircuit: true,
    });
  });

  test.each([
    ['another package', 'pg', INDEX],
    ['a file without its full name', './sql', INDEX],
    ['the package itself', 'drizzle-orm', new URL('../db.ts', import.meta.url).href],
    ['a file of our own', './db.js', import.meta.url],
    ['the program', './main.ts', undefined],
  ])('Node resolves %s', (_, specifier, parent) => {
    expect(resolveInDrizzle(specifier, parent)).toBeNull();
  });

  test('Node comes to the same files, and never asks for their kind', () => {
    // Notes where each file of the package comes from: the quick way, or Node's own.
    const program = `
      const { registerHooks } = await import('node:module');
      const own = [], all = [];
      const note = (list) => (specifier, context, next) => {
        const found = next(specifier, context);
        if (/drizzle-orm\\/.*js$/.test(found.url)) list.push(found.url + ' ' + found.format);
        return found;
      };
      registerHooks({ resolve: note(own) });
      if (process.argv[1] === 'quick') (await import(${JSON.stringify(QUICK)})).quickenDrizzleImports();
      registerHooks({ resolve: note(all) });
      await import('drizzle-orm');
      console.log(JSON.stringify({ own: own.length, all: [...new Set(all)].sort() }));`;
    const run = (how: string) =>
      JSON.parse(
        spawnSync(process.execPath, ['--input-type=module', '-e', program, how], {
          cwd: fileURLToPath(new URL('.', import.meta.url)),
          encoding: 'utf8',
        }).stdout,
      ) as { own: number; all: string[] };
    const quick = run('quick');
    const slow = run('slow');
    expect(quick.all).toEqual(slow.all);
    expect(quick.all.length).toBeGreaterThan(50);
    // The package itself.
    expect(quick.own).toBe(1);
    expect(slow.own).toBeGreaterThan(50);
  });
});
