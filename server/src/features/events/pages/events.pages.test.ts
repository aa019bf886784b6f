/** The public document sent by the server. Numbers are those of README.md. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { LANGUAGES } from '@fieldroom/contract/text';
import type { AccessValues, Http, Principal } from '../../../access.ts';
import { createHttp } from '../../../platform/http/http.ts';
import { languageOf } from '../../../pages/pages.language.ts';
import { mountWeb } from '../../../pages/pages.ts';
import { createMetrics } from '../../../platform/monitoring/metrics.ts';
import { aTherapist, type BuiltAccount } from '../../../builders/accounts.builders.ts';
import { anEvent } from '../../../builders/events.builders.ts';
import { accounts, formerSlugs, publicPages } from '../../accounts/accounts.tables.ts';
import { storedFiles } from '../../../platform/platform.tables.ts';
import { logSpy, testApp, testConfig, type TestApp } from '../../../../tests/support/test-app.ts';
import type { PageData } from './events.pages.ts';
import { WORDS } from './events.pages.words.ts';

let t: TestApp;
let http: Http;
let url: string;
let folder: string;
const spy = logSpy();
let therapist: BuiltAccount;

const DOCUMENT = `<!doctype html>
<html lang="en" data-palette="blueyale">
  <head>
    <meta charset="utf-8" />
    <meta name="description" content="Of the bare document" />
    <title>Fieldroom</title>
    <!--fieldroom:head-->
  </head>
  <body>
    <div id="root"><!--fieldroom:page--></div>
    <!--fieldroom:data-->
  </body>
</html>
`;

beforeAll(async () => {
  t = await testApp();
  therapist = await aTherapist(t.db, { firstName: 'Anna', lastName: 'Demo', slug: 'anna' });
  folder = mkdtempSync(path.join(tmpdir(), 'fieldroom-web-'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>app</title>');
  writeFileSync(path.join(folder, 'event.html'), DOCUMENT);
  const config = testConfig();
  http = await createHttp<Principal, AccessValues>({
    config,
    log: spy.log,
    metrics: createMetrics({ processNumbers: false }),
    gates: {},
    identify: async () => null,
    maxLagMs: 0,
  });
  t.app.events.pages(http, await mountWeb(http, config, { folder }));
  url = await http.listen();
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
  await t.close();
});

/** By hand, so that nothing is decompressed, followed or changed. */
function ask(
  at: string,
  { method = 'GET', headers = {} as Record<string, string> } = {},
): Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const asked = request(url + at, { method, headers: { accept: 'text/html', ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

const dataOf = (html: string) =>
  JSON.parse(/<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)![1]!) as PageData;
const structuredOf = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!) as Record<string, unknown>;
const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)">`).exec(html)?.[1];
/** The picture for messengers: address, type, width, height, and the size at which it is shown. */
const sharedOf = (html: string) =>
  ['og:image', 'og:image:type', 'og:image:width', 'og:image:height', 'twitter:card'].map((name) => metaOf(html, name));
const titleOf = (html: string) => [...html.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title);

