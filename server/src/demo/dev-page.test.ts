/** `/dev`: what it does for people who work on Fieldroom, and that nobody else can reach it. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUserData } from '@fieldroom/contract/accounts';
import { DEMO_PEOPLE } from './demo.ts';
import { testApp, type TestApp } from '../../tests/support/test-app.ts';

const DEV = { PUBLIC_URL: 'http://localhost', DEMO: '1', FIELDROOM_DEV: '1', NODE_ENV: 'development' } as const;
const CALLS = [
  ['GET', '/dev'],
  ['POST', '/dev/clock'],
  ['POST', '/dev/sign-in'],
  ['GET', '/dev/keep-sign-in.js'],
] as const;

let at: TestApp;
beforeAll(async () => {
  at = await testApp({ env: DEV });
});
afterAll(() => at.close());

const send = (path: string, form: Record<string, string>, on: TestApp = at) =>
  on.fetch(path, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
/** Sends a request with exactly these headers; fetch would not send another Host. Returns the status. */
function ask(url: string, method: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    })
      .on('error', reject)
      .end();
  });
}

test('shows people, emails and the clock, with forms and without any script', async () => {
  const tenMinutes = async () => `datetime="${(await at.clock.now()).toISOString().slice(0, 15)}`;
  const before = await tenMinutes();
  const answer = await at.fetch('/dev');
  expect(answer.status).toBe(200);
  const policy = answer.headers.get('content-security-policy')!;
  expect(policy).toContain("form-action 'self'");
  expect(policy).not.toContain('script');
  const html = await answer.text();
  for (const { name } of DEMO_PEOPLE) expect(html).toContain(`Sign in as ${name}`);
  expect(html).toContain('href="/dev/mail"');
  const after = await tenMinutes();
  expect([before, after].some((time) => html.includes(time))).toBe(true);
  expect(html).not.toMatch(/<script| on\w+=|constellation/);
});

test.each([
  ['3', 'minutes', 180],
  ['2', 'hours', 7200],
  ['30', 'days', 2_592_000],
])('moves the clock by %s %s', async (amount, unit, seconds) => {
  const before = await at.clock.describe();
  const answer = await send('/dev/clock', { amount, unit });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dev']);
  const after = await at.clock.describe();
  expect(Date.parse(after.anchorProduct) - Date.parse(before.anchorProduct)).toBe(seconds * 1000);
});

test.each([
  [{ amount: '-1', unit: 'hours' }],
  [{ amount: '1001', unit: 'days' }],
  [{ amount: '1.5', unit: 'days' }],
  [{ amount: '', unit: 'days' }],
  [{ amount: '1', unit: 'years' }],
  [{ amount: '1', unit: 'toString' }],
  [{}],
])('does not move it by %j', async (form) => {
  const before = await at.clock.describe();
  expect((await send('/dev/clock', form as Record<string, string>)).status).toBe(400);
  expect((await at.clock.describe()).anchorProduct).toBe(before.anchorProduct);
});

test.each(DEMO_PEOPLE.map(({ email }, person) => [email, person] as const))('signs in as %s', async (email, person) => {
  const answer = await send('/dev/sign-in', { person: String(person) });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
  const { token } = JSON.parse(
    /<script type="application\/json" id="sign-in">([^<]*)<\/script>/.exec(await answer.text())![1]!,
  ) as { token: string };
  expect((await at.api(getCurrentUserData, {}, { token })).email).toBe(email);
});

test('signs in nobody else', async () => {
  for (const form of [{}, { person: '9' }, { person: '-1' }, { person: 'length' }])
    expect((await send('/dev/sign-in', form as Record<string, string>)).status).toBe(404);
});

test.each(CALLS)('%s %s is not there for anybody else, and a foreign page sends no form', async (method, path) => {
  const { port } = new URL(at.url);
  const others: Record<string, string>[] = [
    { host: 'fieldroom.test' },
    { host: `localhost.evil.example:${port}` },
    { host: `10.0.0.1:${port}` },
    { host: `localhost:${port}`, 'x-forwarded-for': '127.0.0.1' },
    { host: `localhost:${port}`, forwarded: 'for=127.0.0.1' },
    { host: `localhost:${port}`, via: '1.1 proxy' },
  ];
  for (const headers of others) expect(await ask(at.url + path, method, headers), JSON.stringify(headers)).toBe(404);
  if (method === 'POST')
    for (const origin of ['https://evil.example', 'null'])
      expect(await ask(at.url + path, method, { host: `localhost:${port}`, origin }), origin).toBe(403);
});

test.each([
  ['as npm start runs it', { DEMO: '1' }],
  ['with NODE_ENV alone', { DEMO: '1', NODE_ENV: 'development' }],
  ['with the variable alone', { DEMO: '1', FIELDROOM_DEV: '1' }],
  ['without the demo', { ...DEV, DEMO: '0' }],
  ['in production', { NODE_ENV: 'production' }],
])('it does not exist %s', async (_, env) => {
  const other = await testApp({ env: { PUBLIC_URL: 'http://localhost', DEMO: '0', ...env } });
  try {
    for (const [method, path] of CALLS) expect((await other.fetch(path, { method })).status, path).toBe(404);
  } finally {
    await other.close();
  }
});
