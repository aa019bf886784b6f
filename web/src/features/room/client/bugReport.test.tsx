/** A client reports a fault without leaving the room, on a desktop and on a phone. Numbers: docs/product.md. */
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { allWords, startWords } from '../../../platform/i18n/app.ts';
import type { MediaPerson } from '../../../platform/media/mediaTypes.ts';
import { keepSeat, storage } from '../../../platform/storage.ts';
import { fixedTexts, mask } from '../../bugReports/mask.ts';
import { aMessage, standing } from '../../messages/messages.testing.ts';
import { running } from '../../video/store/videoStore.fixture.ts';
import { ANNA, client, enter, JONAS, leaveAll } from './clientRoom.fixture.tsx';

const takePicture = vi.hoisted(() => vi.fn<() => Promise<Blob>>());
vi.mock('../../bugReports/takePicture.ts', () => ({ takePicture }));

const someone = (id: number, as: 'therapist' | 'client'): MediaPerson => ({
  id,
  as,
  videoStream: null,
  sendsVideo: false,
  sendsAudio: true,
  talking: false,
  size: null,
  layers: null,
  kbps: 0,
  unreadable: false,
});
interface Sent {
  path: string;
  token: string | null;
  value: Record<string, unknown>;
  screenshot: FormDataEntryValue | null;
}
const sent: Sent[] = [];
const left = vi.fn<() => Promise<void>>();

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['room', 'field', 'video', 'messages', 'usage']);
});
beforeEach(() => {
  sent.length = 0;
  left.mockReset().mockResolvedValue();
  takePicture.mockImplementation(async () => new Blob(['png'], { type: 'image/png' }));
  keepSeat(storage, { token: 'the-client', client, language: 'en' });
  history.replaceState(null, '', '/app/play-area-view');
  vi.stubGlobal(
    'fetch',
    async (path: string, { headers, body }: { headers: Record<string, string>; body: unknown }) => {
      if (!(body instanceof FormData)) return Response.json({ code: 'not_found', status: 404 }, { status: 404 });
      sent.push({
        path,
        token: headers['authorization'] ?? null,
        value: JSON.parse(String(body.get('value'))),
        screenshot: body.get('screenshot'),
      });
      return new Response(null, { status: 204 });
    },
  );
});
afterEach(() => {
  cleanup();
  leaveAll();
  window.localStorage.clear();
  takePicture.mockReset();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const smiley = () => screen.findByRole('button', { name: 'Report a problem' });
const more = () => screen.findByRole('button', { name: 'More' });
const panel = () => screen.queryByRole('dialog', { name: 'Report a problem' });
const openedPanel = async () => within(await screen.findByRole('dialog', { name: 'Report a problem' }));
async function chooseReport() {
  await userEvent.click(await more());
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Report a problem' }));
  return openedPanel();
}
async function fillAndSend() {
  const form = await openedPanel();
  await userEvent.click(form.getByRole('radio', { name: 'High' }));
  await userEvent.type(form.getByLabelText('What happened?'), 'It broke.');
  await userEvent.click(form.getByRole('button', { name: 'Send report' }));
  expect(await screen.findByText('Thank you for your report!')).toBeTruthy();
}

test('12.20 12.29 on a desktop the smiley is in the top bar; the report is sent with the client’s own sign-in', async () => {
  enter({ phone: false, onLeave: left });
  await userEvent.click(await smiley());
  expect(await (await openedPanel()).findByRole('img', { name: /Picture of the page/ })).toBeTruthy();
  await fillAndSend();
  expect(sent).toMatchObject([
    {
      path: '/logger_api/logger/bug/report/save',
      token: 'Bearer the-client',
      value: { page: '/app/play-area-view', comment: 'It broke.', noImg: false },
    },
  ]);
  expect(JSON.stringify(sent[0]!.value)).not.toContain('Hanna');
  // The pressed button is gone, and Escape still closes; the field does not receive it.
  const heard = vi.fn();
  document.addEventListener('keydown', heard);
  await userEvent.keyboard('{Escape}');
  document.removeEventListener('keydown', heard);
  expect(heard).not.toHaveBeenCalled();
  expect(panel()).toBeNull();
  expect(document.activeElement).toBe(await smiley());
  expect(left).not.toHaveBeenCalled();
});

test('12.29 on a phone it is an entry of “More”; the panel opens after the menu has closed', async () => {
  let menus: number | null = null;
  takePicture.mockImplementation(async () => {
    menus = document.querySelectorAll('[role="menu"]').length;
    return new Blob(['png'], { type: 'image/png' });
  });
  enter({ phone: true, onLeave: left });
  await more();
  expect(screen.queryByRole('button', { name: 'Report a problem' })).toBeNull();
  const form = await chooseReport();
  expect(await form.findByRole('img', { name: /Picture of the page/ })).toBeTruthy();
  expect(menus).toBe(0);
  expect(panel()!.contains(document.activeElement)).toBe(true);
  await userEvent.keyboard('{Escape}');
  expect(panel()).toBeNull();
  expect(document.activeElement).toBe(await more());
  // The same again: opening starts with an empty form.
  await chooseReport();
  await fillAndSend();
  expect(sent).toHaveLength(1);
  expect(screen.queryByRole('dialog', { name: 'Leave the room?' })).toBeNull();
  expect(left).not.toHaveBeenCalled();
});

test('12.26 12.29 without a picture a client’s report works and says so', async () => {
  takePicture.mockRejectedValue(new Error('cannot draw'));
  enter({ phone: true, onLeave: left });
  const form = await chooseReport();
  expect(await form.findByText('No picture could be taken. You can send the report without one.')).toBeTruthy();
  await fillAndSend();
  expect(sent).toMatchObject([{ value: { noImg: true }, screenshot: null }]);
});

test('12.29 keys in the panel do not affect the field', async () => {
  const { connection } = enter({ phone: false, onLeave: left });
  await userEvent.click(await smiley());
  const heard = vi.fn();
  document.addEventListener('keydown', heard);
  const form = await openedPanel();
  await userEvent.type(form.getByLabelText('What happened?'), 'm[[ ');
  await userEvent.keyboard('{Control>}z{/Control}{Delete}{ArrowLeft}{Escape}');
  document.removeEventListener('keydown', heard);
  expect(panel()).toBeNull();
  expect(heard).not.toHaveBeenCalled();
  expect(connection.sent.filter(({ destination }) => destination.includes('field'))).toEqual([]);
});

test('12.29 the focus stays with a person who continued in the room when the panel closes by itself', async () => {
  enter({ phone: false, onLeave: left });
  await userEvent.click(await smiley());
  await (await openedPanel()).findByRole('img', { name: /Picture of the page/ });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    await fillAndSend();
    const leave = screen.getByRole('button', { name: 'Leave' });
    leave.focus();
    await act(() => vi.advanceTimersByTimeAsync(5000));
    expect(panel()).toBeNull();
    expect(document.activeElement).toBe(leave);
  } finally {
    vi.useRealTimers();
  }
});

test('12.29 typed text stays when the window becomes as low as a phone', async () => {
  const { become } = enter({ phone: false, onLeave: left });
  await userEvent.click(await smiley());
  const form = await openedPanel();
  await userEvent.type(form.getByLabelText('What happened?'), 'It broke.');
  become(true);
  await more();
  expect(screen.queryByRole('button', { name: 'Report a problem' })).toBeNull();
  expect(form.getByLabelText<HTMLTextAreaElement>('What happened?').value).toBe('It broke.');
  await userEvent.keyboard('{Escape}');
  expect(document.activeElement).toBe(await more());
});

/** The texts of a part of the page, without empty ones. */
function textsIn(root: Element): string[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode()) texts.push((walker.currentNode as Text).data.trim());
  return texts.filter((text) => text !== '');
}

