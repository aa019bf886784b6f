/** Calls as a program meets them: what arrives, what is answered, and what is refused. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { endpoint, type Access } from '@fieldroom/contract/http';
import { PROBLEMS, type ProblemBody } from '@fieldroom/contract/problems';
import { Problem } from '../problem.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createCaller, logSpy, testConfig } from '../../../tests/support/test-app.ts';
import { createMetrics } from '../monitoring/metrics.ts';
import { currentWaits, type Waits } from '../db/waits.ts';
import { createHttp, type Gates, type Http, type HttpParts } from './http.ts';

type Person = { readonly id: number };
type Values = Record<Access, unknown> & { anyone: Person | null; self: Person; token: null };

const echo = endpoint({
  method: 'POST',
  path: '/api/echo/{id}',
  access: 'anyone',
  summary: 'Echoes',
  params: z.strictObject({ id: z.string().regex(/^\d+$/, 'not_a_number').transform(Number) }),
  query: z.strictObject({ word: z.string().max(5).optional() }),
  body: z.strictObject({
    name: z.string().min(2).max(5),
    age: z.number().int().max(150).optional(),
    kind: z.enum(['a', 'b']).optional(),
    inner: z.strictObject({ x: z.number() }).optional(),
    word: z
      .string()
      .refine((word) => word !== 'bad', 'own_key')
      .optional(),
  }),
  reply: z.strictObject({ id: z.number(), name: z.string(), who: z.number().nullable() }),
});
const mine = endpoint({
  method: 'GET',
  path: '/api/mine',
  access: 'self',
  summary: 'One’s own',
  reply: z.strictObject({ id: z.number() }),
});
const nothing = endpoint({ method: 'POST', path: '/api/nothing', access: 'self', summary: 'Answers nothing' });
const drops = endpoint({
  method: 'GET',
  path: '/api/drops',
  access: 'anyone',
  summary: 'A GET that does something',
  reply: z.number(),
});
const leaks = endpoint({
  method: 'GET',
  path: '/api/leaks',
  access: 'anyone',
  summary: 'Answers too much',
  reply: z.strictObject({ id: z.number() }),
});
const bugs = endpoint({
  method: 'POST',
  path: '/api/bugs/{secret}',
  access: 'anyone',
  summary: 'Has a bug',
  params: z.strictObject({ secret: z.string() }),
  query: z.strictObject({ token: z.string() }),
  body: z.strictObject({ password: z.string() }),
});
const waits = endpoint({ method: 'GET', path: '/api/waits', access: 'anyone', summary: 'Refuses for a while' });
const notText = endpoint({
  method: 'GET',
  path: '/api/not-a-text',
  access: 'anyone',
  summary: 'Asks the database for a text that it can’t have',
});
const picture = endpoint({
  method: 'GET',
  path: '/api/picture',
  access: 'anyone',
  summary: 'Bytes',
  bytes: ['image/svg+xml'],
});
const list = endpoint({
  method: 'GET',
  path: '/api/list',
  access: 'anyone',
  summary: 'As many entries as one asks for',
  query: z.strictObject({ size: z.string().transform(Number) }),
  reply: z.array(z.string()),
});
const upload = endpoint({
  method: 'POST',
  path: '/api/upload',
  access: 'anyone',
  summary: 'Takes a file',
  upload: { maxBytes: 1000 },
  reply: z.strictObject({ size: z.number(), type: z.string() }),
});
const big = endpoint({
  method: 'POST',
  path: '/api/big',
  access: 'anyone',
  summary: 'Takes more',
  body: z.strictObject({ text: z.string() }),
  reply: z.number(),
});
const foreign = endpoint({ method: 'GET', path: '/api/admin', access: 'admin', summary: 'Has no gate' });

const gates: Gates<Person, Values> = {
  anyone: ({ principal }) => principal,
  self: ({ principal }) => principal!,
};
const logged = logSpy();
let ran = 0;
let http: Http<Person, Values>;
let url: string;
let caller: ReturnType<typeof createCaller>;

/** Makes an HTTP side. Takes settings by name, and parts that differ from the usual ones. */
function make(
  env: Record<string, string> = {},
  parts: Partial<HttpParts<Person, Values>> = {},
): Promise<Http<Person, Values>> {
  return createHttp<Person, Values>({
    config: testConfig(env),
    log: logged.log,
    metrics: createMetrics({ processNumbers: false }),
    gates,
    identify: async (token) => (token === 'good' ? { id: 7 } : token === 'sent-out' ? new Problem('sent_out') : null),
    maxLagMs: 0,
    ...parts,
  });
}

