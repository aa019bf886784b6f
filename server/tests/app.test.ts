/** What a running app shows beside its calls: the emails of the demo, health, documents, pages and their headers. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { CALLS } from '@fieldroom/contract/calls';
import { getPublicConfig } from '@fieldroom/contract/accounts';
import {
  bookEvent,
  confirmBooking,
  contact,
  correctHold,
  resendHold,
  CONTACT_MESSAGE_MAX,
} from '@fieldroom/contract/bookings';
import { EVENT_NAME_MAX, eventImage, saveEvent, upcomingEvents, uploadEventImage } from '@fieldroom/contract/events';
import { allFigures } from '@fieldroom/contract/field';
import { accessRule, type Endpoint } from '@fieldroom/contract/http';
import { LANGUAGES } from '@fieldroom/contract/text';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AccessValues, Http, Principal } from '../src/access.ts';
import { createHttp } from '../src/platform/http/http.ts';
import { mountWeb } from '../src/pages/pages.ts';
import { createMetrics } from '../src/platform/monitoring/metrics.ts';
import { renderEmail } from '../src/emails/emails.layout.ts';
import { logSpy, testApp, testConfig, type TestApp } from './support/test-app.ts';

let at: TestApp;
let plain: TestApp;
beforeAll(async () => {
  at = await testApp({ env: { PUBLIC_URL: 'http://localhost', DEMO: '1', METRICS_TOKEN: 'a-token-of-the-operator' } });
  plain = await testApp();
});
afterAll(async () => {
  await at.close();
  await plain.close();
});

/** A request with exactly these headers; fetch would not send another Host. */
function ask(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

describe('/dev/mail', () => {
  beforeAll(async () => {
    const words = {
      language: 'en',
      title: '<b>One</b>',
      greeting: 'Hello,',
      paragraphs: ['Text'],
      button: { label: 'Open', url: 'http://fieldroom.test/user/verify#token=abc', fallback: 'Or:' },
      brand: 'Fieldroom',
      footer: 'Fieldroom',
    } as const;
    for (const subject of ['first <script>', 'second'])
      await at.app.outbox.put(at.db, {
        to: 'judit@practice.example',
        subject,
        kind: 'test',
        language: 'en',
        ...renderEmail(words),
        attachments: [{ filename: 'a.ics', contentType: 'text/calendar', bytes: Buffer.from('BEGIN') }],
      });
  });

  test('lists emails for programs, newest first', async () => {
    const answer = await at.fetch('/dev/mail.json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const all = (await answer.json()) as Record<string, unknown>[];
    // The demo's bills are there, too.
    const emails = all.filter(({ to }) => to === 'judit@practice.example');
    expect(emails.map(({ subject }) => subject)).toEqual(['second', 'first <script>']);
    expect(Object.keys(emails[0]!).toSorted()).toEqual([
      'attachments',
      'createdAt',
      'html',
      'id',
      'subject',
      'text',
      'to',
    ]);
    expect(emails[0]).toMatchObject({
      to: 'judit@practice.example',
      attachments: [{ filename: 'a.ics', contentType: 'text/calendar' }],
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
  });

  test('shows a page on which words stay words and links work, and each email under a separate policy', async () => {
    const answer = await at.fetch('/dev/mail');
    const html = await answer.text();
    expect(html).not.toContain('<script>');
    expect(html).toContain('<a href="http://fieldroom.test/user/verify#token=abc">');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const opened = await at.fetch(/href="(\/dev\/mail\/[^"]+)"/.exec(html)![1]!);
    expect(opened.headers.get('content-security-policy')).toContain('sandbox');
    expect(opened.headers.get('content-security-policy')).not.toMatch(/script|allow-same-origin/);
    expect(await opened.text()).toContain('&lt;b&gt;One');
    const attachment = await at.fetch(/href="(\/dev\/mail\/[^"]+\/attachments\/0)"/.exec(html)![1]!);
    expect(attachment.headers.get('content-disposition')).toContain('attachment');
    expect(await attachment.text()).toBe('BEGIN');
  });

  test.each(['/dev/mail', '/dev/mail.json', '/dev/mail/x'])('%s is not there for anybody else', async (page) => {
    const { port } = new URL(at.url);
    const others: Record<string, string>[] = [
      { host: 'fieldroom.test' },
      { host: `localhost.evil.example:${port}` },
      { host: `10.0.0.1:${port}` },
      { host: `localhost:${port}`, 'x-forwarded-for': '127.0.0.1' },
      { host: `localhost:${port}`, 'x-forwarded-host': 'localhost' },
      { host: `localhost:${port}`, forwarded: 'for=127.0.0.1' },
      { host: `localhost:${port}`, via: '1.1 proxy' },
    ];
    for (const headers of others) expect((await ask(at.url + page, headers)).status, JSON.stringify(headers)).toBe(404);
    if (page !== '/dev/mail/x')
      for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
        expect((await ask(at.url + page, { host })).status, host).toBe(200);
    expect((await plain.fetch(page)).status, 'without the demo').toBe(404);
  });
});

describe('health', () => {
  test('alive and ready', async () => {
    expect(await (await at.fetch('/healthz')).json()).toEqual({ status: 'ok' });
    const ready = await at.fetch('/readyz');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: 'ok',
      parts: { database: 'ok', bus: 'ok', jobs: 'ok', storage: 'ok' },
    });
  });

  test('not ready when a part is gone, and alive all the same', async () => {
    const app = await testApp();
    await app.app.jobs.stop();
    const ready = await app.fetch('/readyz');
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ parts: { jobs: 'failed', database: 'ok' } });
    expect((await app.fetch('/healthz')).status).toBe(200);
    await app.close();
  });

  test('numbers name routes by pattern, and are for this machine or the operator’s token', async () => {
    await at.fetch('/api/getUser/12345', { method: 'POST' });
    const text = await (await at.fetch('/metrics')).text();
    expect(text).toContain('route="/api/getUser/:therapistId"');
    expect(text).not.toContain('12345');
    expect((await ask(`${at.url}/metrics`, { host: 'fieldroom.test' })).status).toBe(404);
    // At a public address, a proxy on the same machine asks for everybody.
    expect((await plain.fetch('/metrics')).status).toBe(404);
    expect(
      (await ask(`${at.url}/metrics`, { host: 'fieldroom.test', authorization: 'Bearer a-token-of-the-operator' }))
        .status,
    ).toBe(200);
    expect(
      (await ask(`${at.url}/metrics`, { host: 'fieldroom.test', authorization: 'Bearer another-token' })).status,
    ).toBe(404);
  });
});

