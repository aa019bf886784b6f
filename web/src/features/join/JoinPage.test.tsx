import { CLIENT_ROOM } from '@fieldroom/contract/pages';
import { personName } from '@fieldroom/contract/text';
import { codeFault } from '@fieldroom/contract/clients';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepSeat, keepSignIn, storage } from '../../platform/storage.ts';
import { TRY_AGAIN_MS } from '../../platform/api/request.ts';
import { JoinPage } from './JoinPage.tsx';
import { LEAVE_WITHIN_MS } from '../../platform/time/within.ts';
import { formFault } from '../../platform/forms/formFault.ts';
import { goodbyeReason, readJoinAddress } from './joinAddress.ts';
import { showJoinLanguage } from './useJoinWords.ts';
import { client } from '../../platform/client.testing.ts';

const seat = { client, state: 'waiting', therapistHere: true };
const user = {
  id: 7,
  firstName: 'Anna',
  lastName: 'B',
  email: 'a@b.example',
  roles: ['ROLE_THERAPIST' as const],
  authorities: ['ROLE_THERAPIST' as const],
  language: 'en' as const,
  slug: 'anna',
  joinLink: 'anna',
};

/** The network's edge: answers by method and path; any other request is a fault of the test. */
function network(answers: Record<string, () => Response>) {
  const asked: string[] = [];
  const bodies: unknown[] = [];
  const bearers: (string | null)[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (address === CLIENT_ROOM) return new Response(null, { status: 503 });
    const name = `${init.method} ${address}`;
    asked.push(name);
    bearers.push(new Headers(init.headers).get('authorization'));
    if (typeof init.body === 'string') bodies.push(JSON.parse(init.body));
    const answer = answers[name];
    if (!answer) throw new TypeError(`no answer for ${name}`);
    return answer();
  });
  return { asked, bodies, bearers };
}
const json = (body: unknown) => () => Response.json(body);
const refuse =
  (status: number, code: string, more = {}) =>
  () =>
    Response.json({ code, status, ...more }, { status });
const HOST = { 'GET /api/room/door/anna': json({ firstName: 'Anna', picture: null }) };
const opened = vi.fn();
function at(path: string) {
  window.history.replaceState(null, '', path);
  render(<JoinPage openRoomHere={opened} />);
}