beforeAll(async () => {
  http = await make();
  http.handle(echo, ({ access, params, body }) => ({ id: params.id, name: body.name, who: access?.id ?? null }));
  http.handle(mine, ({ access }) => ({ id: access.id }));
  http.handle(nothing, () => {});
  http.handle(drops, () => ++ran);
  http.handle(leaks, () => ({ id: 1, passwordHash: 'leaked-hash' }) as { id: number });
  http.handle(bugs, () => {
    throw new Error('it broke');
  });
  http.handle(waits, () => {
    throw new Problem('too_many_requests', { retryAfterSeconds: 12.2 });
  });
  http.handle(notText, () => {
    throw Object.assign(new Error('Failed query'), { cause: { code: '22021' } });
  });
  http.handle(picture, () => ({ contentType: 'image/svg+xml', bytes: Buffer.from('<svg/>') }));
  http.handle(list, ({ query }) => Array.from({ length: query.size }, () => 'Ő, entry'));
  http.handle(upload, ({ file }) => ({ size: file!.bytes.length, type: file!.contentType }));
  http.handle(big, ({ body }) => body.text.length, { bodyLimit: 300_000 });
  url = await http.listen();
  caller = createCaller(url);
});
afterAll(() => http.close());

const post = (at: string, body: BodyInit, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  fetch(url + at, { method: 'POST', body, headers });
async function problem(answer: Response | Promise<Response>): Promise<ProblemBody> {
  const { status, headers } = await answer;
  const body = (await (await answer).json()) as ProblemBody;
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({ type: 'about:blank', status, title: PROBLEMS[body.code].title });
  return body;
}

describe('a call', () => {
  test('arrives parsed and answers as agreed', async () => {
    const answer = await caller.call(echo, { params: { id: 5 }, body: { name: 'Anna' } }, { token: 'good' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await answer.json()).toEqual({ id: 5, name: 'Anna', who: 7 });
  });

  test('without a reply answers 204', async () => {
    expect((await caller.call(nothing, {}, { token: 'good' })).status).toBe(204);
  });

  test('is found with a slash at its end too', async () => {
    expect((await fetch(`${url}/api/drops/`)).status).toBe(200);
  });

  test('answers bytes with nothing they could do', async () => {
    const answer = await caller.call(picture);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
    );
    expect(await answer.text()).toBe('<svg/>');
  });
});

describe('a long reply', () => {
  /** By hand, because `fetch` decompresses. */
  async function listed(size: number, accepted?: string): Promise<{ coding: string | undefined; body: Buffer }> {
    const asked = rawRequest(`${url}/api/list?size=${size}`, {
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    const body = Buffer.concat((await answer.toArray()) as Buffer[]);
    expect(Number(answer.headers['content-length'])).toBe(body.length);
    return { coding: answer.headers['content-encoding'], body };
  }

  test.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ])('comes compressed to somebody who accepts %s', async (accepted, coding, read) => {
    const whole = await listed(500);
    expect(whole.coding).toBeUndefined();
    const small = await listed(500, accepted);
    expect(small.coding).toBe(coding);
    expect(small.body.length).toBeLessThan(whole.body.length / 10);
    expect(read(small.body)).toEqual(whole.body);
  });

  test.each([
    ['a short one', 5, 'gzip, br'],
    ['one to somebody who accepts nothing that we know', 500, 'zstd, identity'],
  ])('%s comes as it is', async (_what, size, accepted) => {
    const { coding, body } = await listed(size, accepted);
    expect(coding).toBeUndefined();
    expect(JSON.parse(body.toString())).toHaveLength(size);
  });
});

describe('input', () => {
  const faults = async (body: unknown, at = '/api/echo/5') => (await problem(post(at, JSON.stringify(body)))).fields;

  test.each([
    [{ name: 'Anna', extra: 1 }, [{ path: 'extra', code: 'unknown_property' }]],
    [{}, [{ path: 'name', code: 'required' }]],
    [{ name: 'Annabella' }, [{ path: 'name', code: 'too_long' }]],
    [{ name: 'A' }, [{ path: 'name', code: 'too_short' }]],
    [{ name: 5 }, [{ path: 'name', code: 'invalid_value' }]],
    [{ name: 'Anna', age: '3' }, [{ path: 'age', code: 'not_a_number' }]],
    [{ name: 'Anna', age: 151 }, [{ path: 'age', code: 'out_of_range' }]],
    [{ name: 'Anna', kind: 'c' }, [{ path: 'kind', code: 'invalid_value' }]],
    [{ name: 'Anna', inner: { x: 1, y: 2 } }, [{ path: 'inner.y', code: 'unknown_property' }]],
    [{ name: 'Anna', word: 'bad' }, [{ path: 'word', code: 'own_key' }]],
    [{ name: 'An\0a' }, [{ path: 'name', code: 'unsafe_characters' }]],
    [{ name: 'Anna', inner: { 'x\0': 1, y: ['\0'] } }, [{ path: 'inner.y.0', code: 'unsafe_characters' }]],
    [[], [{ path: '', code: 'invalid_value' }]],
    [
      { name: 'A', age: 999 },
      [
        { path: 'name', code: 'too_short' },
        { path: 'age', code: 'out_of_range' },
      ],
    ],
  ])('%j is refused', async (body, fields) => {
    expect(await faults(body)).toEqual(fields);
  });

  test('of paths and queries counts the same', async () => {
    expect(await faults({ name: 'Anna' }, '/api/echo/x')).toEqual([{ path: 'id', code: 'not_a_number' }]);
    expect(await faults({ name: 'Anna' }, '/api/echo/5?word=toolong')).toEqual([{ path: 'word', code: 'too_long' }]);
    expect(await faults({ name: 'Anna' }, '/api/echo/5?other=1')).toEqual([
      { path: 'other', code: 'unknown_property' },
    ]);
    expect(await faults({ name: 'Anna' }, '/api/echo/5?word=a&word=b')).toEqual([
      { path: 'word', code: 'invalid_value' },
    ]);
    expect((await problem(fetch(`${url}/api/drops?x=1`))).fields).toEqual([{ path: 'x', code: 'unknown_property' }]);
  });

  test('no path climbs: ../ arrives as text and is refused', async () => {
    expect(await faults({ name: 'Anna' }, '/api/echo/..%2f..%2fetc')).toEqual([{ path: 'id', code: 'not_a_number' }]);
  });

  test('where nothing is expected, something is refused', async () => {
    const answer = caller.fetch('/api/nothing', {
      method: 'POST',
      body: '{"a":1}',
      headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
    });
    expect((await problem(answer)).fields).toEqual([{ path: 'a', code: 'unknown_property' }]);
  });

  test.each([
    ['text/plain', '{"name":"Anna"}', 'not_json'],
    ['application/x-www-form-urlencoded', 'name=Anna', 'not_json'],
    ['application/json', '{"name":', 'bad_request'],
    ['application/json', '{"__proto__":{"x":1},"name":"Anna"}', 'bad_request'],
    ['application/json', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 'bad_request'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nAnna\r\n--x--\r\n',
      'not_json',
    ],
  ])('%s %.60s is %s', async (type, body, code) => {
    expect((await problem(post('/api/echo/5', body, { 'content-type': type }))).code).toBe(code);
  });

  test('a body of more than 64 kB is refused, unless the call takes more', async () => {
    const body = (length: number) => JSON.stringify({ text: 'x'.repeat(length) });
    expect((await problem(post('/api/echo/5', body(65_536)))).code).toBe('payload_too_large');
    expect(await (await post('/api/big', body(200_000))).json()).toBe(200_000);
    expect((await problem(post('/api/big', body(300_000)))).code).toBe('payload_too_large');
  });

  test('a broken address is a bad request, with the headers of every answer', async () => {
    const answer = await fetch(`${url}/api/echo/%zz`, { method: 'POST' });
    expect((await problem(answer)).code).toBe('bad_request');
    const whole = await fetch(`${url}/api/drops`);
    for (const name of ['content-security-policy', 'x-content-type-options', 'referrer-policy']) {
      expect(answer.headers.get(name), name).toBeTruthy();
      expect(answer.headers.get(name), name).toBe(whole.headers.get(name));
    }
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{12}$/);
  });

  test('data carries no headers about documents; bytes and pages, which may be opened as one, do', async () => {
    const aboutAll = [
      'content-security-policy',
      'x-content-type-options',
      'cross-origin-resource-policy',
      'referrer-policy',
    ];
    const aboutDocuments = [
      'permissions-policy',
      'x-frame-options',
      'cross-origin-opener-policy',
      'origin-agent-cluster',
    ];
    for (const [answer, isDocument] of [
      [await fetch(`${url}/api/drops`), false],
      [await fetch(`${url}/api/mine`), false],
      [await fetch(`${url}/api/picture`), true],
      [await fetch(`${url}/nowhere`), true],
    ] as const) {
      for (const name of aboutAll) expect(answer.headers.has(name), `${answer.url} ${name}`).toBe(true);
      for (const name of aboutDocuments) expect(answer.headers.has(name), `${answer.url} ${name}`).toBe(isDocument);
    }
    expect((await fetch(`${url}/api/drops`)).headers.get('content-security-policy')).toContain(
      "frame-ancestors 'none'",
    );
  });

  test('a text that the database can’t keep is a bad request', async () => {
    expect((await problem(fetch(`${url}/api/not-a-text`))).code).toBe('bad_request');
  });

  test.each([
    [
      'no boundary',
      'multipart/form-data',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--x--\r\n',
    ],
    [
      'a form that is cut off',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx',
    ],
    [
      'another boundary',
      'multipart/form-data; boundary=y',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--x--\r\n',
    ],
    ['an empty form', 'multipart/form-data; boundary=x', ''],
  ])('%s is a bad request, and no fault of ours', async (_, type, body) => {
    expect((await problem(post('/api/upload', body, { 'content-type': type }))).status).toBe(400);
  });

  test('a segment of a kilobyte arrives', async () => {
    const long = '%2F'.repeat(1000);
    expect((await problem(post(`/api/bugs/${long}?token=t`, '{"password":"p"}'))).code).toBe('unknown_fault');
  });

  test('files come up to their size', async () => {
    const form = (size: number) => {
      const data = new FormData();
      data.set('file', new Blob([Buffer.alloc(size)], { type: 'image/png' }), '../../x.png');
      return data;
    };
    expect(await (await fetch(`${url}/api/upload`, { method: 'POST', body: form(1000) })).json()).toEqual({
      size: 1000,
      type: 'image/png',
    });
    expect((await problem(fetch(`${url}/api/upload`, { method: 'POST', body: form(1001) }))).code).toBe(
      'payload_too_large',
    );
    expect((await problem(fetch(`${url}/api/upload`, { method: 'POST', body: new FormData() }))).code).toMatch(
      /bad_request|invalid_input/,
    );
  });
});

