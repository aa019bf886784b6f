/** The built server: where its code looks for other files, and which lines its errors name. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../bootstrap.mjs';
import { SERVER_DIST, serverFiles, sourceAddresses } from './server.mjs';

/**
 * The result of building a file.
 * @param {string} file from the root
 * @param {string} code
 */
function moved(file, code) {
  /** @type {string[]} */
  const complaints = [];
  const { transform } = sourceAddresses((sentence) => complaints.push(sentence));
  if (typeof transform !== 'function') throw new Error('the plugin transforms nothing');
  const result = transform.call(/** @type {never} */ ({}), code, path.join(root, file), /** @type {never} */ ({}));
  return { complaints, result };
}

test('the address of a source stays the same', () => {
  const code = "read(new URL('./list.sql', import.meta.url));";
  const { complaints, result } = moved('server/src/features/rooms/rooms.ts', code);
  expect(complaints).toEqual([]);
  expect(result).toMatchObject({
    code: 'read(new URL(\'./list.sql\', new URL("../src/features/rooms/rooms.ts", import.meta.url).href));',
  });
});

test('the address of a thread is that of the built one', () => {
  const code = "new Worker(new URL('./clean.worker.ts', import.meta.url));";
  expect(moved('server/src/features/rooms/clean.ts', code).result).toMatchObject({
    code: "new Worker(new URL('./clean.worker.js', import.meta.url));",
  });
});

test.each(['__dirname', '__filename', 'import.meta.dirname', 'import.meta.url'])(
  'a package that looks for files beside its code by %s is refused',
  (place) => {
    const { complaints } = moved('node_modules/fonts/index.js', `open(${place})`);
    expect(complaints).toEqual([expect.stringMatching(/^node_modules\/fonts\/index\.js .*UNBUNDLED/)]);
    expect(moved('node_modules/fonts/index.js', 'open(dirname)').complaints).toEqual([]);
  },
);

/** Builds the server, unless it was built from the same sources. */
function build() {
  const args = [path.join(root, 'tools/build.mjs'), '--changed', 'server'];
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stderr).toBe('');
}

test('a change to any of its files rebuilds it', async () => {
  build();
  const folder = path.join(root, SERVER_DIST);
  const built = globSync('*.map', { cwd: folder }).flatMap((map) => {
    /** @type {{ sources: string[] }} */
    const { sources } = JSON.parse(readFileSync(path.join(folder, map), 'utf8'));
    return sources.map((source) => path.relative(root, path.resolve(folder, source)).replaceAll(path.sep, '/'));
  });
  const own = built.filter((file) => !file.includes('node_modules/') && !file.includes('\0'));
  expect(own.length).toBeGreaterThan(400);
  expect(own.filter((file) => file.startsWith('contract/')).length).toBeGreaterThan(10);
  const watched = new Set(await serverFiles());
  expect(own.filter((file) => !watched.has(file))).toEqual([]);
});

test('errors of the built server name the lines of its sources', () => {
  build();
  /** @type {string[]} */
  const flags = JSON.parse(readFileSync(path.join(root, 'server/node-flags.json'), 'utf8'));
  const app = JSON.stringify(path.join(root, SERVER_DIST, 'app.js'));
  const program = `const { createApp } = await import(${app}); await createApp(null, {}).catch(({ stack }) => console.log(stack))`;
  const { stdout } = spawnSync(process.execPath, [...flags, '--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  const read = /reading '(\w+)'/.exec(stdout)?.[1];
  const [, file = '', line = ''] = /\((\S+\/server\/src\/\S+\.ts):(\d+):\d+\)/.exec(stdout) ?? [stdout];
  expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain(`config.${read}`);
});