beforeEach(() => {
  opened.mockReset();
  showJoinLanguage('en');
  window.localStorage.clear();
  // The waiting room's connection stays closed here; WaitingRoom.test.tsx covers it.
  vi.stubGlobal(
    'WebSocket',
    class {
      close() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('rules', () => {
  test('faults of code and name', () => {
    expect([
      codeFault(''),
      codeFault(' - '),
      codeFault('ab 2-c'),
      codeFault('ab 2-cd'),
      codeFault('A'.repeat(17)),
    ]).toEqual(['required', 'required', 'code_too_short', null, 'too_long']);
    expect(['  ', 'Hanna', 'x'.repeat(61), 'Ha\u202Enna'].map((name) => formFault(personName, name))).toEqual([
      'required',
      null,
      'too_long',
      'unsafe_characters',
    ]);
  });
  test('addresses', () => {
    expect(readJoinAddress('/user/join/anna', '')).toEqual({ page: 'join', joinLink: 'anna' });
    expect(readJoinAddress('/user/join/%E0%A4%A', '')).toEqual({ page: 'join', joinLink: '%E0%A4%A' });
    expect(readJoinAddress('/user/join/', '')).toEqual({ page: 'code' });
    expect(readJoinAddress('/user/bye', '?why=removed')).toEqual({ page: 'goodbye', why: 'removed', joinLink: null });
    expect(readJoinAddress('/user/bye', '?why=left&link=ab-c')).toEqual({
      page: 'goodbye',
      why: 'left',
      joinLink: 'ab-c',
    });
    expect([
      goodbyeReason('therapist_away'),
      goodbyeReason('over'),
      goodbyeReason('signed_out'),
      goodbyeReason('<b>'),
    ]).toEqual(['away', 'ended', 'ended', 'ended']);
  });
});

test('link and name: asks to enter, stores the seat, waits', async () => {
  const { bodies } = network({ ...HOST, 'POST /api/room/enter': json({ ...seat, token: 'c' }) });
  at('/user/join/anna');
  await userEvent.type(await screen.findByLabelText('Your name'), 'Hanna');
  await userEvent.click(screen.getByRole('button', { name: 'Knock at the door' }));
  expect((await screen.findByRole('heading')).textContent).toBe('Welcome, Hanna');
  expect(bodies).toEqual([{ joinLink: 'anna', name: 'Hanna' }]);
  expect(storage.getText('token')).toBe('c');
  expect(storage.get('user')?.authorities).toEqual(['ROLE_CLIENT']);
});

test('an older seat is sent along, and kept until the server’s answer decides about it', async () => {
  // Entered by a code, so the stored seat belongs to no link.
  keepSeat(storage, {
    token: 'older',
    client: { ...client, therapist: { ...client.therapist, joinLink: '' } },
    language: 'en',
  });
  let answer = refuse(503, 'shutting_down');
  const { asked, bearers } = network({ ...HOST, 'POST /api/room/enter': () => answer() });
  at('/user/join/anna');
  await userEvent.type(await screen.findByLabelText('Your name'), 'Hanna');
  const knock = screen.getByRole('button', { name: 'Knock at the door' });
  await userEvent.click(knock);
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(storage.getText('token')).toBe('older');
  answer = json({ ...seat, token: 'c' });
  await userEvent.click(knock);
  expect((await screen.findByRole('heading')).textContent).toBe('Welcome, Hanna');
  expect(asked.flatMap((name, nth) => (name === 'POST /api/room/enter' ? [bearers[nth]] : []))).toEqual([
    'Bearer older',
    'Bearer older',
  ]);
  expect(storage.getText('token')).toBe('c');
});

test('11.67 a client who may enter at once, or is already in, sees the room open in this document', async () => {
  const inside = { ...seat, state: 'in' };
  network({ ...HOST, 'POST /api/room/enter': json({ ...inside, token: 'c' }), 'GET /api/room/seat': json(inside) });
  at('/user/join/anna');
  await userEvent.type(await screen.findByLabelText('Your name'), 'Hanna');
  await userEvent.click(screen.getByRole('button', { name: 'Knock at the door' }));
  expect(await screen.findByText('Come in – opening the room…')).toBeTruthy();
  expect(opened).toHaveBeenCalledOnce();
  cleanup();
  // Back by the link, with the token.
  at('/user/join/anna');
  expect(await screen.findByText('Come in – opening the room…')).toBeTruthy();
  expect(opened).toHaveBeenCalledTimes(2);
});

test('without a name nothing is sent and the field says why', async () => {
  const { asked } = network(HOST);
  at('/user/join/anna');
  await userEvent.click(await screen.findByRole('button', { name: 'Knock at the door' }));
  const field = screen.getByLabelText('Your name');
  expect(await screen.findByText('Name required')).toBeTruthy();
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(field);
  expect(asked.some((call) => call.startsWith('POST'))).toBe(false);
});

test("code and name: the catalogue's words, then the server's at the field", async () => {
  network({
    'POST /api/room/enter': refuse(400, 'invalid_input', { fields: [{ path: 'code', code: 'code_too_short' }] }),
  });
  at('/user/code');
  const button = await screen.findByRole('button', { name: 'Knock at the door' });
  await userEvent.click(button);
  expect(await screen.findByText('Code required')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Code'), 'abc');
  await userEvent.type(screen.getByLabelText('Your name'), 'Hanna');
  await userEvent.click(button);
  expect(await screen.findByText('Code is at least 5 digits long')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Code'), 'de');
  await userEvent.click(button);
  expect(await screen.findByText('Code is at least 5 digits long')).toBeTruthy();
});

test('11.68 values typed before the script ran are sent', async () => {
  const { bodies } = network({ 'POST /api/room/enter': json({ ...seat, token: 'c' }) });
  at('/user/code');
  (await screen.findByLabelText<HTMLInputElement>('Code')).value = 'ABCDE';
  screen.getByLabelText<HTMLInputElement>('Your name').value = 'Hanna';
  await userEvent.click(screen.getByRole('button', { name: 'Knock at the door' }));
  expect(await screen.findByText('Welcome, Hanna')).toBeTruthy();
  expect(bodies).toEqual([{ code: 'ABCDE', name: 'Hanna' }]);
});

test('a code of twelve characters, which an operator may choose, is sent unchanged', async () => {
  const { bodies } = network({ 'POST /api/room/enter': json({ ...seat, token: 'c' }) });
  at('/user/code');
  await userEvent.type(await screen.findByLabelText('Code'), 'abcd 2345 - wxyz');
  await userEvent.type(screen.getByLabelText('Your name'), 'Hanna');
  await userEvent.click(screen.getByRole('button', { name: 'Knock at the door' }));
  expect((await screen.findByRole('heading')).textContent).toBe('Welcome, Hanna');
  expect(bodies).toEqual([{ code: 'ABCD2345WXYZ', name: 'Hanna' }]);
});

test.each(['/user/code', '/user/join/anna'])(
  '%s explains to somebody who was inactive why they are here again',
  async (path) => {
    network(HOST);
    at(`${path}?why=idle`);
    await screen.findByText(/Nothing happened here for ten minutes/);
  },
);

test('a wrong code gets a generic answer', async () => {
  network({ 'POST /api/room/enter': refuse(404, 'invalid_code') });
  at('/user/code');
  await userEvent.type(await screen.findByLabelText('Code'), 'abcde');
  await userEvent.type(screen.getByLabelText('Your name'), 'Hanna');
  await userEvent.click(screen.getByRole('button', { name: 'Knock at the door' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Invalid code');
});

test('a therapist who is signed in on this browser is stopped before any request', async () => {
  keepSignIn(storage, { token: 't', user });
  const { asked } = network(HOST);
  at('/user/join/anna');
  expect(
    await screen.findByText('You have an active therapist login session, use a different browser or incognito mode'),
  ).toBeTruthy();
  expect(asked).toEqual([]);
});

test('a reload while waiting does not ask for the name', async () => {
  keepSeat(storage, { token: 'c', client, language: 'en' });
  network({ 'GET /api/room/seat': json(seat) });
  at('/user/join/anna');
  expect((await screen.findByRole('heading')).textContent).toBe('Welcome, Hanna');
});

test('if the therapist is not there yet, the page says so kindly', async () => {
  keepSeat(storage, { token: 'c', client, language: 'en' });
  network({ 'GET /api/room/seat': json({ ...seat, therapistHere: false }) });
  at('/user/join/anna');
  expect(await screen.findByText(/Anna isn’t here yet/)).toBeTruthy();
});

test('if the room is full, the page keeps the place and says so', async () => {
  keepSeat(storage, { token: 'c', client, language: 'en' });
  network({ 'GET /api/room/seat': refuse(409, 'room_full') });
  at('/user/join/anna');
  expect(await screen.findByText(/The room is full, please try again later/)).toBeTruthy();
  expect(storage.getText('token')).toBe('c');
});

test.each([
  [410, 'live_session_over'],
  [403, 'sent_out'],
  [401, 'session_expired'],
])('an old token (%i %s) is forgotten and the form is shown again', async (status, code) => {
  keepSeat(storage, { token: 'c', client, language: 'en' });
  network({ ...HOST, 'GET /api/room/seat': refuse(status, code) });
  at('/user/join/anna');
  expect(await screen.findByLabelText('Your name')).toBeTruthy();
  expect(storage.getText('token')).toBeNull();
});

test('without a connection the token is kept, and another try offered', async () => {
  keepSeat(storage, { token: 'c', client, language: 'en' });
  network({});
  at('/user/join/anna');
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
  expect(storage.getText('token')).toBe('c');
});

test.each([
  [503, 'shutting_down'],
  [429, 'too_many_requests'],
  [500, 'unknown_fault'],
])('%i (%s) keeps the seat, and the page continues by itself afterwards', async (status, code) => {
  keepSeat(storage, { token: 'c', client, language: 'en' });
  let answer = refuse(status, code);
  network({ 'GET /api/room/seat': () => answer() });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    at('/user/join/anna');
    await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy());
    expect(storage.getText('token')).toBe('c');
    answer = json(seat);
    await act(() => vi.advanceTimersByTimeAsync(TRY_AGAIN_MS));
    expect(screen.getByRole('heading').textContent).toBe('Welcome, Hanna');
    expect(storage.getText('token')).toBe('c');
  } finally {
    vi.useRealTimers();
  }
});

test('an unknown link offers the code', async () => {
  network({ 'GET /api/room/door/nobody': refuse(404, 'join_link_unknown') });
  at('/user/join/nobody');
  expect((await screen.findByRole('link')).getAttribute('href')).toBe('/user/code');
});

test('11.61: deciding not to enter ends the seat, has its own words, and offers the way back', async () => {
  keepSeat(storage, { token: 'c', client, language: 'en' });
  const { asked } = network({
    'GET /api/room/seat': json(seat),
    'POST /api/room/leave': () => new Response(null, { status: 204 }),
  });
  at('/user/join/anna');
  await userEvent.click(await screen.findByRole('button', { name: 'I’d rather not join' }));
  expect((await screen.findByRole('heading')).textContent).toBe('Another time');
  expect(screen.getByRole('link').getAttribute('href')).toBe('/user/join/anna');
  expect(asked).toContain('POST /api/room/leave');
  expect(storage.getText('token')).toBeNull();
  // Also after a reload.
  expect(window.location.pathname + window.location.search).toBe('/user/bye?why=stayedOut&link=anna');
});

test('11.61: giving up before a full room does the same', async () => {
  keepSeat(storage, { token: 'c', client, language: 'en' });
  network({
    'GET /api/room/seat': refuse(409, 'room_full'),
    'POST /api/room/leave': () => new Response(null, { status: 204 }),
  });
  at('/user/join/anna');
  await userEvent.click(await screen.findByRole('button', { name: 'I’d rather not join' }));
  expect((await screen.findByRole('heading')).textContent).toBe('Another time');
  expect(screen.getByRole('link').getAttribute('href')).toBe('/user/join/anna');
});

test('deciding not to enter does not wait for a server that does not answer', async () => {
  keepSeat(storage, { token: 'c', client, language: 'en' });
  network({
    'GET /api/room/seat': json(seat),
    'POST /api/room/leave': () => new Promise<Response>(() => undefined) as never,
  });
  at('/user/join/anna');
  const leave = await screen.findByRole('button', { name: 'I’d rather not join' });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    leave.click();
    await act(() => vi.advanceTimersByTimeAsync(LEAVE_WITHIN_MS));
    expect(screen.getByRole('heading').textContent).toBe('Another time');
    expect(storage.getText('token')).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

describe('another tab of this browser', () => {
  const other = { ...client, id: 10, name: 'Jonas' };

  test('4.14: a therapist who has signed in there since the form was shown stays signed in', async () => {
    const { asked } = network(HOST);
    at('/user/join/anna');
    await userEvent.type(await screen.findByLabelText('Your name'), 'Hanna');
    keepSignIn(storage, { token: 't', user });
    await userEvent.click(screen.getByRole('button', { name: 'Knock at the door' }));
    expect(await screen.findByText(/You have an active therapist login session/)).toBeTruthy();
    expect(asked).toEqual(['GET /api/room/door/anna']);
    expect(storage.getText('token')).toBe('t');
  });

  test('the end of a seat does not end the sign-in of somebody who signed in since', async () => {
    keepSeat(storage, { token: 'c', client, language: 'en' });
    network({
      'GET /api/room/seat': json(seat),
      'POST /api/room/leave': () => new Response(null, { status: 204 }),
    });
    at('/user/join/anna');
    const leave = await screen.findByRole('button', { name: 'I’d rather not join' });
    keepSignIn(storage, { token: 't', user });
    await userEvent.click(leave);
    expect((await screen.findByRole('heading')).textContent).toBe('Another time');
    expect(storage.getText('token')).toBe('t');
  });

  test('a late refusal of a token does not remove a newer one', async () => {
    keepSeat(storage, { token: 'old', client, language: 'en' });
    let answer: (response: Response) => void = () => undefined;
    const answers = [new Promise<Response>((resolve) => (answer = resolve)), Response.json({ ...seat, client: other })];
    network({ 'GET /api/room/seat': () => answers.shift() as never });
    at('/user/join/anna');
    keepSeat(storage, { token: 'new', client: other, language: 'en' });
    await act(async () => answer(refuse(401, 'session_expired')()));
    expect((await screen.findByRole('heading')).textContent).toBe('Welcome, Jonas');
    expect(storage.getText('token')).toBe('new');
  });
});

test('a client who leaves the room reads goodbye with the way back; a removed one does not', async () => {
  at('/user/bye?why=left&link=ab-c');
  expect((await screen.findByRole('link')).getAttribute('href')).toBe('/user/join/ab-c');
  cleanup();
  at('/user/bye?why=removed&link=ab-c');
  expect((await screen.findByRole('heading')).textContent).toBe('You’ve left the session');
  expect(screen.queryByRole('link')).toBeNull();
});

test('the language switches without a reload', async () => {
  network(HOST);
  at('/user/join/anna');
  await screen.findByLabelText('Your name');
  await userEvent.selectOptions(screen.getByRole('combobox'), 'de');
  expect(await screen.findByLabelText('Ihr Name')).toBeTruthy();
  expect(document.documentElement.lang).toBe('de');
  await userEvent.selectOptions(screen.getByRole('combobox'), 'en');
});