describe('who may call', () => {
  test('nobody without a sign-in, and the answer says how', async () => {
    const answer = await caller.call(mine);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect((await problem(answer)).code).toBe('not_signed_in');
  });

  test('an unknown token has expired, a known end is named; calls that anybody may make treat both as nobody', async () => {
    expect((await problem(caller.call(mine, {}, { token: 'old' }))).code).toBe('session_expired');
    expect((await problem(caller.call(mine, {}, { token: 'sent-out' }))).code).toBe('sent_out');
    for (const token of ['old', 'sent-out', 'x'.repeat(600)])
      expect(await caller.api(echo, { params: { id: 1 }, body: { name: 'Anna' } }, { token })).toMatchObject({
        who: null,
      });
  });

  test('the sign-in is asked for before the input is looked at', async () => {
    expect(
      (
        await problem(
          caller.fetch('/api/nothing', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }),
        )
      ).code,
    ).toBe('not_signed_in');
  });

  test('the token is read from its header alone', async () => {
    expect(
      (await problem(fetch(`${url}/api/mine?token=good`, { headers: { cookie: 'token=good', 'x-token': 'good' } })))
        .code,
    ).toBe('not_signed_in');
  });

  test('a call whose access has no gate can’t be mounted', async () => {
    const fresh = await make();
    expect(() => fresh.handle(foreign, () => {})).toThrow(/no gate/);
    await fresh.close();
  });

  test('what is not mounted is not there', async () => {
    expect((await problem(fetch(`${url}/api/other`))).code).toBe('not_found');
    expect((await problem(fetch(`${url}/api/echo`, { method: 'POST' }))).code).toBe('not_found');
  });
});