test('12.25 the mask hides all of the room’s personal data, even texts equal to the interface’s', async () => {
  const { world, video, connection } = enter({ phone: false, onLeave: left });
  act(() => {
    world.room(running(true));
    connection.say({
      eventType: 'MESSAGES',
      contents: standing([aMessage(1, { from: JONAS, text: 'Could we stop?' }), aMessage(2, { text: 'I am cold' })]),
    });
    connection.say({ eventType: 'OBSERVER_INVITATION', contents: { invited: true } });
    connection.say({
      eventType: 'OBSERVER_WORD',
      contents: { actId: crypto.randomUUID(), personId: JONAS, text: 'a little lighter' },
    });
    connection.say({
      eventType: 'PLAYER_DRAG',
      contents: { drags: [{ figureId: 3, x: 1250, y: 100, by: JONAS }] },
    });
    connection.say({
      eventType: 'POINTER',
      contents: { pointers: [{ by: JONAS, name: 'Jonas', x: 400, y: 500 }] },
    });
  });
  await act(async () => {
    video.join('microphone');
  });
  act(() => world.set({ people: [someone(ANNA, 'therapist'), someone(JONAS, 'client')] }));
  await userEvent.click(await screen.findByRole('button', { name: /^Messages/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Look from here' }));
  await screen.findByText('Could we stop?');
  await screen.findByText('a little lighter');
  await waitFor(() => expect(document.querySelector('[data-room="sight"] li')).toBeTruthy());
  await waitFor(() => expect(document.querySelectorAll('figure[data-person]')).toHaveLength(3));
  await waitFor(() => expect(document.querySelector('[data-mark="held"]')).toBeTruthy());
  const room = document.querySelector('[data-room="client"]')!;

  const drawn = [...room.querySelectorAll('svg text')].map((text) => text.textContent.trim()).filter(Boolean);
  expect(drawn.filter((text) => text === 'Jonas')).toHaveLength(2);
  const initials = ['A', 'J'];
  const names = ['Anna', 'Jonas', 'Grandmother Zora', 'Uncle Bela', 'a little lighter', 'Could we stop?', 'I am cold'];
  const personal = [...names, ...initials, ...drawn];
  expect(textsIn(room)).toEqual(expect.arrayContaining(personal));
  const copy = room.cloneNode(true) as Element;
  mask(copy, fixedTexts([allWords(), personal]));
  const shown = textsIn(copy);
  expect(shown).toEqual(expect.arrayContaining(['You stand for', 'Leave']));
  expect(shown.filter((text) => personal.includes(text))).toEqual([]);
  expect(shown.join(' ')).not.toMatch(/Anna|Hanna|Jonas|Zora|Bela|Ilka/);
  expect(copy.querySelector('video, img, image, canvas')).toBeNull();
});
