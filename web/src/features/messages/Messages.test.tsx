/**
 * Messages as people use them: the panel, its input, the button with its count, and the announcements for screen
 * readers.
 */
import { MESSAGES_SEND } from '@fieldroom/contract/messages';
import { problemBody } from '@fieldroom/contract/problems';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import words from '../../locales/en/messages.json';
import problems from '../../locales/en/problems.json';
import { fakeConnection, type FakeConnection } from '../../platform/realtime/connection.fixture.ts';
import { createMessagesStore, Messages, MessagesButton, MessagesContext, type MessagesStore } from './index.ts';
import { aMessage, HANNA, JONAS, standing, THERAPIST } from './messages.testing.ts';

let connection: FakeConnection;
let store: MessagesStore;
const therapist = { id: THERAPIST, name: 'Anna' };
const everybody = [
  { id: HANNA, name: 'Hanna' },
  { id: JONAS, name: 'Jonas' },
];
const sent = () =>
  connection.sent.filter(({ destination }) => destination === MESSAGES_SEND.send).map(({ body }) => body);
const say = (...changes: Parameters<FakeConnection['say']>[0][]) =>
  act(() => {
    for (const change of changes) connection.say(change);
  });
const hear = (...args: Parameters<typeof aMessage>) => say({ eventType: 'MESSAGE', contents: aMessage(...args) });
const button = () => screen.getByRole('button', { name: /^Messages/ });
const input = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const panel = () => screen.queryByRole('complementary', { name: 'Messages' });

interface Shown {
  me?: number;
  people?: { id: number; name: string }[];
  therapistHere?: boolean;
  allowClients?: (mayWrite: boolean) => Promise<void>;
}
function show({ me = HANNA, people = everybody, therapistHere = true, allowClients }: Shown = {}) {
  store?.close();
  connection = fakeConnection();
  store = createMessagesStore({ connection, me, ...(allowClients ? { allowClients } : {}) });
  const as = me === THERAPIST ? 'therapist' : 'client';
  const tree = (next: Partial<Shown> = {}) => (
    <MessagesContext value={store}>
      <MessagesButton />
      <button type="button">elsewhere</button>
      <Messages
        as={as}
        therapist={therapist}
        people={next.people ?? people}
        therapistHere={next.therapistHere ?? therapistHere}
      />
    </MessagesContext>
  );
  const { rerender } = render(tree());
  return { change: (next: Partial<Shown>) => rerender(tree(next)) };
}
/** Opens the panel after MESSAGES with these messages. */
async function open(shown: Shown = {}, messages = [aMessage(1, { from: JONAS })], mayWrite = true) {
  const drawn = show(shown);
  say({ eventType: 'MESSAGES', contents: standing(messages, { clientsMayWrite: mayWrite }) });
  await userEvent.click(button());
  // The panel takes the focus when it appears; a test that moves it must not be overtaken.
  await waitFor(() => expect(panel()!.contains(document.activeElement)).toBe(true));
  return drawn;
}

beforeAll(() =>
  i18next.use(initReactI18next).init({
    lng: 'en',
    resources: { en: { messages: words, problems } },
    interpolation: { escapeValue: false },
  }),
);
beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the panel', () => {
  test('opens with the focus in the input; Escape and the cross close it and return the focus', async () => {
    await open();
    await waitFor(() => expect(document.activeElement).toBe(input()));
    expect(button().getAttribute('aria-expanded')).toBe('true');
    await userEvent.keyboard('{Escape}');
    expect(panel()).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(button()));
    await userEvent.click(button());
    await userEvent.click(screen.getByRole('button', { name: 'Close messages' }));
    expect(panel()).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(button()));
  });

  test('shows text as text, with author, time and line breaks', async () => {
    const text = '<b>https://example.org</b>\nsecond line';
    await open({}, [aMessage(1, { from: JONAS, text })]);
    const row = within(panel()!).getByRole('listitem');
    expect(row.querySelector('p')?.textContent).toBe(text);
    expect(row.querySelector('b, a')).toBeNull();
    expect(within(row).getByText('Jonas')).toBeTruthy();
    expect(row.querySelector('time')?.dateTime).toBe('2026-11-22T10:00:00Z');
    expect(row.querySelector('time')?.textContent).toMatch(/^\d\d:\d\d$/);
  });

  test('names the only reader of a private message, and distinguishes own messages', async () => {
    await open({}, [
      aMessage(1, { from: THERAPIST, to: HANNA }),
      aMessage(2, { from: HANNA, to: THERAPIST }),
      aMessage(3, { from: HANNA }),
    ]);
    const [toMe, fromMe, toAll] = within(panel()!).getAllByRole('listitem');
    expect(within(toMe!).getByText('to you alone')).toBeTruthy();
    expect(within(fromMe!).getByText('to Anna alone')).toBeTruthy();
    expect(within(fromMe!).getByText('You')).toBeTruthy();
    expect(toAll!.textContent).not.toContain('alone');
  });

  test('while empty, names the readers', async () => {
    await open({}, []);
    expect(screen.getByText('No messages yet')).toBeTruthy();
    expect(screen.getByText(/all messages are erased/)).toBeTruthy();
  });

  test('is empty after the end', async () => {
    await open();
    say({ eventType: 'SESSION_OUT', contents: { reason: 'ended' }, usersUpdatedOn: 1, participantsUpdatedOn: 1 });
    expect(screen.queryByText('text 1')).toBeNull();
  });
});

