import { type Message, MESSAGES_SHOWN } from '@fieldroom/contract/messages';
import { problemBody } from '@fieldroom/contract/problems';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aMessage, HANNA, JONAS, standing, THERAPIST } from './messages.testing.ts';
import {
  disconnect,
  edit,
  hasRefused,
  hear,
  look,
  type MessagesModel,
  newSince,
  noMessages,
  refuse,
  restore,
  takeAll,
  toKeep,
  unreadCount,
  write,
} from './messagesModel.ts';

const ids = (model: MessagesModel) => model.messages.map(({ id }) => id);
const [FIRST, SECOND, THIRD] = [1, 2, 3].map((id) => aMessage(id).actId) as [string, string, string];
const joined = (me = THERAPIST) => takeAll(noMessages(me), standing([]));
const full = problemBody('too_many_requests');
const late = problemBody('unavailable');

describe('the list', () => {
  it('is the union of all received messages, by id, in any order and any number of times (invariant 1)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 })),
        fc.array(fc.array(fc.integer({ min: 1, max: 30 }))),
        fc.infiniteStream(fc.boolean()),
        (single, whole, coins) => {
          const heard = [
            ...single.map((id) => (model: MessagesModel) => hear(model, aMessage(id))),
            ...whole.map(
              (some) => (model: MessagesModel) =>
                takeAll(model, standing([...new Set(some)].sort((a, b) => a - b).map((id) => aMessage(id)))),
            ),
          ];
          const order = heard.toSorted(() => (coins.next().value ? 1 : -1));
          const model = order.reduce((before, step) => step(before), noMessages(THERAPIST));
          expect(ids(model)).toEqual([...new Set([...single, ...whole.flat()])].sort((a, b) => a - b));
        },
      ),
    );
  });

  it('is replaced by that of another live session, with messages already received of it', () => {
    let model = hear(joined(), aMessage(1));
    model = write(edit(model, { to: HANNA, toName: 'Hanna' }), SECOND, 'for the old one');
    model = hear(disconnect(model), aMessage(9));
    model = takeAll(model, standing([aMessage(8)], { liveSessionId: 2 }));
    expect(ids(model)).toEqual([8, 9]);
    expect([model.unsent, model.draft.to]).toEqual([[], 'all']);
  });

  it('survives a lost connection in the same live session', () => {
    const model = takeAll(disconnect(hear(joined(), aMessage(1))), standing([aMessage(2)]));
    expect(ids(model)).toEqual([1, 2]);
  });

  it('shows only the newest ones', () => {
    const many = Array.from({ length: MESSAGES_SHOWN }, (_, index) => aMessage(index + 1));
    const model = hear(takeAll(noMessages(THERAPIST), standing(many)), aMessage(MESSAGES_SHOWN + 1));
    expect([model.messages.length, ids(model)[0]]).toEqual([MESSAGES_SHOWN, 2]);
  });
});

describe('a message that this person writes', () => {
  it('is pending until the list has it, by MESSAGE or by MESSAGES (invariant 5)', () => {
    const written = write(write(joined(), FIRST, 'one'), SECOND, 'two');
    expect(written.unsent.map(({ text }) => text)).toEqual(['one', 'two']);
    const heard = hear(written, aMessage(1, { from: THERAPIST }));
    expect(heard.unsent.map(({ text }) => text)).toEqual(['two']);
    expect(takeAll(disconnect(heard), standing([aMessage(2, { from: THERAPIST })])).unsent).toEqual([]);
  });

  it('is not confirmed by another person’s message', () => {
    expect(hear(write(joined(), FIRST, 'one'), aMessage(1)).unsent).toHaveLength(1);
  });

  it('goes to the chosen recipients, who stay chosen', () => {
    const model = write(edit(joined(), { to: HANNA, toName: 'Hanna', text: 'hello' }), FIRST, 'hello');
    expect(model.unsent).toEqual([{ actId: FIRST, to: HANNA, toName: 'Hanna', text: 'hello', refused: null }]);
    expect(model.draft).toEqual({ to: HANNA, toName: 'Hanna', text: '', refused: null, actId: null });
  });

  it('returns to the free input when it is refused, with its recipient (6.8)', () => {
    let model = write(edit(joined(), { to: HANNA, toName: 'Hanna' }), FIRST, 'for Hanna');
    model = refuse(edit(model, { to: 'all', toName: null }), FIRST, full);
    expect(model.draft).toEqual({ to: HANNA, toName: 'Hanna', text: 'for Hanna', refused: full, actId: FIRST });
    expect([model.unsent, hasRefused(model)]).toEqual([[], true]);
    expect(hasRefused(edit(model, { text: 'for Hanna!' }))).toBe(false);
  });

  it('waits while the input is in use, and returns after that text was sent', () => {
    let model = write(edit(joined(), { to: HANNA, toName: 'Hanna' }), FIRST, 'for Hanna');
    model = edit(model, { to: JONAS, toName: 'Jonas', text: 'for Jonas' });
    model = refuse(model, FIRST, full);
    expect(model.draft).toMatchObject({ to: JONAS, text: 'for Jonas', refused: null });
    model = write(model, SECOND, 'for Jonas');
    expect(model.draft).toMatchObject({ to: HANNA, text: 'for Hanna', refused: full });
    expect(model.unsent).toMatchObject([{ actId: SECOND, to: JONAS }]);
  });

  it('returns in order when several are refused', () => {
    let model = write(write(joined(), FIRST, 'one'), SECOND, 'two');
    model = refuse(refuse(model, FIRST, full), SECOND, full);
    expect(model.draft.text).toBe('one');
    model = write(model, THIRD, 'one');
    expect([model.draft.text, model.unsent.map(({ text }) => text)]).toEqual(['two', ['one']]);
  });

  it('is not affected by refusals of other people’s messages', () => {
    const model = write(joined(), FIRST, 'one');
    expect(refuse(model, SECOND, full)).toBe(model);
  });
});