describe('24. the public document', () => {
  test('of an event has in its head and data what people see', async () => {
    const row = await anEvent(t.db, {
      therapistId: therapist.id,
      name: 'A day of constellations',
      isOnline: false,
      location: 'Studio',
      address: 'Gartengasse 5, 1050 Wien',
      description: `Slow. ${'word '.repeat(60)}`,
      timeZone: 'Europe/Vienna',
      startTime: '09:30',
      endTime: '17:00',
      pattern: [0, 1],
      priceMinor: 24_050,
      places: 8,
    });
    const { status, headers, body } = await ask(`/event/anna/${row.id}`);
    const html = body.toString();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      vary: 'Accept-Encoding, Accept-Language',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(headers['content-security-policy']).toContain("script-src 'self'; ");
    expect(headers['x-robots-tag']).toBeUndefined();
    expect(titleOf(html)).toEqual([expect.stringMatching(/^A day of constellations · \d.+ \d{4} · Anna Demo$/)]);
    expect(html.match(/name="description"/g)).toHaveLength(1);
    expect(metaOf(html, 'description')!.length).toBeLessThanOrEqual(161);
    expect(metaOf(html, 'description')).toMatch(/^Slow\. word .*word…$/);
    expect(html).toContain(`<link rel="canonical" href="http://fieldroom.test/event/anna/${row.id}">`);
    expect(metaOf(html, 'og:url')).toBe(`http://fieldroom.test/event/anna/${row.id}`);
    expect(metaOf(html, 'og:title')).toBe(titleOf(html)[0]);
    expect(sharedOf(html)).toEqual([
      `http://fieldroom.test/api/event/image/${row.id}/landscape.jpg`,
      'image/jpeg',
      '1200',
      '630',
      'summary_large_image',
    ]);
    expect(structuredOf(html)).toMatchObject({
      '@type': 'Event',
      name: 'A day of constellations',
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      startDate: expect.stringMatching(new RegExp(`^${row.dates[0]}T09:30:00\\+0[12]:00$`)),
      endDate: expect.stringMatching(new RegExp(`^${row.dates[1]}T17:00:00\\+0[12]:00$`)),
      location: { '@type': 'Place', name: 'Studio', address: 'Gartengasse 5, 1050 Wien' },
      organizer: { '@type': 'Person', name: 'Anna Demo' },
      offers: { price: '240.50', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
      remainingAttendeeCapacity: 8,
    });
    const structured = structuredOf(html) as { startDate: string; endDate: string };
    expect([new Date(structured.startDate), new Date(structured.endDate)]).toEqual([row.startsAt, row.endsAt]);
    const api = await t.fetch(`/api/public/event/anna/${row.id}`);
    expect(dataOf(html)).toEqual({ kind: 'event', ...((await api.json()) as object) });
  });

  test('docs/product.md#9.22, 9.23: shows messengers a JPEG with its size, and plain words', async () => {
    const [file] = await t.db
      .insert(storedFiles)
      .values({
        id: crypto.randomUUID(),
        ownerId: therapist.id,
        kind: 'event picture',
        contentType: 'image/webp',
        bytes: 1,
        sha256: Buffer.alloc(32),
      })
      .returning();
    const row = await anEvent(t.db, {
      therapistId: therapist.id,
      imageFile: file!.id,
      description: '# For whom\n\n**Everybody** who likes it.\n- a blanket\n- tea',
    });
    const html = (await ask(`/event/anna/${row.id}`)).body.toString();
    expect(metaOf(html, 'og:image')).toBe(`http://fieldroom.test/api/event/image/${row.id}/${file!.id}.jpg`);
    expect(['type', 'width', 'height'].map((name) => metaOf(html, `og:image:${name}`))).toEqual([
      'image/jpeg',
      '1200',
      '630',
    ]);
    expect(metaOf(html, 'og:description')).toBe('For whom Everybody who likes it. a blanket tea');
    expect(structuredOf(html)['description']).toBe('For whom Everybody who likes it. a blanket tea');
  });

  test('of a cancelled event says so, that of a deleted one contains nothing', async () => {
    const cancelled = await anEvent(t.db, { therapistId: therapist.id, name: 'Gone', status: 'CANCELLED' });
    const html = (await ask(`/event/anna/${cancelled.id}`)).body.toString();
    expect(titleOf(html)[0]).toMatch(/^Cancelled: Gone/);
    expect(structuredOf(html)).toMatchObject({
      eventStatus: 'https://schema.org/EventCancelled',
      offers: { availability: 'https://schema.org/SoldOut' },
    });
    const deleted = await anEvent(t.db, { therapistId: therapist.id, deleted: true, name: 'Never' });
    const gone = await ask(`/event/anna/${deleted.id}`);
    expect([gone.status, dataOf(gone.body.toString())]).toEqual([404, { kind: 'unknown' }]);
    expect(gone.body.toString()).not.toContain('Never');
  });

  test('of a therapist carries the first page of events', async () => {
    const berta = await aTherapist(t.db, { firstName: 'Berta', lastName: 'Demo', slug: 'berta' });
    const row = await anEvent(t.db, { therapistId: berta.id, name: 'One' });
    const html = (await ask('/event/berta/')).body.toString();
    expect(titleOf(html)).toEqual(['Events with Berta Demo']);
    expect(dataOf(html)).toMatchObject({
      kind: 'therapist',
      host: { therapistName: 'berta', picture: null },
      upcoming: { page: 0, size: 20, totalElements: 1, content: [{ id: row.id, eventName: 'One' }] },
    });
    expect(structuredOf(html)).toMatchObject({
      '@type': 'ItemList',
      itemListElement: [{ name: 'One', url: `http://fieldroom.test/event/berta/${row.id}` }],
    });
    expect(html).not.toContain(berta.email);
    expect(metaOf(html, 'og:image')).toBe(`http://fieldroom.test/api/event/image/${row.id}/landscape.jpg`);
  });

  test('cannot be broken by typed text', async () => {
    const nasty = `</script><script>alert(1)</script><!-- "' & \u2028 $& $1 $\` <img src=x onerror=alert(1)>`;
    const clara = await aTherapist(t.db, { firstName: '"><script>x</script>', lastName: '</title>', slug: 'clara' });
    const row = await anEvent(t.db, {
      therapistId: clara.id,
      name: nasty,
      description: nasty,
      isOnline: false,
      location: nasty,
      address: nasty,
    });
    for (const at of [`/event/clara/${row.id}`, '/event/clara']) {
      const html = (await ask(at)).body.toString();
      expect(html.match(/<script/g), at).toHaveLength(2);
      expect(html.match(/<\/script>/g), at).toHaveLength(2);
      expect(html.match(/<title>/g)).toHaveLength(1);
      expect(html).not.toMatch(/<img|<!-- |onerror=alert\(1\)>/);
      for (const [, script] of html.matchAll(/<script[^>]*>(.*?)<\/script>/gs))
        expect(script).not.toMatch(/[<>&\u2028]/);
      expect(structuredOf(html)).toBeTruthy();
    }
    const html = (await ask(`/event/clara/${row.id}`)).body.toString();
    expect(dataOf(html)).toMatchObject({ event: { eventName: nasty, description: nasty } });
    expect(structuredOf(html)['name']).toBe(nasty);
  });

  test('is in the language that the browser prefers', async () => {
    const row = await anEvent(t.db, {
      therapistId: therapist.id,
      name: 'X',
      description: '',
      isOnline: true,
      status: 'CANCELLED',
    });
    const expected = { en: /^Cancelled: X/, de: /^Abgesagt: X/, hu: /^Lemondva: X/, ro: /^Anulat: X/ };
    for (const [language, title] of Object.entries(expected)) {
      const html = (
        await ask(`/event/anna/${row.id}`, { headers: { 'accept-language': `${language}-XX, en;q=0.3` } })
      ).body.toString();
      expect(html).toContain(`<html lang="${language}" data-palette="blueyale">`);
      expect(titleOf(html)[0]).toMatch(title);
    }
    expect(
      [
        undefined,
        '',
        'fr',
        'fr;q=1, ro;q=0.2, hu;q=0.9',
        'de;q=0, hu;q=0.1',
        '*',
        'x'.repeat(5000),
        ';;q=,,',
        'DE-at',
      ].map(languageOf),
    ).toEqual(['en', 'en', 'en', 'hu', 'hu', 'en', 'en', 'en', 'de']);
  });

  test('11.73 has the name in the order of the language', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id, name: 'X' });
    for (const language of LANGUAGES) {
      const name = language === 'hu' ? 'Demo Anna' : 'Anna Demo';
      const asked = { headers: { 'accept-language': language } };
      const event = (await ask(`/event/anna/${row.id}`, asked)).body.toString();
      expect(titleOf(event)[0]).toContain(name);
      expect(structuredOf(event)['organizer']).toMatchObject({ name });
      expect(titleOf((await ask('/event/anna', asked)).body.toString())[0]).toBe(WORDS[language].events(name));
    }
  });

  test('contains the page as drawn by the web, and no drawing if that fails', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id, name: 'Drawn' });
    const at = `/event/anna/${row.id}`;
    const rootOf = (html: string) => /<div id="root">(.*?)<\/div>/s.exec(html)?.[1];
    const file = path.join(folder, '.server', 'drawOnServer.mjs');
    const bring = (program: string, seconds: number) => {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, program);
      utimesSync(file, seconds, seconds);
    };
    expect(rootOf((await ask(at)).body.toString())).toBe('');
    bring(
      'export const draw = (path, language, { kind, event }) => `<p>${path} ${language} ${kind} ${event?.eventName} $&</p>`;',
      1,
    );
    expect(rootOf((await ask(at, { headers: { 'accept-language': 'hu' } })).body.toString())).toBe(
      `<p>${at} hu event Drawn $&</p>`,
    );
    expect(rootOf((await ask('/event/nobody-here')).body.toString())).toBe(
      '<p>/event/nobody-here en unknown undefined $&</p>',
    );
    bring('export const draw = () => { throw new Error("no pencil"); };', 2);
    const { status, body } = await ask(at);
    expect([status, rootOf(body.toString()), dataOf(body.toString()).kind]).toEqual([200, '', 'event']);
    bring('this is no program', 3);
    expect(rootOf((await ask(at)).body.toString())).toBe('');
    expect(spy.entries().filter(({ msg }) => msg === 'a public page could not be drawn')).toHaveLength(2);
    rmSync(path.dirname(file), { recursive: true });
    expect(rootOf((await ask(at)).body.toString())).toBe('');
  });

  test('is not found, and not listed, for a missing page', async () => {
    for (const at of [
      '/event/nobody-here',
      '/event/nobody-here/1',
      '/event/anna/999999999',
      '/event/anna/0',
      '/event/anna/abc',
      '/event/anna/1e3',
      "/event/anna'--",
      '/event/%00',
      '/event/anna/%00',
      '/event/%F0%9F%8C%B3',
      `/event/${'x'.repeat(2000)}`,
    ]) {
      const { status, headers, body } = await ask(at, { headers: { 'accept-language': 'de' } });
      expect([status, headers['x-robots-tag']], at).toEqual([404, 'noindex']);
      expect(titleOf(body.toString())).toEqual(['Diese Seite finden wir nicht']);
      expect(dataOf(body.toString())).toEqual({ kind: 'unknown' });
    }
  });

  test('behind an email’s link is bare, and hidden from search engines', async () => {
    for (const at of ['/event/confirm', '/event/booking', '/event/confirm/', '/event/booking?token=x']) {
      const { status, headers, body } = await ask(at);
      expect([status, headers['x-robots-tag'], headers['referrer-policy']], at).toEqual([
        200,
        'noindex',
        'no-referrer',
      ]);
      expect(body.toString()).toBe(DOCUMENT);
    }
    expect((await ask('/event/confirmation-abc')).status).toBe(404);
    await aTherapist(t.db, { slug: 'bookinger' });
    expect((await ask('/event/bookinger')).headers['x-robots-tag']).toBeUndefined();
  });

  test('answers HEAD in the same way without a body, and no other method', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    const head = await ask(`/event/anna/${row.id}`, { method: 'HEAD' });
    expect([head.status, head.body.length, head.headers['content-type']]).toEqual([200, 0, 'text/html; charset=utf-8']);
    expect((await ask(`/event/anna/${row.id}`, { headers: { accept: 'application/json' } })).status).toBe(404);
    expect((await ask(`/event/anna/${row.id}`, { method: 'POST' })).status).toBe(404);
  });

  test('is compressed for clients that support it', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    const at = `/event/anna/${row.id}`;
    const whole = (await ask(at)).body.toString();
    for (const [accepted, coding, read] of [
      ['gzip, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await ask(at, { headers: { 'accept-encoding': accepted } });
      expect(headers['content-encoding'], accepted).toBe(coding);
      expect(read(body).toString()).toBe(whole);
    }
    for (const accepted of ['identity', 'zstd'])
      expect((await ask(at, { headers: { 'accept-encoding': accepted } })).headers['content-encoding']).toBeUndefined();
  });
});

