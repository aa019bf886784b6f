/** How a command of the project starts: in the right Node, with the flags that it needs. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './bootstrap.mjs';

test('a command that needs flags is restarted once with them and its arguments', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'fieldroom-bootstrap-'));
  const script = path.join(folder, 'command.mjs');
  await writeFile(
    script,
    `import { bootstrap } from ${JSON.stringify(path.join(root, 'tools/bootstrap.mjs'))};
console.log('begins');
await bootstrap(import.meta.url, ['--max-semi-space-size=8']);
console.log(JSON.stringify([process.execArgv, process.argv.slice(2)]));
`,
  );
  try {
    const { stdout, status } = spawnSync(process.execPath, [script, 'one', 'two'], { encoding: 'utf8' });
    expect(stdout.trim().split('\n')).toEqual(['begins', 'begins', '[["--max-semi-space-size=8"],["one","two"]]']);
    expect(status).toBe(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