describe('writing', () => {
  test('Enter sends, Shift and Enter start a new line, and the message is shown at once as being sent', async () => {
    await open();
    await userEvent.type(input(), 'one{Shift>}{Enter}{/Shift}two{Enter}');
    expect(sent()).toEqual([{ actId: expect.any(String), to: 'all', text: 'one\ntwo' }]);
    expect(input().value).toBe('');
    expect(screen.getByText('Sending…')).toBeTruthy();
    const { actId } = sent()[0] as { actId: string };
    hear(2, { from: HANNA, actId, text: 'one\ntwo' });
    expect(screen.queryByText('Sending…')).toBeNull();
    expect(within(panel()!).getAllByRole('listitem')).toHaveLength(2);
  });

  test('on a phone Enter starts a new line and the button sends', async () => {
    vi.spyOn(globalThis, 'matchMedia').mockImplementation(
      (query) =>
        ({
          matches: query.includes('coarse'),
          addEventListener: () => undefined,
          removeEventListener: () => undefined,
        }) as unknown as MediaQueryList,
    );
    await open();
    await userEvent.type(input(), 'one{Enter}two');
    expect(sent()).toEqual([]);
    expect(input().value).toBe('one\ntwo');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(sent()).toMatchObject([{ text: 'one\ntwo' }]);
  });

  test('Enter that ends a composition does not send', async () => {
    await open();
    await userEvent.type(input(), 'nihon');
    fireEvent.keyDown(input(), { key: 'Enter', isComposing: true });
    expect(sent()).toEqual([]);
  });

  test('the remaining characters are shown when few are left, and more than 500 are not sent', async () => {
    await open();
    const write = (length: number) => fireEvent.change(input(), { target: { value: 'x'.repeat(length) } });
    write(459);
    expect(screen.queryByText(/characters? left/)).toBeNull();
    write(460);
    expect(screen.getByText('40 characters left')).toBeTruthy();
    write(503);
    expect(screen.getByText('3 characters too many')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true);
    await userEvent.keyboard('{Enter}');
    expect([sent(), input().value.length]).toEqual([[], 503]);
    write(500);
    await userEvent.keyboard('{Enter}');
    expect(sent()).toHaveLength(1);
  });

  test('a client writes to all or only to the therapist', async () => {
    await open();
    const to = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Message to' });
    expect([...to.options].map(({ text }) => text)).toEqual(['All', 'Only Anna']);
    expect(to.value).toBe('all');
    await userEvent.selectOptions(to, 'Only Anna');
    await userEvent.type(screen.getByRole('textbox', { name: 'Message to Anna alone' }), 'hello{Enter}');
    expect(sent()).toMatchObject([{ to: THERAPIST }]);
  });

  test('the therapist replies to a private message privately', async () => {
    await open({ me: THERAPIST }, [aMessage(1), aMessage(2, { from: JONAS, to: THERAPIST })]);
    await userEvent.click(screen.getByRole('button', { name: /^Reply/ }));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message to Jonas alone' }));
    await userEvent.keyboard('hello{Enter}');
    expect(sent()).toMatchObject([{ to: JONAS }]);
  });

  test('a message to somebody who has left goes to nobody else by itself', async () => {
    const { change } = await open({ me: THERAPIST });
    await userEvent.selectOptions(screen.getByRole('combobox'), 'Only Jonas');
    change({ people: [everybody[0]!] });
    await userEvent.type(input(), 'hello{Enter}');
    expect(sent()).toEqual([]);
    expect(screen.getByRole('alert').textContent).toContain('Jonas is no longer in the room');
    await userEvent.selectOptions(screen.getByRole('combobox'), 'Only Hanna');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(sent()).toMatchObject([{ to: HANNA, text: 'hello' }]);
  });

  test('a refused message returns to the input with the reason beside it', async () => {
    await open();
    await userEvent.type(input(), 'hello{Enter}');
    const { actId } = sent()[0] as { actId: string };
    const problem = problemBody('too_many_requests', { retryAfterSeconds: 30 });
    say({ eventType: 'PROBLEM', contents: { actId, figureId: null, problem } });
    expect(input().value).toBe('hello');
    expect(screen.getByRole('alert').textContent).toContain('many messages in a short time');
    await userEvent.type(input(), '!');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('a client cannot send while the therapist is away, and loses nothing', async () => {
    const { change } = await open({ therapistHere: false });
    await userEvent.type(input(), 'hello{Enter}');
    expect(sent()).toEqual([]);
    expect(screen.getByRole('alert').textContent).toContain('Anna is not in the room at the moment');
    change({ therapistHere: true });
    await userEvent.type(input(), '{Enter}');
    expect(sent()).toMatchObject([{ text: 'hello' }]);
  });

  test('without a connection it says so, and sends later', async () => {
    await open();
    act(() => connection.become('lost'));
    await userEvent.type(input(), 'hello{Enter}');
    expect(screen.getByText('Will be sent when you’re back online')).toBeTruthy();
    act(() => connection.become('open'));
    say({ eventType: 'MESSAGES', contents: standing([]) });
    expect(sent()).toMatchObject([{ text: 'hello' }]);
  });
});

describe('the therapist’s switch', () => {
  test('asks the server, and says when that did not work', async () => {
    const allowClients = vi.fn(async (_mayWrite: boolean) => undefined);
    await open({ me: THERAPIST, allowClients });
    const toggle = screen.getByRole<HTMLInputElement>('switch', { name: 'Clients can write' });
    expect(toggle.checked).toBe(true);
    await userEvent.click(toggle);
    expect(allowClients).toHaveBeenCalledWith(false);
    await waitFor(() => expect(toggle.checked).toBe(false));
    allowClients.mockRejectedValueOnce(new Error('offline'));
    await userEvent.click(toggle);
    expect((await screen.findByRole('alert')).textContent).toContain('Nothing has changed');
    expect(toggle.checked).toBe(false);
  });

  test('lets clients still read, and keeps their drafts', async () => {
    await open();
    await userEvent.type(input(), 'begun');
    say({ eventType: 'CLIENT_MESSAGES', contents: { mayWrite: false } });
    expect(screen.getByText(/Anna has switched off messages/)).toBeTruthy();
    expect(screen.getByText('text 1')).toBeTruthy();
    expect([input().readOnly, input().value]).toEqual([true, 'begun']);
    expect(panel()!.contains(document.activeElement)).toBe(true);
    say({ eventType: 'CLIENT_MESSAGES', contents: { mayWrite: true } });
    expect([input().readOnly, input().value]).toEqual([false, 'begun']);
  });

  test('does not move the focus', async () => {
    await open();
    const elsewhere = screen.getByText('elsewhere');
    elsewhere.focus();
    say({ eventType: 'CLIENT_MESSAGES', contents: { mayWrite: false } });
    say({ eventType: 'CLIENT_MESSAGES', contents: { mayWrite: true } });
    expect(document.activeElement).toBe(elsewhere);
  });
});

describe('new messages', () => {
  test('are counted on the button until they were seen', async () => {
    show();
    say({ eventType: 'MESSAGES', contents: standing([]) });
    expect(button().getAttribute('aria-label')).toBe('Messages');
    hear(1, { from: JONAS });
    hear(2, { from: HANNA });
    expect(button().getAttribute('aria-label')).toBe('Messages, 1 new');
    await userEvent.click(button());
    await waitFor(() => expect(panel()).toBeTruthy());
    await waitFor(() => expect(button().getAttribute('aria-label')).toBe('Messages'));
    hear(3, { from: JONAS });
    expect(button().getAttribute('aria-label')).toBe('Messages');
  });

  test('are also counted while somebody has scrolled up, and a button leads there', async () => {
    await open();
    const list = screen.getByRole('group', { name: 'Messages so far' });
    Object.defineProperties(list, { scrollHeight: { value: 900 }, clientHeight: { value: 300 } });
    list.scrollTop = 100;
    fireEvent.scroll(list);
    hear(2, { from: JONAS });
    expect(list.scrollTop).toBe(100);
    expect(button().getAttribute('aria-label')).toBe('Messages, 1 new');
    await userEvent.click(screen.getByRole('button', { name: '1 new message' }));
    expect(list.scrollTop).toBe(900);
    expect(button().getAttribute('aria-label')).toBe('Messages');
    expect(screen.queryByRole('button', { name: '1 new message' })).toBeNull();
  });

  test('are announced once to screen readers, with author and whether private, with the panel open or closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    show();
    say({ eventType: 'MESSAGES', contents: standing([aMessage(1, { from: JONAS })]) });
    const log = screen.getByRole('log');
    expect(log.getAttribute('aria-live')).toBe('polite');
    expect(log.textContent).toBe('');
    const elsewhere = screen.getByText('elsewhere');
    elsewhere.focus();
    hear(2, { from: JONAS });
    hear(2, { from: JONAS });
    hear(3, { from: THERAPIST, to: HANNA });
    hear(4, { from: HANNA });
    const said = () => [...log.children].map(({ textContent }) => textContent);
    expect(said()).toEqual(['Jonas: text 2', 'Anna, to you alone: text 3']);
    expect(document.activeElement).toBe(elsewhere);
    act(() => void vi.advanceTimersByTime(20_000));
    expect(said()).toEqual([]);
  });

  test('a message that was refused after the panel was closed is marked on the button', async () => {
    await open();
    await userEvent.type(input(), 'hello{Enter}');
    await userEvent.keyboard('{Escape}');
    const { actId } = sent()[0] as { actId: string };
    say({ eventType: 'PROBLEM', contents: { actId, figureId: null, problem: problemBody('messages_off') } });
    expect(button().getAttribute('aria-label')).toBe('Messages, one couldn’t be sent');
  });
});