describe('a refused message that may still arrive', () => {
  const refused = (to: { to: Message['to']; toName: string | null } = { to: 'all', toName: null }) =>
    refuse(write(edit(joined(), to), FIRST, 'one'), FIRST, late);

  it('is sent again under its own id, however often it is refused', () => {
    const again = write(refused(), SECOND, 'one');
    expect(again.unsent).toEqual([{ actId: FIRST, to: 'all', toName: null, text: 'one', refused: null }]);
    expect(again.draft).toEqual({ to: 'all', toName: null, text: '', refused: null, actId: null });
    expect(write(refuse(again, FIRST, late), THIRD, 'one').unsent).toMatchObject([{ actId: FIRST }]);
  });

  it('is another message once its text or recipient has changed, and so is the next one', () => {
    expect(write(edit(refused(), { text: 'one!' }), SECOND, 'one!').unsent).toMatchObject([{ actId: SECOND }]);
    const alone = edit(refused(), { to: HANNA, toName: 'Hanna' });
    expect(write(alone, SECOND, 'one').unsent).toMatchObject([{ actId: SECOND, to: HANNA }]);
    const after = write(edit(write(refused(), SECOND, 'one'), { text: 'two' }), THIRD, 'two');
    expect(after.unsent.map(({ actId }) => actId)).toEqual([FIRST, THIRD]);
  });

  it.each([
    ['MESSAGE', (model: MessagesModel) => hear(model, aMessage(1, { from: THERAPIST }))],
    ['MESSAGES', (model: MessagesModel) => takeAll(disconnect(model), standing([aMessage(1, { from: THERAPIST })]))],
  ])('leaves the input when it arrives by %s; the recipients stay chosen', (_name, arrive) => {
    const model = arrive(refused({ to: HANNA, toName: 'Hanna' }));
    expect(model.draft).toEqual({ to: HANNA, toName: 'Hanna', text: '', refused: null, actId: null });
    expect([model.unsent, hasRefused(model)]).toEqual([[], false]);
  });

  it('does not touch a text that was changed or newly typed, and is not confused with other people’s messages', () => {
    const own = aMessage(1, { from: THERAPIST });
    expect(hear(edit(refused(), { text: 'one!' }), own).draft.text).toBe('one!');
    expect(hear(edit(joined(), { text: 'two' }), own).draft.text).toBe('two');
    expect(hear(refused(), aMessage(1)).draft).toMatchObject({ text: 'one', actId: FIRST });
  });

  it('makes way for the next refused one', () => {
    let model = refuse(write(write(joined(), FIRST, 'one'), SECOND, 'two'), FIRST, late);
    model = hear(refuse(model, SECOND, late), aMessage(1, { from: THERAPIST }));
    expect([model.draft, model.unsent]).toMatchObject([{ text: 'two', actId: SECOND }, []]);
  });

  it('is the same one after a reload', () => {
    const kept = toKeep(refused());
    const reload = (messages: Message[]) => restore(takeAll(noMessages(THERAPIST), standing(messages)), kept);
    expect(write(reload([]), SECOND, 'one').unsent).toMatchObject([{ actId: FIRST }]);
    expect(reload([aMessage(1, { from: THERAPIST })]).draft.text).toBe('');
  });
});

describe('unread messages', () => {
  it('are what others wrote since the newest was in view (6.9)', () => {
    let model = takeAll(noMessages(THERAPIST), standing([aMessage(1), aMessage(2, { from: THERAPIST })]));
    expect(unreadCount(model)).toBe(1);
    model = look(model, true);
    expect(unreadCount(model)).toBe(0);
    expect(unreadCount(hear(model, aMessage(3)))).toBe(0);
    model = hear(look(model, false), aMessage(4));
    expect(unreadCount(model)).toBe(1);
  });

  it('do not include own messages, nor one that is received twice', () => {
    let model = hear(joined(), aMessage(1));
    model = hear(hear(model, aMessage(1)), aMessage(2, { from: THERAPIST }));
    expect(unreadCount(model)).toBe(1);
  });

  it('are reported as new only from others, and once', () => {
    const before = hear(joined(), aMessage(1));
    const after = takeAll(before, standing([aMessage(1), aMessage(2), aMessage(3, { from: THERAPIST })]));
    expect(newSince(before, after).map(({ id }) => id)).toEqual([2]);
    expect(newSince(after, hear(after, aMessage(2)))).toEqual([]);
  });
});

describe('a reload', () => {
  it('keeps what was read, pending and typed, in the same live session', () => {
    let model = look(hear(joined(), aMessage(1)), true);
    model = edit(write(write(model, SECOND, 'two'), THIRD, 'three'), { text: 'begun' });
    const kept = toKeep(model);
    const reloaded = takeAll(
      noMessages(THERAPIST),
      standing([aMessage(1), aMessage(2, { from: THERAPIST }), aMessage(4)]),
    );
    const restored = restore(reloaded, kept);
    expect(restored.unsent.map(({ text }) => text)).toEqual(['three']);
    expect([restored.draft.text, unreadCount(restored)]).toEqual(['begun', 1]);
  });

  it('keeps nothing for another live session, or for another person', () => {
    const kept = toKeep(write(joined(), FIRST, 'one'));
    expect(restore(takeAll(noMessages(THERAPIST), standing([], { liveSessionId: 2 })), kept).unsent).toEqual([]);
    expect(restore(joined(HANNA), kept).unsent).toEqual([]);
    expect(toKeep(noMessages(THERAPIST))).toBeNull();
  });
});
