/** Nodes with different webs, folders of their own and one bucket, as while nodes are upgraded one after the other. */
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { s3Server, type S3Server } from '../../tests/support/programs/s3-server.ts';
import { logSpy, testConfig } from '../../tests/support/test-app.ts';
import { createS3Blobs } from '../platform/blobs/s3.ts';
import { createHttp, type HttpServer } from '../platform/http/http.ts';
import { createMetrics } from '../platform/monitoring/metrics.ts';
import { createSharedAssets } from './pages.shared.ts';
import { mountWeb } from './pages.ts';

let folder: string;
let store: S3Server;
let nodes: HttpServer[];
beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(tmpdir(), 'fieldroom-test-shared-'));
  store = await s3Server();
  nodes = [];
});
afterEach(async () => {
  for (const node of nodes) await node.close();
  await store.close();
  await fs.rm(folder, { recursive: true });
});

const DAY_MS = 86_400_000;
const bucket = () => createS3Blobs(testConfig({ ...store.env }).s3!, async () => 'this installation');
const fetchedBy = (version: string) =>
  fs.readdir(path.join(folder, `kept-${version}`, 'assets')).then((names) => names.toSorted());
/** The compressed forms here are none that a browser could read. */
const ask = (url: string) => fetch(url, { headers: { 'accept-encoding': 'identity' } });
const reads = () => store.calls.filter(({ method, key }) => method === 'GET' && key.startsWith('web/'));

/** Makes the web of a version. Returns its folder. */
async function build(version: string): Promise<string> {
  const web = path.join(folder, version);
  await fs.mkdir(path.join(web, 'assets'), { recursive: true });
  await fs.writeFile(path.join(web, 'index.html'), `<!doctype html><title>${version}</title>`);
  await fs.writeFile(path.join(web, `assets/app-${version}.js`), `console.log('${version}')`);
  await fs.writeFile(path.join(web, `assets/app-${version}.js.br`), 'compressed');
  await fs.writeFile(path.join(web, 'assets/same-in-both.js'), 'same()');
  return web;
}

/** Starts a node with the web of a version. Returns its address. */
async function start(version: string): Promise<string> {
  const config = testConfig();
  const metrics = createMetrics({ processNumbers: false });
  const identify = async () => null;
  const http = await createHttp({ config, log: logSpy().log, metrics, gates: {}, identify, maxLagMs: 0 });
  nodes.push(http);
  await mountWeb(http, config, {
    folder: await build(version),
    kept: path.join(folder, `kept-${version}`),
    shared: bucket(),
  });
  return http.listen();
}

test('each node has the files of the other’s pages, whichever started first, and fetches each once', async () => {
  const old = await start('old');
  const newer = await start('newer');
  for (const url of [old, newer])
    for (const version of ['old', 'newer', 'old', 'newer']) {
      const answer = await ask(`${url}/assets/app-${version}.js`);
      expect(await answer.text(), `${url} ${version}`).toBe(`console.log('${version}')`);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-type')).toMatch(/javascript/);
    }
  expect(await fetchedBy('old')).toEqual(['app-newer.js', 'app-newer.js.br']);
  expect(await fetchedBy('newer')).toEqual(['app-old.js', 'app-old.js.br']);
  expect(reads()).toHaveLength(4);
  expect((await ask(`${old}/assets/app-never.js`)).status).toBe(404);
});

test('many who ask at once cause one fetch; what can be no file of the web causes no look', async () => {
  await start('old');
  const newer = await start('newer');
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(`${newer}/assets/app-old.js`)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(reads()).toHaveLength(2);
  const assets = createSharedAssets({ blobs: bucket(), web: path.join(folder, 'old'), kept: path.join(folder, 'x') });
  await assets.bring('/assets/app-never.js');
  const looked = store.calls.length;
  for (const at of ['/assets/', '/assets/../app.js', '/assets/%2e%2e', '/assets/a/b.js', '/api/version', '/'])
    await assets.bring(at);
  expect(store.calls).toHaveLength(looked);
});

test('while the bucket is away a file of another version is away too, not unknown; the own ones are served', async () => {
  await start('old');
  const newer = await start('newer');
  await store.down();
  const assets = createSharedAssets({ blobs: bucket(), web: path.join(folder, 'newer'), kept: path.join(folder, 'x') });
  await expect(assets.bring('/assets/app-newest.js')).rejects.toThrow('file store');
  const refused = await ask(`${newer}/assets/app-old.js`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect((await ask(`${newer}/assets/app-newer.js`)).status).toBe(200);
  await store.up();
  expect((await ask(`${newer}/assets/app-old.js`)).status).toBe(200);
});

test('a node starts while the bucket is away, and its files come there later', async () => {
  await store.down();
  const url = await start('old');
  expect((await ask(`${url}/assets/app-old.js`)).status).toBe(200);
  await store.up();
  const assets = createSharedAssets({ blobs: bucket(), web: path.join(folder, 'old'), kept: path.join(folder, 'x') });
  await assets.keep();
  expect(store.objects.has('web/app-old.js')).toBe(true);
});

test('a version that still runs renews its files; those that no node has had for a month are removed', async () => {
  await start('old');
  store.objects.set('web/app-gone.js', { bytes: Buffer.from('gone()'), writtenAt: Date.now() - 31 * DAY_MS });
  store.objects.set('web/app-other.js', { bytes: Buffer.from('other()'), writtenAt: Date.now() - 29 * DAY_MS });
  store.objects.get('web/app-old.js')!.writtenAt -= 2 * DAY_MS;
  const kept = path.join(folder, 'x');
  await fs.mkdir(path.join(kept, 'assets'), { recursive: true });
  for (const [name, days] of [['long-ago.js', 31] as const, ['lately.js', 29] as const]) {
    const file = path.join(kept, 'assets', name);
    await fs.writeFile(file, 'fetched()');
    const then = new Date(Date.now() - days * DAY_MS);
    await fs.utimes(file, then, then);
  }
  const assets = createSharedAssets({ blobs: bucket(), web: path.join(folder, 'old'), kept });
  await assets.keep();
  expect([...store.objects.keys()].filter((key) => key.startsWith('web/')).toSorted()).toEqual([
    'web/app-old.js',
    'web/app-old.js.br',
    'web/app-other.js',
    'web/same-in-both.js',
  ]);
  expect(Date.now() - store.objects.get('web/app-old.js')!.writtenAt).toBeLessThan(DAY_MS);
  expect(await fs.readdir(path.join(kept, 'assets'))).toEqual(['lately.js']);
  const before = store.calls.length;
  await assets.keep();
  expect(store.calls).toHaveLength(before);
});