test.each(LANGUAGES)(
  'uses one name for a kind of event in %s: in the form and the lists, on the public pages and in their document',
  (language) => {
    const words = (name: string) =>
      JSON.parse(
        readFileSync(new URL(`../../../../../web/src/locales/${language}/${name}.json`, import.meta.url), 'utf8'),
      ) as { group: string; oneToOne: string; type: { group: string; oneToOne: string } };
    const { group, single } = WORDS[language];
    expect(words('events').type).toMatchObject({ group, oneToOne: single });
    expect(words('booking')).toMatchObject({ group, oneToOne: single });
  },
);

test('docs/product.md#3.20 a former slug leads to the current page, of an event too', async () => {
  const moved = await aTherapist(t.db, { slug: 'new-name' });
  const event = await anEvent(t.db, { therapistId: moved.id });
  await t.db.insert(formerSlugs).values({ slug: 'old-name', accountId: moved.id });
  for (const [from, to] of [
    ['/event/old-name', '/event/new-name'],
    [`/event/old-name/${event.id}`, `/event/new-name/${event.id}`],
  ] as const) {
    const { status, headers } = await ask(from);
    expect([status, headers['location'], headers['cache-control']]).toEqual([302, to, 'no-store']);
    expect((await ask(to)).status).toBe(200);
  }
  // Somebody else's event is not found under it.
  const other = await anEvent(t.db, { therapistId: therapist.id });
  expect((await ask(`/event/old-name/${other.id}`)).status).toBe(404);
});

