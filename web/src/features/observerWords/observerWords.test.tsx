/** Observers' words in a browser (docs/product.md#6.30 to #6.33). */
import { OBSERVER_WORD_SECONDS, OBSERVER_WORDS_SEND } from '@fieldroom/contract/observerWords';
import { problemBody } from '@fieldroom/contract/problems';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import words from '../../locales/en/observerWords.json';
import problems from '../../locales/en/problems.json';
import { fakeConnection, type FakeConnection } from '../../platform/realtime/connection.fixture.ts';
import {
  createObserverWordsStore,
  LazyInvitationSwitch,
  ObserverWords,
  ObserverWordsContext,
  type ObserverWordsStore,
} from './index.ts';

const HANNA = 21;
const JONAS = 22;
const people = [
  { id: HANNA, name: 'Hanna' },
  { id: JONAS, name: 'Jonas' },
];
const stamps = { usersUpdatedOn: 1, participantsUpdatedOn: 1 };

let connection: FakeConnection;
let store: ObserverWordsStore;
const invite = vi.fn<(invited: boolean) => Promise<void>>();
beforeAll(async () => {
  await i18next.use(initReactI18next).init({ lng: 'en', resources: { en: { observerWords: words, problems } } });
});
beforeEach(() => {
  invite.mockReset().mockResolvedValue();
  connection = fakeConnection();
  store = createObserverWordsStore({ connection, invite });
});
afterEach(() => {
  cleanup();
  store.close();
  vi.useRealTimers();
});

const sent = () =>
  connection.sent
    .filter(({ destination }) => destination === OBSERVER_WORDS_SEND.say)
    .map(({ body }) => body as { actId: string; text: string });
const hear = (change: Parameters<FakeConnection['say']>[0]) => act(() => connection.say(change));
const word = (personId: number, text: string, actId: string = crypto.randomUUID()) =>
  hear({ eventType: 'OBSERVER_WORD', contents: { actId, personId, text } });
const invited = (on: boolean) => hear({ eventType: 'OBSERVER_INVITATION', contents: { invited: on } });
const shown = () => store.get().words.map(({ personId, text }) => [personId, text]);

describe('shown words', () => {
  test('a word disappears after its time; a new one replaces it and starts its own time', () => {
    vi.useFakeTimers();
    word(HANNA, 'warm');
    word(JONAS, 'heavy');
    vi.advanceTimersByTime((OBSERVER_WORD_SECONDS - 1) * 1000);
    word(HANNA, 'light');
    expect(shown()).toEqual([
      [JONAS, 'heavy'],
      [HANNA, 'light'],
    ]);
    vi.advanceTimersByTime(1000);
    expect(shown()).toEqual([[HANNA, 'light']]);
    vi.advanceTimersByTime((OBSERVER_WORD_SECONDS - 1) * 1000);
    expect(shown()).toEqual([]);
  });

  test('it disappears with its person, with the invitation, and with the session', () => {
    const both = () => {
      word(HANNA, 'warm');
      word(JONAS, 'heavy');
    };
    both();
    hear({
      eventType: 'UNREGISTER_USER',
      contents: { people: [{ id: JONAS }] as never, therapistHere: true },
      ...stamps,
    });
    expect(shown()).toEqual([[JONAS, 'heavy']]);
    both();
    invited(false);
    expect(shown()).toEqual([]);
    both();
    hear({ eventType: 'SESSION_OUT', contents: { reason: 'ended' }, ...stamps });
    expect(shown()).toEqual([]);
  });
});

/** The elements over the field, and those that a view of the figures makes room for. */
const over = new Set<Element>();
const beside = new Set<Element>();
const put = (place: Set<Element>) => (element: Element) => {
  place.add(element);
  return () => void place.delete(element);
};
const [keepClear, fitBeside] = [put(over), put(beside)];
function show({ me = { roles: [] as number[] }, still = false } = {}) {
  const tree = (roles: number[], standsStill = still) => (
    <ObserverWordsContext value={store}>
      <ObserverWords
        people={people}
        me={{ roles }}
        therapistName="Anna"
        still={standsStill}
        keepClear={keepClear}
        fitBeside={fitBeside}
      />
    </ObserverWordsContext>
  );
  const { rerender } = render(tree(me.roles));
  return {
    roles: (roles: number[]) => rerender(tree(roles)),
    stands: (standsStill: boolean) => rerender(tree(me.roles, standsStill)),
  };
}
const question = () => screen.queryByRole('form', { name: /how do you feel right now/ });