describe('methods', () => {
  test('HEAD runs no GET handler', async () => {
    const before = ran;
    const answer = await fetch(`${url}/api/drops`, { method: 'HEAD' });
    expect(answer.status).toBe(405);
    expect(ran).toBe(before);
  });

  test.each(['PUT', 'PATCH', 'DELETE', 'POST', 'OPTIONS'])('%s is not offered where only GET is', async (method) => {
    const answer = await fetch(`${url}/api/drops`, { method });
    expect(answer.headers.get('allow')).toBe('GET');
    expect((await problem(answer)).code).toBe('method_not_allowed');
  });
});

describe('origins', () => {
  const from = (origin: string, method = 'POST') =>
    fetch(`${url}/api/echo/5`, {
      method,
      body: method === 'POST' ? '{"name":"Anna"}' : null,
      headers: { origin, 'content-type': 'application/json' },
    });

  test('a page of another origin changes nothing here', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://fieldroom.test.evil.example',
      'https://fieldroom.test',
    ])
      expect((await problem(from(origin))).code, origin).toBe('forbidden');
  });

  test('our own pages may, by the public address and by the one they came from', async () => {
    expect((await from('http://fieldroom.test')).status).toBe(200);
    expect((await from(url)).status).toBe(200);
  });

  test.each([
    ['localhost:8080', 200],
    ['practice.localhost', 200],
    ['192.168.1.4:8080', 200],
    ['[fd00::1]:8080', 200],
    ['rebound.example', 403],
    ['rebound.example:8080', 403],
  ])('a page that came from %s by its own name answers %i: a foreign name may point anywhere', async (host, status) => {
    const answer = await new Promise<number>((resolve, reject) => {
      const asked = rawRequest(
        `${url}/api/echo/5`,
        { method: 'POST', headers: { host, origin: `http://${host}`, 'content-type': 'application/json' } },
        (response) => {
          response.resume();
          resolve(response.statusCode!);
        },
      );
      asked.once('error', reject);
      asked.end('{"name":"Anna"}');
    });
    expect(answer).toBe(status);
  });
});

