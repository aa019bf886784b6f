// @vitest-environment happy-dom
import { login, logout, verify } from '@fieldroom/contract/accounts';
import { iconImage } from '@fieldroom/contract/field';
import { exportData } from '@fieldroom/contract/profile';
import { beforeEach, describe, expect, test } from 'vitest';
import { createStore, keepSignIn } from '../storage.ts';
import { createApi } from './api.ts';
import { ApiProblem, fillPath } from './request.ts';

const store = createStore(
  () => window.localStorage,
  () => window.sessionStorage,
);
const user = {
  id: 7,
  firstName: 'Anna',
  lastName: 'B',
  email: 'a@b.example',
  roles: ['ROLE_THERAPIST' as const],
  authorities: ['ROLE_THERAPIST' as const],
  language: 'de' as const,
  slug: 'anna',
  joinLink: 'anna',
};
beforeEach(() => window.localStorage.clear());

/** Stands for the network: returns the answers it is given and records the requests. */
function network(answer: () => Response | Promise<Response>) {
  const asked: { address: string; init: RequestInit }[] = [];
  const fetch = (async (address: string, init: RequestInit) => {
    asked.push({ address, init });
    return answer();
  }) as typeof globalThis.fetch;
  return { asked, api: createApi({ store, fetch }) };
}
const problem =
  (status: number, body: unknown, headers = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/problem+json', ...headers } });
const fault = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('was not refused'),
    (thrown: unknown) => thrown as ApiProblem,
  );

describe('what is sent', () => {
  test('bearer token and therapist header are taken from the store', async () => {
    keepSignIn(store, { token: 'secret', user });
    const { asked, api } = network(() => new Response(null, { status: 204 }));
    await expect(api.call(logout, { params: { userId: 7 } })).resolves.toBeUndefined();
    expect(asked[0]?.address).toBe('/api/authentication/logout/7');
    expect(asked[0]?.init.headers).toMatchObject({ authorization: 'Bearer secret', 'x-therapist-id': '7' });
  });
  test('without a stored sign-in, no headers identify a person', async () => {
    const { asked, api } = network(() => Response.json({ token: 't', user }));
    await api.call(login, { body: { email: 'a', password: 'b' } });
    expect(asked[0]?.init.headers).not.toHaveProperty('authorization');
    expect(asked[0]?.init.headers).not.toHaveProperty('x-therapist-id');
    expect(asked[0]?.init.body).toBe('{"email":"a","password":"b"}');
  });
  test('queries and path parts are encoded', async () => {
    const { asked, api } = network(() => new Response(null, { status: 204 }));
    await api.call(verify, { query: { token: 'a&b=c d' }, body: undefined });
    expect(asked[0]?.address).toBe('/api/authentication/verify?token=a%26b%3Dc+d');
    expect(fillPath('/api/room/door/{joinLink}', { joinLink: '../../x?y#z' })).toBe(
      '/api/room/door/..%2F..%2Fx%3Fy%23z',
    );
    expect(() => fillPath('/a/{id}', {})).toThrow('lacks id');
  });
});

describe('what comes back', () => {
  test('bytes are a blob', async () => {
    const { api } = network(() => new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } }));
    const answer = await api.call(iconImage, { params: { therapistId: 1, id: 2 } });
    expect(await answer.text()).toBe('<svg/>');
  });
  test('a JSON file also comes as a blob, unchanged', async () => {
    const { api } = network(() => Response.json({ me: 'Anna' }));
    expect(await (await api.call(exportData)).text()).toBe('{"me":"Anna"}');
  });
  test('a problem keeps its code, fields, wait and reference', async () => {
    const { api } = network(
      problem(429, {
        code: 'too_many_requests',
        retryAfterSeconds: 12,
        reference: 'R1',
        fields: [{ path: 'email', code: 'required' }, { path: 7 }],
      }),
    );
    const thrown = await fault(api.call(login, { body: { email: 'a', password: 'b' } }));
    expect(thrown).toBeInstanceOf(ApiProblem);
    expect(thrown).toMatchObject({
      code: 'too_many_requests',
      status: 429,
      retryAfterSeconds: 12,
      reference: 'R1',
      fields: [{ path: 'email', code: 'required' }],
    });
  });
  test('Retry-After counts if the body names no wait', async () => {
    const { api } = network(problem(429, {}, { 'retry-after': '30' }));
    expect(await fault(api.call(verify, { query: { token: 'x' }, body: undefined }))).toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 30,
    });
  });
  test.each([
    [502, 'offline'],
    [504, 'offline'],
    [503, 'shutting_down'],
    [401, 'unknown_fault'],
    [404, 'not_found'],
    [500, 'unknown_fault'],
    [418, 'unknown_fault'],
  ])("a proxy's page with status %i is reported as %s", async (status, code) => {
    const { api } = network(
      () => new Response('<html>nginx</html>', { status, headers: { 'content-type': 'text/html' } }),
    );
    expect(await fault(api.call(verify, { query: { token: 'x' }, body: undefined }))).toMatchObject({ code });
  });
  test('no connection means offline, an abort stays an abort', async () => {
    const { api } = network(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await fault(api.call(verify, { query: { token: 'x' }, body: undefined }))).toMatchObject({
      code: 'offline',
    });
    const stop = new AbortController();
    stop.abort();
    expect(
      await fault(api.call(verify, { query: { token: 'x' }, body: undefined, signal: stop.signal })),
    ).toBeInstanceOf(TypeError);
  });
});

describe('an ended sign-in', () => {
  test('is reported once for the token that was refused', async () => {
    keepSignIn(store, { token: 'old', user });
    const told: string[] = [];
    const { api } = network(problem(401, { code: 'session_expired' }));
    api.onSignedOut(({ code }) => told.push(code));
    await fault(api.call(logout, { params: { userId: 7 } }));
    expect(told).toEqual(['session_expired']);
  });
  test('is not reported for wrong credentials or for an older token than the current one', async () => {
    const told: string[] = [];
    const wrong = network(problem(401, { code: 'invalid_credentials' }));
    wrong.api.onSignedOut(({ code }) => told.push(code));
    keepSignIn(store, { token: 'old', user });
    await fault(wrong.api.call(login, { body: { email: 'a', password: 'b' } }));
    const late = network(() => {
      store.setText('token', 'new');
      return problem(401, { code: 'session_expired' })();
    });
    late.api.onSignedOut(({ code }) => told.push(code));
    await fault(late.api.call(logout, { params: { userId: 7 } }));
    expect(told).toEqual([]);
  });
});