describe('a client without a role', () => {
  test('5.24 the field receives the area that the question covers, and then the button’s', async () => {
    show();
    invited(true);
    await waitFor(() => expect([...beside]).toEqual([question()]));
    fireEvent.click(screen.getByRole('button', { name: 'Not now' }));
    expect([...beside]).toEqual([screen.getByRole('button', { name: 'Say a word' })]);
    invited(false);
    expect(beside.size).toBe(0);
  });
  test('5.21 names receive the area of the words, with or without a role', async () => {
    show({ me: { roles: [1] } });
    invited(true);
    await waitFor(() => expect([...over]).toEqual([screen.getByRole('log')]));
    word(JONAS, 'warm');
    expect([...over]).toEqual([screen.getByRole('log')]);
    expect(beside.size).toBe(0);
    invited(false);
    expect(over.size).toBe(0);
  });
  test('is asked while words are invited, sends a common word with one press, and may send another', async () => {
    show();
    expect(question()).toBeNull();
    invited(true);
    await userEvent.click(await screen.findByRole('button', { name: 'heavy' }));
    expect(sent()).toEqual([{ actId: expect.any(String), text: 'heavy' }]);
    expect(question()).toBeNull();
    word(HANNA, 'heavy', sent()[0]!.actId);
    expect(screen.getByRole('log').textContent).toBe('Hanna heavy');
    await userEvent.click(screen.getByRole('button', { name: 'Say a word' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'In your own words' }), 'a little lighter{Enter}');
    expect(sent()[1]!.text).toBe('a little lighter');
    invited(false);
    expect(screen.queryByRole('button')).toBeNull();
  });

  test('6.34 keeps the focus when question and button take turns, and takes it from nothing else', async () => {
    show();
    invited(true);
    const heavy = await screen.findByRole('button', { name: 'heavy' });
    expect(document.activeElement).toBe(document.body);
    await userEvent.click(heavy);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Say a word' }));
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(question());
    await userEvent.keyboard('{Escape}');
    const again = screen.getByRole('button', { name: 'Say a word' });
    expect(document.activeElement).toBe(again);

    // A refusal opens the question again, while the person is elsewhere.
    const field = document.body.appendChild(document.createElement('button'));
    field.focus();
    const contents = { actId: sent()[0]!.actId, figureId: null, problem: problemBody('therapist_away') };
    hear({ eventType: 'PROBLEM', contents });
    expect(question()).not.toBeNull();
    expect(document.activeElement).toBe(field);
    field.remove();
  });

  test('reads why a word was refused beside the text, which is kept', async () => {
    show();
    invited(true);
    await userEvent.type(await screen.findByRole('textbox'), 'sad{Enter}');
    const contents = { actId: sent()[0]!.actId, figureId: null, problem: problemBody('therapist_away') };
    hear({ eventType: 'PROBLEM', contents });
    expect((await screen.findByRole('alert')).textContent).not.toBe('');
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('sad');
  });

  test('keeps the text, and is still asked, while there is no connection', async () => {
    show();
    invited(true);
    connection.become('lost');
    await userEvent.type(await screen.findByRole('textbox'), 'sad{Enter}');
    expect(sent()).toEqual([]);
    connection.become('open');
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('sad');
    await userEvent.click(screen.getByRole('button', { name: 'Say it' }));
    expect(sent()).toMatchObject([{ text: 'sad' }]);
    expect(question()).toBeNull();
  });

  test('6.31 keeps the text, and “Not now”, during a short absence of the therapist', async () => {
    const { stands } = show();
    const blip = () => {
      stands(true);
      expect(question()).toBeNull();
      expect(beside.size).toBe(0);
      stands(false);
    };
    invited(true);
    await userEvent.type(await screen.findByRole('textbox'), 'a little sa');
    blip();
    expect([...beside]).toEqual([question()]);
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('a little sa');
    await userEvent.click(screen.getByRole('button', { name: 'Not now' }));
    blip();
    expect(question()).toBeNull();
    expect([...beside]).toEqual([screen.getByRole('button', { name: 'Say a word' })]);
  });

  test('12.32 invisible characters are reported at the field, and nothing is sent', async () => {
    show();
    invited(true);
    const field = await screen.findByRole<HTMLInputElement>('textbox');
    await userEvent.type(field, 'sad\u202E{Enter}');
    expect(sent()).toEqual([]);
    const fault = screen.getByRole('alert');
    expect(fault.textContent).toBe('This contains characters that can’t be displayed safely.');
    expect([field.getAttribute('aria-invalid'), field.getAttribute('aria-describedby')]).toEqual(['true', fault.id]);
    await userEvent.type(field, '{Backspace}{Enter}');
    expect(sent()).toMatchObject([{ text: 'sad' }]);
  });

  test('sends nothing empty, and nothing twice while the first is unanswered', async () => {
    show();
    invited(true);
    await userEvent.type(await screen.findByRole('textbox'), '   {Enter}');
    expect(sent()).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'calm' }));
    await userEvent.click(screen.getByRole('button', { name: 'Say a word' }));
    expect(screen.getByRole('button', { name: 'warm' })).toHaveProperty('disabled', true);
    expect(sent()).toHaveLength(1);
  });

  test('is not asked with a role, and not while the therapist is away', async () => {
    const { roles } = show({ me: { roles: [1] } });
    invited(true);
    word(JONAS, 'warm');
    await screen.findByText('warm');
    expect(question()).toBeNull();
    roles([]);
    expect(question()).not.toBeNull();
    cleanup();
    show({ still: true });
    await screen.findByText('warm');
    expect(question()).toBeNull();
  });
});

test('the therapist invites with a switch, and reads when that failed', async () => {
  render(
    <ObserverWordsContext value={store}>
      <LazyInvitationSwitch />
    </ObserverWordsContext>,
  );
  const ask = await screen.findByRole<HTMLInputElement>('switch', { name: 'Ask for a word' });
  await userEvent.click(ask);
  expect(invite).toHaveBeenCalledWith(true);
  expect(ask.checked).toBe(false);
  invited(true);
  expect(ask.checked).toBe(true);
  invite.mockRejectedValueOnce(new Error('offline'));
  await userEvent.click(ask);
  expect((await screen.findByRole('alert')).textContent).toMatch(/Nothing has changed/);
  expect(ask.checked).toBe(true);
});

test('two presses of the switch reach the server one after the other, in their order', async () => {
  render(
    <ObserverWordsContext value={store}>
      <LazyInvitationSwitch />
    </ObserverWordsContext>,
  );
  const ask = await screen.findByRole<HTMLInputElement>('switch', { name: 'Ask for a word' });
  let answer: () => void = () => undefined;
  invite.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  await userEvent.click(ask);
  await userEvent.click(ask);
  expect(invite.mock.calls).toEqual([[true]]);
  expect(ask.checked).toBe(false);
  await act(async () => answer());
  expect(invite.mock.calls).toEqual([[true], [false]]);
});