test('docs/product.md#3.21 line and picture are in the preview of messengers, until the page is closed', async () => {
  const shown = await aTherapist(t.db, { slug: 'shown' });
  const [file] = await t.db
    .insert(storedFiles)
    .values({
      id: crypto.randomUUID(),
      ownerId: shown.id,
      kind: 'profile picture',
      contentType: 'image/webp',
      bytes: 1,
      sha256: Buffer.alloc(32),
    })
    .returning();
  await t.db.update(accounts).set({ pictureFile: file!.id }).where(eq(accounts.id, shown.id));
  await t.db.insert(publicPages).values({ accountId: shown.id, line: 'Groups by the "lake"', about: '' });
  const text = (await ask('/event/shown')).body.toString();
  expect(text).toContain('<meta name="description" content="Groups by the &#34;lake&#34;">');
  expect(sharedOf(text)).toEqual([
    expect.stringMatching(new RegExp(`^http://fieldroom\\.test/api/image/${shown.id}\\?v=[^&]+&#38;share=1$`)),
    'image/jpeg',
    '1200',
    '630',
    'summary_large_image',
  ]);
  await t.db
    .update(accounts)
    .set({ deletesAt: new Date(Date.now() + 86_400_000) })
    .where(eq(accounts.id, shown.id));
  expect((await ask('/event/shown')).status).toBe(404);
});