describe('faults', () => {
  test('a bug shows a number and nothing else; the log has the stack under it, without what was sent', async () => {
    const body = await problem(
      post('/api/bugs/secret-segment?token=secret-token', '{"password":"secret-password"}', {
        'content-type': 'application/json',
        authorization: 'Bearer secret-bearer',
        cookie: 'a=secret-cookie',
      }),
    );
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Something went wrong on our side.',
      status: 500,
      code: 'unknown_fault',
      reference: expect.any(String),
    });
    const entry = logged.entries().find(({ requestId, level }) => requestId === body.reference && level === 50)!;
    expect(entry).toMatchObject({
      route: '/api/bugs/:secret',
      err: { message: 'it broke', stack: expect.stringContaining('http.test.ts') },
    });
    expect(logged.text()).not.toContain('secret-');
  });

  test('the log has it under our number and under that of the proxy before us', async () => {
    const behind = await make({ TRUST_PROXY: 'loopback' });
    behind.handle(bugs, () => {
      throw new Error('it broke');
    });
    const answer = await fetch(`${await behind.listen()}/api/bugs/x?token=x`, {
      method: 'POST',
      body: '{"password":"x"}',
      headers: { 'content-type': 'application/json', 'x-request-id': 'id-of-the-proxy' },
    });
    const { reference } = await problem(answer);
    await behind.close();
    expect(answer.headers.get('x-request-id')).toBe(reference);
    expect(logged.entries()).toContainEqual(
      expect.objectContaining({ level: 50, requestId: reference, proxyId: 'id-of-the-proxy' }),
    );
  });

  test('a reply that holds more than agreed does not leave', async () => {
    const answer = await caller.call(leaks);
    const body = await problem(answer);
    expect(body.code).toBe('unknown_fault');
    expect(JSON.stringify(body)).not.toContain('leaked-hash');
    expect(logged.text()).toContain('passwordHash unknown_property');
    expect(logged.text()).not.toContain('leaked-hash');
  });

  test('a waiting time is given in whole seconds', async () => {
    const answer = await caller.call(waits);
    expect(answer.headers.get('retry-after')).toBe('13');
    expect(await problem(answer)).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 12.2 });
  });
});