describe('the calls as a document', () => {
  test('OpenAPI holds every mounted call with who may make it and what can go wrong', async () => {
    const document = (await (await at.fetch('/api/openapi.json')).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { 'x-access': string; responses: Record<string, unknown> }>>;
    };
    expect(document.openapi).toBe('3.1.0');
    for (const { path: route, method, access } of at.app.http.mounted)
      expect(document.paths[route]?.[method.toLowerCase()]?.['x-access'], route).toBe(accessRule(access).who);
    expect(document.paths['/api/authentication/login']!.post!.responses).toMatchObject({
      200: {},
      400: {},
      401: { description: expect.stringContaining('invalid_credentials') },
    });
    expect(at.app.http.mounted.every((call) => CALLS.includes(call))).toBe(true);
  });

  test('OpenAPI tells a generated client all that a call needs', async () => {
    interface Operation {
      operationId: string;
      tags: string[];
      security: object[];
      parameters: { name: string; in: string; required: boolean }[];
      requestBody?: {
        content: Record<
          string,
          {
            schema: {
              required: string[];
              properties: Record<string, { format?: string; maxLength?: number; $ref?: string }>;
            };
          }
        >;
      };
      responses: Record<string, { content?: Record<string, { schema: object }> }>;
    }
    const text = await (await at.fetch('/api/openapi.json')).text();
    const { paths, tags, components } = JSON.parse(text) as {
      paths: Record<string, Record<string, Operation>>;
      tags: { name: string }[];
      components: { schemas: Record<string, { properties: Record<string, { type?: string; maxLength?: number }> }> };
    };
    const of = (endpoint: Endpoint) => paths[endpoint.path]![endpoint.method.toLowerCase()]!;
    const all = Object.values(paths).flatMap((methods) => Object.values(methods));

    // Each call has a unique name, and its tag is declared.
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
    expect(of(uploadEventImage).operationId).toBe('uploadEventImage');
    expect(new Set(all.flatMap((operation) => operation.tags))).toEqual(new Set(tags.map(({ name }) => name)));

    // A file comes in a multipart form.
    expect(of(uploadEventImage).requestBody!.content['multipart/form-data']!.schema).toMatchObject({
      required: ['file'],
      properties: { file: { format: 'binary' } },
    });

    // Headers that a call needs or reads.
    expect(of(confirmBooking).parameters).toContainEqual(
      expect.objectContaining({ name: 'x-fieldroom-confirm', in: 'header', required: true }),
    );
    expect(of(contact).parameters).toContainEqual(
      expect.objectContaining({ name: 'x-therapist-id', in: 'header', required: false }),
    );

    // Calls that need no sign-in, may have one, or need one; each call says which.
    for (const open of [confirmBooking, bookEvent, eventImage, resendHold, correctHold, contact])
      expect(of(open).security, open.path).toEqual([]);
    expect(of(upcomingEvents).security).toEqual([{}, { bearer: [] }]);
    expect(of(uploadEventImage).security).toEqual([{ bearer: [] }]);
    expect(Object.keys(of(contact).responses)).not.toContain('401');

    // Limits are those of what is kept; what comes back is known; shapes are shared.
    expect(components.schemas['ContactInput']!.properties['message']).toMatchObject({ maxLength: CONTACT_MESSAGE_MAX });
    expect(of(saveEvent).requestBody!.content['application/json']!.schema).toEqual({
      $ref: '#/components/schemas/EventInput',
    });
    expect(components.schemas['EventInput']!.properties['eventName']).toMatchObject({ maxLength: EVENT_NAME_MAX });
    expect(of(upcomingEvents).parameters.map(({ name }) => name)).toEqual(['therapistName', 'page', 'size']);
    expect(components.schemas['Figure']!.properties['rotation']).toMatchObject({ type: 'number' });
    expect(of(allFigures).responses['200']!.content!['application/json']!.schema).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Figure' },
    });
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g))
      expect(components.schemas, name).toHaveProperty(name!);
    expect(text).not.toContain('#/$defs/');
  });

  test('and as a page without scripts', async () => {
    const page = await at.fetch('/api/docs');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    const html = await page.text();
    expect(html).toContain('POST /api/authentication/login');
    expect(html).not.toContain('<script');
  });
});

