/** What `npm start` gives the Node that runs the server. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { root } from './bootstrap.mjs';

/** @param {string} name of a file of the server */
const readJson = async (name) => JSON.parse(await readFile(path.join(root, 'server', name), 'utf8'));

test('passes the server’s flags, and its environment unless the operator has set it', async () => {
  const flags = await readJson('node-flags.json');
  const environment = await readJson('node-environment.json');
  const [name] = Object.keys(environment);
  expect(flags).not.toEqual([]);
  expect(name).toBeDefined();
  const folder = await mkdtemp(path.join(tmpdir(), 'fieldroom-start-'));
  const probe = path.join(folder, 'probe.mjs');
  // Loaded before the command in each of its processes; the process that would run the server ends here.
  await writeFile(
    probe,
    `if (process.execArgv.length > 0) {
  console.log(JSON.stringify([process.execArgv, ${JSON.stringify(Object.keys(environment))}.map((name) => process.env[name])]));
  process.exit();
}
`,
  );
  /** @param {Record<string, string>} set by the operator */
  const start = (set) => {
    /** @type {NodeJS.ProcessEnv} */
    const env = { ...process.env, NODE_OPTIONS: `--import=${pathToFileURL(probe).href}` };
    for (const key of Object.keys(environment)) delete env[key];
    const { stdout, status } = spawnSync(process.execPath, [path.join(root, 'tools/start.mjs')], {
      encoding: 'utf8',
      // A command that forgot the flags would run the server: it ends at once without a database.
      env: { ...env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR: folder, ...set },
    });
    expect(status).toBe(0);
    return JSON.parse(stdout.trim());
  };
  try {
    expect(start({})).toEqual([flags, Object.values(environment)]);
    expect(start({ [name ?? '']: 'own' })[1][0]).toBe('own');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