test('a call that anybody may make is counted before its body is read, each call by itself', async () => {
  const limited = await make({ LIMIT_OPEN_CALLS: '2/60' });
  limited.handle(echo, ({ params, body }) => ({ id: params.id, name: body.name, who: null }));
  limited.handle(big, ({ body }) => body.text.length, { bodyLimit: 300_000 });
  limited.handle(nothing, () => {});
  const at = await limited.listen();
  const send = (path: string, body: string, token?: string) =>
    fetch(at + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    });
  expect((await send('/api/echo/5', '{"name":"Anna"}')).status).toBe(200);
  expect((await problem(send('/api/echo/5', '{'))).code).toBe('bad_request');
  // Broken as well, but nobody reads it any more.
  expect((await problem(send('/api/echo/5', '{'))).code).toBe('too_many_requests');
  expect((await send('/api/big', '{"text":"x"}')).status).toBe(200);
  for (let i = 0; i < 4; i++) expect((await send('/api/nothing', '', 'good')).status).toBe(204);
  await limited.close();
});

test('every answer of an address block is counted, and too many are refused', async () => {
  const limited = await make({ LIMIT_REQUESTS: '3/60' });
  limited.handle(drops, () => 1);
  const at = await limited.listen();
  for (let count = 0; count < 3; count++) expect((await fetch(`${at}/api/drops`)).status).toBe(200);
  const answer = await fetch(`${at}/api/drops`);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await problem(answer)).code).toBe('too_many_requests');
  await limited.close();
});

test('forwarding headers are believed from named proxies alone', async () => {
  const seen: string[] = [];
  for (const TRUST_PROXY of ['0', '1']) {
    const behind = await make({ TRUST_PROXY });
    behind.handle(drops, ({ ip }) => seen.push(ip));
    await fetch(`${await behind.listen()}/api/drops`, { headers: { 'x-forwarded-for': '198.51.100.9, 203.0.113.5' } });
    await behind.close();
  }
  expect(seen).toEqual(['127.0.0.1', '203.0.113.5']);
});

test('while stopping, running calls finish and new ones get `shutting_down`', async () => {
  const stopping = await make();
  let let_go = () => {};
  const begun = new Promise<void>((resolve) => {
    stopping.handle(drops, async () => {
      resolve();
      await new Promise<void>((go) => {
        let_go = go;
      });
      return 1;
    });
  });
  const at = await stopping.listen();
  const running = fetch(`${at}/api/drops`);
  await begun;
  stopping.stopTaking();
  expect((await problem(fetch(`${at}/api/drops`))).code).toBe('shutting_down');
  const closed = stopping.close();
  let_go();
  expect(await (await running).json()).toBe(1);
  await closed;
});

