/** The built server: where its code looks for other files, and which lines its errors name. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../bootstrap.mjs';
import { SERVER_DIST, sourceAddresses } from './server.mjs';

/**
 * What the build makes of a file.
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

test('the address of a source stays what it was', () => {
  const code = "read(new URL('./list.sql', import.meta.url));";
  const { complaints, result } = moved('server/src/features/rooms/rooms.ts', code);
  expect(complaints).toEqual([]);
  expect(result).toMatchObject({
    code: 'read(new URL(\'./list.sql\', new URL("../src/features/rooms/rooms.ts", import.meta.url).href));',
  });
});

test('a thread is the built one', () => {
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

test('errors of the built server name the lines of its sources', () => {
  const built = spawnSync(process.execPath, [path.join(root, 'tools/build.mjs'), '--changed', 'server'], {
    encoding: 'utf8',
  });
  expect(built.stderr).toBe('');
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
