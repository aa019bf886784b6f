/** The document of the join page as sent by the server (docs/product.md#11.68). */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '../../../platform/problem.ts';
import type { AccessValues, Http, Principal } from '../../../access.ts';
import { aTherapist } from '../../../builders/accounts.builders.ts';
import { mountWeb } from '../../../pages/pages.ts';
import { DatabaseUnavailable } from '../../../platform/db/db.ts';
import { createHttp } from '../../../platform/http/http.ts';
import { createMetrics } from '../../../platform/monitoring/metrics.ts';
import { logSpy, testApp, testConfig, type TestApp } from '../../../../tests/support/test-app.ts';
import { clientsPages } from './clients.pages.ts';

let t: TestApp;
let http: Http;
let url: string;
let folder: string;
/** Replaces the lobby unless it is null. */
let refusal: Error | null = null;
const asked: string[] = [];

beforeAll(async () => {
  t = await testApp();
  await aTherapist(t.db, { firstName: '</script>Anna', joinLink: 'secret-link-of-anna' });
  folder = mkdtempSync(path.join(tmpdir(), 'fieldroom-web-'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>app</title>');
  writeFileSync(
    path.join(folder, 'join.html'),
    '<html lang="en"><title>Fieldroom</title><!--fieldroom:head--><div id="root"><!--fieldroom:page--></div><!--fieldroom:data-->',
  );
  mkdirSync(path.join(folder, '.server'));
  writeFileSync(
    path.join(folder, '.server', 'drawOnServer.mjs'),
    'export const draw = (path, language, data) => `${path.split("/")[2]} ${language} ${data.kind}`;',
  );
  const config = testConfig();
  http = await createHttp<Principal, AccessValues>({
    config,
    log: logSpy().log,
    metrics: createMetrics({ processNumbers: false }),
    gates: {},
    identify: async () => null,
    maxLagMs: 0,
  });
  clientsPages(http, await mountWeb(http, config, { folder }), {
    lookAtJoinLink(link, ip) {
      asked.push(link);
      return refusal ? Promise.reject(refusal) : t.app.clients.lookAtJoinLink(link, ip);
    },
  });
  url = await http.listen();
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
  await t.close();
});

async function open(at: string, language = 'de') {
  const answer = await fetch(url + at, { headers: { accept: 'text/html', 'accept-language': language } });
  const html = await answer.text();
  const data = /<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1];
  return {
    status: answer.status,
    headers: answer.headers,
    html,
    root: /<div id="root">(.*?)<\/div>/s.exec(html)?.[1],
    data: data === undefined ? null : (JSON.parse(data) as unknown),
  };
}

test('a join link’s document contains the therapist’s name, in the browser’s language, and never the link', async () => {
  const { status, headers, html, root, data } = await open('/user/join/secret-link-of-anna');
  expect([status, root]).toEqual([200, 'join de form']);
  expect(data).toEqual({ kind: 'form', host: { firstName: '</script>Anna', picture: null } });
  expect(html).toContain('<html lang="de"');
  // A messenger that previews the link gets no name.
  expect(html).toContain('<title>Fieldroom</title>');
  expect(html).not.toContain('secret-link-of-anna');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-robots-tag')).toBe('noindex');
  expect(headers.get('content-security-policy')).toContain("script-src 'self'; ");
});

test('a code’s document has its form for everybody', async () => {
  expect(await open('/user/code', 'hu')).toMatchObject({ root: 'code hu form', data: { kind: 'form', host: null } });
});

test('a wrong link is reported and counted as a wrong try; a malformed one is not looked up', async () => {
  asked.length = 0;
  for (const at of ['/user/join/nobody-lives-here', '/user/join/%00', `/user/join/${'x'.repeat(500)}`, '/user/join/A'])
    expect(await open(at), at).toMatchObject({ status: 200, root: 'join de unknown', data: { kind: 'unknown' } });
  expect(asked).toEqual(['nobody-lives-here']);
});

test('if the lobby refuses to look, the document is bare, and the script asks and shows the reason', async () => {
  refusal = new Problem('too_many_requests');
  expect(await open('/user/join/secret-link-of-anna')).toMatchObject({ status: 200, root: '', data: null });
  refusal = null;
});

test('12.30 while the database does not answer, people get the page instead of a JSON problem', async () => {
  refusal = new DatabaseUnavailable('The database does not answer');
  const { status, headers, html, root, data } = await open('/user/join/secret-link-of-anna');
  expect([status, root, data]).toEqual([503, '', null]);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(html).toContain('<html lang="de"');
  refusal = null;
});