test('an upgrade that nobody takes is refused, others reach their taker', async () => {
  const { port } = new URL(url);
  const upgrade = (at: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET ${at} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`),
      );
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
  http.upgrade((request, socket) => {
    if (request.url !== '/socket/ours') return false;
    socket.end('HTTP/1.1 101 Taken\r\n\r\n');
    return true;
  });
  expect(await upgrade('/socket/other')).toMatch(/^HTTP\/1\.1 404/);
  expect(await upgrade('/socket/ours')).toMatch(/^HTTP\/1\.1 101 Taken/);
});

test('a body has to come in time, and a file may come slowly', async () => {
  const impatient = await make({}, { bodyMs: 50 });
  impatient.handle(echo, ({ params, body }) => ({ id: params.id, name: body.name, who: null }));
  impatient.handle(upload, ({ file }) => ({ size: file!.bytes.length, type: file!.contentType }));
  const { port } = new URL(await impatient.listen());
  /** Sends a head and the first part of a body. Returns what the server answers until it closes, and how to go on. */
  const begin = (path: string, type: string, length: number, first: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}`;
    socket.write(`${head}\r\n\r\n${first}`);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', () => {});
    return {
      answer: new Promise<string>((resolve) => socket.on('close', () => resolve(text))),
      send: (rest: string) => socket.write(rest),
    };
  };
  const form =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nabc';
  const end = 'def\r\n--b--\r\n';
  const file = begin('/api/upload', 'multipart/form-data; boundary=b', form.length + end.length, form);
  const text = begin('/api/echo/3', 'application/json', 20, '{"name"');
  const unknown = begin('/api/nowhere', 'application/json', 20, '{"name"');
  // Each of these began after the file.
  expect(await text.answer).not.toMatch(/^HTTP\/1\.1 2/);
  await unknown.answer;
  file.send(end);
  expect(await file.answer).toMatch(/^HTTP\/1\.1 200[\s\S]*"size":6/);
  await impatient.close();
});

test('files that arrive slowly take few places of a sender, and others have theirs', async () => {
  const held = await make(
    {},
    { identify: async (token) => ({ id: Number(token) }), senderOf: ({ id }) => `account ${id}` },
  );
  held.handle(upload, ({ file }) => ({ size: file!.bytes.length, type: file!.contentType }));
  const { port } = new URL(await held.listen());
  // In chunks, so that nobody knows how long it will be.
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const form = chunk('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc');
  const end = chunk('\r\n--b--\r\n') + chunk('');
  const head = (who: number) =>
    `POST /api/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${who}\r\nTransfer-Encoding: chunked\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n`;
  const begin = (who = 1) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(head(who) + form);
    return socket;
  };
  const whole = async (who: number) => {
    const socket = begin(who);
    socket.write(end);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return Number(/^HTTP\/1\.1 (\d+)/.exec(answer.toString())![1]);
  };
  const half = [begin(), begin(), begin(), begin()];
  await expect.poll(() => whole(1)).toBe(429);
  expect(await whole(2), 'another sender').toBe(200);
  // A connection that ends gives its place back.
  half[0]!.destroy();
  await expect.poll(() => whole(1)).toBe(200);
  // So does one that is answered.
  const another = begin();
  await expect.poll(() => whole(1)).toBe(429);
  half[1]!.write(end);
  await once(half[1]!, 'data');
  await expect.poll(() => whole(1)).toBe(200);
  for (const socket of [...half, another]) socket.destroy();
  await held.close();
});

