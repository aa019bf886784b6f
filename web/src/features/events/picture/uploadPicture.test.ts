// @vitest-environment happy-dom
/** The upload at the network's edge: the request, the progress, and the outcomes. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api, type ApiProblem } from '../../../platform/api/index.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import { uploadPicture } from './uploadPicture.ts';
import { stubUploads } from '../../../platform/fetching/sendFile.testing.ts';

const picture = new File(['x'], 'picture.jpg', { type: 'image/jpeg' });
beforeEach(() => {
  window.localStorage.clear();
  keepSignIn(storage, {
    token: 't',
    user: {
      id: 7,
      firstName: 'Anna',
      lastName: 'B',
      email: 'a@b.example',
      roles: ['ROLE_THERAPIST'],
      authorities: ['ROLE_THERAPIST'],
      language: 'en',
      slug: 'anna',
      joinLink: 'anna',
    },
  });
  stubUploads();
});
afterEach(() => vi.unstubAllGlobals());
const fault = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('was not refused'),
    (thrown: unknown) => thrown as ApiProblem,
  );

describe('an upload', () => {
  test('sends the sign-in and the purpose, and reports its progress', async () => {
    const asked: { address: string; init: RequestInit }[] = [];
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      asked.push({ address, init });
      return Response.json({ fileName: 'x.webp' });
    });
    const parts: number[] = [];
    expect(await uploadPicture(31, picture, 'later', { onProgress: (part) => parts.push(part) })).toEqual({
      fileName: 'x.webp',
    });
    expect(parts).toEqual([0.5, 1]);
    expect(asked.map(({ address, init }) => [init.method, address])).toEqual([
      ['POST', '/api/event/images/31/upload?scope=later'],
    ]);
    expect(asked[0]?.init.headers).toMatchObject({ authorization: 'Bearer t' });
    expect(((asked[0]!.init.body as FormData).get('file') as File).name).toBe('picture.jpg');
  });

  test('gives the reason of a refusal, with the wait; a lost connection and a proxy’s page differ', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ code: 'too_many_requests', retryAfterSeconds: 60 }, { status: 429 }),
    );
    expect(await fault(uploadPicture(31, picture, 'this'))).toMatchObject({
      code: 'too_many_requests',
      status: 429,
      retryAfterSeconds: 60,
    });
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 413 }));
    expect(await fault(uploadPicture(31, picture, 'this'))).toMatchObject({ code: 'payload_too_large' });
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('line');
    });
    expect(await fault(uploadPicture(31, picture, 'this'))).toMatchObject({ code: 'offline' });
  });

  test('can be stopped, even before it begins', async () => {
    const fetch = vi.fn(() => new Promise<Response>(() => {}));
    vi.stubGlobal('fetch', fetch);
    const stop = new AbortController();
    const running = uploadPicture(31, picture, 'this', { signal: stop.signal });
    stop.abort();
    expect(await fault(running)).toMatchObject({ name: 'AbortError' });
    expect(fetch).toHaveBeenCalledTimes(1);
    expect(await fault(uploadPicture(31, picture, 'this', { signal: stop.signal }))).toMatchObject({
      name: 'AbortError',
    });
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('reports an expired sign-in to the whole app', async () => {
    vi.stubGlobal('fetch', async () => Response.json({ code: 'session_expired' }, { status: 401 }));
    const told: string[] = [];
    const quiet = api.onSignedOut(({ code }) => told.push(code));
    expect(await fault(uploadPicture(31, picture, 'this'))).toMatchObject({ code: 'session_expired' });
    expect(told).toEqual(['session_expired']);
    quiet();
  });
});
