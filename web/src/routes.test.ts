/**
 * The site's root as a therapist opens it, with simulated answers of the server.
 *
 * @alone The page has one router, which keeps what earlier files did to it.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepSignIn, storage } from './platform/storage.ts';
import { fetchAhead, router } from './routes.tsx';

const user = {
  id: 7,
  firstName: 'Anna',
  lastName: 'B',
  email: 'a@b.example',
  language: 'en' as const,
  slug: 'anna',
  joinLink: 'anna',
  roles: ['ROLE_THERAPIST' as const],
  authorities: ['ROLE_THERAPIST' as const],
};

let asked: string[] = [];
function server(answer: () => Response) {
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return answer();
  });
}
const refuse = (status: number, code: string) => () => Response.json({ code, status }, { status });
async function openRoot() {
  window.history.replaceState(null, '', '/');
  const loaded = router.load();
  await vi.runAllTimersAsync();
  await loaded;
  return router.state.location.pathname;
}

beforeEach(() => {
  window.localStorage.clear();
  asked = [];
  keepSignIn(storage, { token: 't', user });
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  [503, 'shutting_down'],
  [429, 'too_many_requests'],
  [500, 'unknown_fault'],
])('%i keeps the sign-in and ends nothing', async (status, code) => {
  server(refuse(status, code));
  expect(await openRoot()).toBe('/app/play-area');
  expect(storage.getText('token')).toBe('t');
  expect(asked.filter((address) => address.includes('logout'))).toEqual([]);
  expect(asked.filter((address) => address.includes('isTheripstLoggedIn')).length).toBeGreaterThan(1);
});

test.each([[() => Response.json(false)], [refuse(401, 'session_expired')]])(
  'a clear refusal signs out',
  async (answer) => {
    server(answer);
    expect(await openRoot()).toBe('/user/login');
    expect(storage.getText('token')).toBeNull();
  },
);

async function open(path: string) {
  const loaded = router.navigate({ to: path });
  await vi.runAllTimersAsync();
  await loaded;
  return router.state.location.pathname;
}

test.each(['/user/join/anna', '/user/code', '/user/waiting', '/user/bye?why=left', '/event/anna', '/event/confirm'])(
  '%s is a separate document, which is loaded',
  async (path) => {
    window.history.replaceState(null, '', '/user/login');
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    await open(path);
    expect(assign).toHaveBeenCalledWith(path);
  },
);

test.each([
  ['/app/history', ['shell', 'usage', 'notices', 'search', 'sessions']],
  ['/app/play-area', ['room', 'field', 'video', 'messages', 'usage']],
  ['/user/login', ['accounts']],
  ['/nowhere', ['shell']],
])('the texts of %s are fetched with the first files, frame and page together', (path, texts) => {
  expect(fetchAhead(path).texts).toEqual(texts);
});