test('someone who hangs up while the sign-in is looked up takes no place', async () => {
  const looked = Promise.withResolvers<Person>();
  const asked = { count: 0 };
  const held = await make(
    {},
    {
      identify: async (token) => {
        if (token !== '1') return { id: Number(token) };
        asked.count += 1;
        return asked.count <= 4 ? looked.promise : { id: 1 };
      },
      senderOf: () => 'everybody',
    },
  );
  held.handle(upload, ({ file }) => ({ size: file!.bytes.length, type: file!.contentType }));
  const at = await held.listen();
  const gone = new Set<Promise<unknown>>();
  held.fastify.server.on('connection', (socket) => gone.add(once(socket, 'close')));
  const send = (signal?: AbortSignal) =>
    fetch(`${at}/api/upload`, {
      method: 'POST',
      // In chunks, so that nobody knows how long it will be.
      body: new Response(new Uint8Array(10)).body,
      duplex: 'half',
      headers: { authorization: 'Bearer 1', 'content-type': 'multipart/form-data; boundary=b' },
      ...(signal ? { signal } : {}),
    } as RequestInit);
  const leaving = new AbortController();
  const left = [1, 2, 3, 4].map(() => send(leaving.signal).catch(() => null));
  await expect.poll(() => asked.count).toBe(4);
  leaving.abort();
  await Promise.all([...left, ...gone]);
  looked.resolve({ id: 1 });
  await expect.poll(async () => (await send()).status).toBe(400);
  expect((await send()).status).toBe(400);
  await held.close();
});

test('an answer that nobody reads does not stay in memory for ever', async () => {
  const impatient = await make({}, { stalledMs: 100 });
  // More than the system's buffers hold.
  const bytes = Buffer.alloc(32_000_000);
  impatient.handle(picture, () => ({ contentType: 'image/svg+xml', bytes }));
  const { port } = new URL(await impatient.listen());
  const closed = new Promise<void>((resolve) => {
    impatient.fastify.server.once('connection', (socket) => socket.once('close', () => resolve()));
  });
  const deaf = connect(Number(port), '127.0.0.1');
  deaf.on('error', () => {});
  deaf.pause();
  deaf.write('GET /api/picture HTTP/1.1\r\nHost: x\r\n\r\n');
  await closed;
  deaf.destroy();
  await impatient.close();
});

test('a Host that is no host does no harm', async () => {
  const status = await new Promise<number>((resolve, reject) => {
    rawRequest(`${url}/api/drops`, { headers: { host: 'a b"<c>' } }, (answer) => resolve(answer.statusCode!))
      .on('error', reject)
      .end();
  });
  expect(status).toBe(200);
});

test('one call has one deadline for the database, before its body was read and after', async () => {
  const seen: (Waits | null)[] = [];
  const gated: Gates<Person, Values> = {
    ...gates,
    anyone(context) {
      seen.push(currentWaits());
      return context.principal;
    },
  };
  const own = await make(
    { DATABASE_TIMEOUT_MS: '700' },
    {
      gates: gated,
      async identify() {
        seen.push(currentWaits());
        return { id: 7 };
      },
    },
  );
  own.handle(big, async () => {
    seen.push(currentWaits());
    return 1;
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const at = await own.listen();
    /** Sends a call whose body comes in two parts, the second after the sign-in was looked up. */
    const send = async () => {
      const before = seen.length;
      const asked = rawRequest(at + big.path, {
        method: 'POST',
        agent,
        headers: { 'content-type': 'application/json', authorization: 'Bearer good' },
      });
      asked.write('{"text":');
      await expect.poll(() => seen.length).toBe(before + 1);
      asked.end('"x"}');
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      return answer.statusCode;
    };
    expect(await send()).toBe(200);
    expect(seen).toHaveLength(3);
    expect(new Set(seen).size).toBe(1);
    expect(seen[0]!.leftMs()).toBe(700);
    await expect.poll(() => seen[0]!.isOver).toBe(true);
    // On the same connection.
    expect(await send()).toBe(200);
    expect(seen).toHaveLength(6);
    expect(new Set(seen).size).toBe(2);
  } finally {
    agent.destroy();
    await own.close();
  }
});