test('the product’s clock is there for everybody, the demo’s sign-in only with the demo', async () => {
  expect(await at.api(getPublicConfig)).toMatchObject({ clock: { speed: 1 }, demo: { email: 'anna@demo.example' } });
  expect((await plain.api(getPublicConfig)).demo).toBeNull();
});

describe('the web', () => {
  const script = 'console.log("hello")'.repeat(100);
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldroom-web-'));
  let http: Http;
  let url: string;
  beforeAll(async () => {
    mkdirSync(path.join(folder, 'assets'));
    writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>app</title>');
    writeFileSync(path.join(folder, 'join.html'), '<!doctype html><title>join</title>');
    writeFileSync(path.join(folder, 'room.html'), '<!doctype html><title>room</title>');
    writeFileSync(path.join(folder, 'favicon.svg'), '<svg/>');
    writeFileSync(path.join(folder, 'assets/app-1a2b3c.js'), script);
    writeFileSync(path.join(folder, 'assets/app-1a2b3c.js.br'), brotliCompressSync(script));
    ({ http, url } = await serve(folder));
  });
  afterAll(async () => {
    await http.close();
    rmSync(folder, { recursive: true });
  });

  async function serve(from: string, env: Record<string, string> = {}): Promise<{ http: Http; url: string }> {
    const config = testConfig(env);
    const made = await createHttp<Principal, AccessValues>({
      config,
      log: logSpy().log,
      metrics: createMetrics({ processNumbers: false }),
      gates: {},
      identify: async () => null,
      maxLagMs: 0,
    });
    await mountWeb(made, config, { folder: from });
    return { http: made, url: await made.listen() };
  }
  const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const titleOf = async (at: string) => /<title>(\w+)/.exec((await ask(url + at, page)).body.toString())?.[1];

  test('pages where people enter get the light one, the room its own, all others the app', async () => {
    for (const at of ['/user/join/anna', '/user/code', '/user/waiting', '/user/join/anna?x=1', '/user/bye'])
      expect(await titleOf(at), at).toBe('join');
    for (const at of ['/app/play-area', '/app/play-area?icon=4', '/app/play-area-view'])
      expect(await titleOf(at), at).toBe('room');
    for (const at of ['/', '/user/login', '/user/joiner', '/event/anna', '/app/play', '/event/anna/5'])
      expect(await titleOf(at), at).toBe('app');
  });

  test('11.69 the sign-in page comes drawn in the browser’s language, all others do not', async () => {
    const drawn = mkdtempSync(path.join(tmpdir(), 'fieldroom-web-'));
    writeFileSync(path.join(drawn, 'index.html'), '<!doctype html><title>app</title>');
    for (const language of LANGUAGES) {
      const document = `<!doctype html><html lang="${language}"><title>drawn</title><form></form>`.padEnd(2000);
      writeFileSync(path.join(drawn, `signIn.${language}.html`), document);
      writeFileSync(path.join(drawn, `signIn.${language}.html.br`), brotliCompressSync(document));
    }
    const web = await serve(drawn);
    const get = (at: string, headers: Record<string, string> = {}) => ask(web.url + at, { ...page, ...headers });
    for (const [wanted, language] of [
      ['de-AT,de;q=0.9,en;q=0.8', 'de'],
      ['fr, ro;q=0.5, en;q=0.4', 'ro'],
      ['fr', 'en'],
    ] as const) {
      const { body, headers } = await get('/user/login?returnUrl=%2F', { 'accept-language': wanted });
      expect(body.toString(), wanted).toContain(`<html lang="${language}"><title>drawn</title><form>`);
      expect(headers).toMatchObject({
        vary: 'Accept-Encoding, Accept-Language',
        'cache-control': 'no-cache',
        'x-robots-tag': 'noindex',
        'content-security-policy': expect.stringContaining("script-src 'self'"),
      });
    }
    const squeezed = await get('/user/login', { 'accept-language': 'hu', 'accept-encoding': 'br' });
    expect(squeezed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(squeezed.body).toString()).toContain('lang="hu"');
    for (const at of ['/', '/app/dashboard', '/user/register', '/user/login/more'])
      expect((await get(at)).body.toString(), at).not.toContain('<form');
    expect((await get('/signIn.de.html')).headers['content-type']).toBe('application/problem+json');
    await web.http.close();
    rmSync(drawn, { recursive: true });
  });

  test('what is no page is a problem', async () => {
    for (const at of [
      '/api/none',
      '/api',
      '/dev/none',
      '/socket/none',
      '/video',
      '/assets/none.js',
      '/assets',
      '/assets/',
      '/none.js',
      '/index.html',
      '/join.html',
      '/room.html',
      '/logger_api/x',
      '/index.html.br',
      '/assets/../index.html%00',
    ]) {
      const answer = await ask(url + at, page);
      expect(answer.headers['content-type'], at).toBe('application/problem+json');
    }
    expect((await ask(`${url}/user/login`, { accept: 'application/json' })).status).toBe(404);
  });

  test('no path leads out of the folder', async () => {
    for (const at of [
      '/../package.json',
      '/%2e%2e/package.json',
      '/assets/..%2f..%2fetc/passwd',
      '/assets/%2e%2e/%2e%2e/etc/passwd',
      '//etc/passwd',
    ])
      expect((await ask(url + at)).body.toString(), at).not.toMatch(/root:|"name"/);
  });

  test('files come compressed to those who can read it, and stay forever', async () => {
    // Scripts carry the headers that concern scripts, and not a kilobyte about documents.
    const light = await ask(`${url}/assets/app-1a2b3c.js`);
    expect(light.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(light.headers['permissions-policy']).toBeUndefined();
    expect(light.headers['content-security-policy']).toBeUndefined();
    const squeezed = await ask(`${url}/assets/app-1a2b3c.js`, { 'accept-encoding': 'gzip, br' });
    expect(squeezed.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(String(squeezed.headers['content-type'])).toMatch(/javascript/);
    expect(brotliDecompressSync(squeezed.body).toString()).toBe(script);
    const whole = await ask(`${url}/assets/app-1a2b3c.js`);
    expect(whole.headers['content-encoding']).toBeUndefined();
    expect(whole.body.toString()).toBe(script);
  });

  test('pages are asked for again each time, by their ETag', async () => {
    const first = await ask(`${url}/user/login`, page);
    expect(first.headers['cache-control']).toBe('no-cache');
    const again = await ask(`${url}/user/login`, { ...page, 'if-none-match': String(first.headers.etag) });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
  });

  test('pages run our own files and nothing else', async () => {
    const { headers } = await ask(`${url}/user/login`, page);
    const policy = new Map(
      String(headers['content-security-policy'])
        .split('; ')
        .map((part) => [part.split(' ')[0]!, part.split(' ').slice(1)]),
    );
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('script-src')).toEqual(["'self'"]);
    expect(policy.get('style-src')).toEqual(["'self'"]);
    expect(policy.get('frame-ancestors')).toEqual(["'none'"]);
    expect(policy.get('base-uri')).toEqual(["'none'"]);
    expect(policy.get('require-trusted-types-for')).toEqual(["'script'"]);
    expect(policy.get('trusted-types')).toEqual(['fieldroom-worker']);
    for (const [name, values] of policy)
      if (name !== 'style-src-attr') expect(values.join(' '), name).not.toMatch(/unsafe|\*|https?:/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['permissions-policy']).toMatch(/camera=\(self\), microphone=\(self\)/);
    expect(headers['strict-transport-security']).toBeUndefined();
    const secure = await serve(folder, { PUBLIC_URL: 'https://room.example.org' });
    expect((await ask(`${secure.url}/`, page)).headers).toMatchObject({
      'strict-transport-security': expect.stringContaining('max-age=31536000'),
      'content-security-policy': expect.stringContaining('wss://room.example.org'),
    });
    await secure.http.close();
  });

  test('search engines list the front page and public events only', async () => {
    for (const at of [
      '/user/join/anna',
      '/user/code',
      '/user/waiting',
      '/user/login',
      '/app/play',
      '/event/confirm',
      '/event/booking',
    ])
      expect((await ask(url + at, page)).headers['x-robots-tag'], at).toBe('noindex');
    for (const at of ['/', '/event/anna', '/event/anna/5'])
      expect((await ask(url + at, page)).headers['x-robots-tag'], at).toBeUndefined();
    expect((await ask(`${url}/robots.txt`)).body.toString()).toContain('Disallow: /api/');
  });

  test('where it was not built, pages say so', async () => {
    const bare = await serve(path.join(folder, 'none'));
    const answer = await ask(`${bare.url}/user/login`, page);
    expect(answer.status).toBe(503);
    expect(answer.body.toString()).toContain('has not been built');
    await bare.http.close();
  });
});
