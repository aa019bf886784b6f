/** Two nodes with different webs and one folder of kept files, as while nodes are upgraded one after the other. */
import * as fs from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { logSpy, testConfig } from '../../tests/support/test-app.ts';
import { createHttp, type HttpServer } from '../platform/http/http.ts';
import { createMetrics } from '../platform/monitoring/metrics.ts';
import { keepAssets } from './pages.kept.ts';
import { mountWeb, type Web } from './pages.ts';

let folder: string;
let nodes: HttpServer[];
let webs: Record<string, Web>;
beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(tmpdir(), 'fieldroom-test-kept-'));
  nodes = [];
  webs = {};
});
afterEach(async () => {
  for (const node of nodes) await node.close();
  await fs.rm(folder, { recursive: true });
});
const kept = () => path.join(folder, 'kept');

/** Starts a node with the web of a version. Returns its address. */
async function start(version: string): Promise<string> {
  const web = path.join(folder, version);
  await fs.mkdir(path.join(web, 'assets'), { recursive: true });
  await fs.writeFile(path.join(web, 'index.html'), `<!doctype html><title>${version}</title>`);
  await fs.writeFile(path.join(web, `assets/app-${version}.js`), `console.log('${version}')`);
  await fs.writeFile(path.join(web, 'assets/same-in-both.js'), 'same()');
  const config = testConfig();
  const metrics = createMetrics({ processNumbers: false });
  const identify = async () => null;
  const http = await createHttp({ config, log: logSpy().log, metrics, gates: {}, identify, maxLagMs: 0 });
  nodes.push(http);
  webs[version] = await mountWeb(http, config, { folder: web, kept: kept() });
  return http.listen();
}

test('each node has the files of the other’s pages, whichever started first, and its own documents', async () => {
  const old = await start('old');
  const newer = await start('newer');
  for (const url of [old, newer]) {
    for (const version of ['old', 'newer']) {
      const answer = await fetch(`${url}/assets/app-${version}.js`);
      expect(await answer.text(), `${url} ${version}`).toBe(`console.log('${version}')`);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-type')).toMatch(/javascript/);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
    expect(await (await fetch(`${url}/assets/same-in-both.js`)).text()).toBe('same()');
    expect((await fetch(`${url}/assets/app-never.js`)).status).toBe(404);
  }
  const title = async (url: string) => /<title>(\w+)/.exec(await (await fetch(url)).text())![1];
  expect([await title(old), await title(newer)]).toEqual(['old', 'newer']);
});

/** What is at a path that is sent as it stands: `fetch` would resolve its dots. */
const textAt = (url: string, at: string) =>
  new Promise<string>((resolve, reject) => {
    get(url, { path: at }, (answer) => void text(answer).then(resolve, reject)).on('error', reject);
  });

test('nothing but these files comes from there', async () => {
  const url = await start('old');
  await fs.writeFile(path.join(kept(), 'robots.txt'), 'kept');
  await fs.writeFile(path.join(kept(), 'more.html'), 'kept');
  await fs.writeFile(path.join(kept(), 'more.js'), 'kept');
  for (const at of ['/robots.txt', '/more.html', '/more.js', '/assets/../more.js', '/assets/%2e%2e/more.js'])
    expect(await textAt(url, at), at).not.toBe('kept');
});

test('a version that still runs somewhere keeps its files, however long ago it started', async () => {
  await start('old');
  const file = path.join(kept(), 'assets/app-old.js');
  const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
  await fs.utimes(file, longAgo, longAgo);
  await webs['old']!.keepAssets();
  const url = await start('newer');
  expect((await fetch(`${url}/assets/app-old.js`)).status).toBe(200);
});

test('files that no node has had for a month are removed', async () => {
  await start('old');
  const [mine, gone] = ['app-old.js', 'app-gone.js'].map((name) => path.join(kept(), 'assets', name));
  await fs.writeFile(gone!, 'gone()');
  const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000);
  for (const file of [mine!, gone!]) await fs.utimes(file, longAgo, longAgo);
  await keepAssets(path.join(folder, 'old'), kept());
  expect((await fs.readdir(path.join(kept(), 'assets'))).toSorted()).toEqual(['app-old.js', 'same-in-both.js']);
});
