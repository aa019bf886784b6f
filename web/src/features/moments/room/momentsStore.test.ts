/** Keeping in the therapist's browser: answers, offline, and after a lost connection (docs/product.md#6.10). */
import type { Moment, MomentsValue } from '@fieldroom/contract/moments';
import { MOMENTS_SEND } from '@fieldroom/contract/moments';
import { expect, test } from 'vitest';
import { createLatestMoments } from '../latestMoments.ts';
import { type KeepAnswer, momentsStoreOf } from './momentsStore.ts';

/** A connection as the store uses it. */
function line() {
  const heard = new Map<string, ((change: never) => void)[]>();
  const states: ((state: string) => void)[] = [];
  const sent: { destination: string; body: { actId: string } }[] = [];
  let state = 'open';
  const connection = {
    on(event: string, listener: (change: never) => void) {
      heard.set(event, [...(heard.get(event) ?? []), listener]);
      return () =>
        heard.set(
          event,
          heard.get(event)!.filter((one) => one !== listener),
        );
    },
    onState: (listener: (state: string) => void) => void states.push(listener),
    state: () => state,
    send(destination: string, body: { actId: string }) {
      if (state === 'open') sent.push({ destination, body });
      return state === 'open';
    },
  };
  const tell = (eventType: string, contents: unknown) => {
    for (const listener of heard.get(eventType) ?? []) listener({ eventType, contents } as never);
  };
  return {
    sent,
    tell,
    latest: createLatestMoments(connection as never),
    set(next: string) {
      state = next;
      for (const listener of states) listener(next);
    },
  };
}
const moment = (actId: string, number = 1): Moment => ({
  ...{ id: number, actId, number, name: null, keptOn: '2026-12-03T10:42:00Z', afterMove: 0, figures: 0 },
});
const value = (...moments: Moment[]): MomentsValue => ({ liveSessionId: 5, moments });

test('messages from before the code was loaded are kept, and each room has one store', () => {
  const { latest, tell } = line();
  tell('MOMENTS', value(moment('a')));
  const store = momentsStoreOf(latest);
  expect(store.get().value?.moments).toHaveLength(1);
  expect(momentsStoreOf(latest)).toBe(store);
});

test('a press is answered once: kept, or refused with the reason; moments from another screen do not answer it', () => {
  const { latest, tell, sent } = line();
  const store = momentsStoreOf(latest);
  const answers: KeepAnswer[] = [];
  store.onAnswer((answer) => void answers.push(answer));
  store.keep();
  store.keep();
  const [first, second] = sent.map(({ body }) => body.actId);
  expect(sent.map(({ destination }) => destination)).toEqual([MOMENTS_SEND.keep, MOMENTS_SEND.keep]);
  tell('MOMENTS', value(moment('of another screen')));
  expect(answers).toEqual([]);
  tell('MOMENTS', value(moment('of another screen'), moment(first!, 2)));
  tell('MOMENTS', value(moment('of another screen'), moment(first!, 2)));
  tell('PROBLEM', { actId: second, figureId: null, problem: { code: 'moments_full' } });
  tell('PROBLEM', { actId: 'of the field', figureId: null, problem: { code: 'field_full' } });
  expect(answers).toMatchObject([
    { kind: 'kept', moment: { number: 2 } },
    { kind: 'refused', problem: { code: 'moments_full' } },
  ]);
});

test('without a connection nothing is kept; a pending request is sent again with its id', () => {
  const { latest, set, sent, tell } = line();
  const store = momentsStoreOf(latest);
  const answers: KeepAnswer[] = [];
  store.onAnswer((answer) => void answers.push(answer));
  store.keep();
  set('closed');
  store.keep();
  expect(answers).toEqual([{ kind: 'offline' }]);
  set('open');
  expect(sent.map(({ body }) => body.actId)).toEqual([sent[0]!.body.actId, sent[0]!.body.actId]);
  tell('MOMENTS', value(moment(sent[0]!.body.actId)));
  set('open');
  expect(sent).toHaveLength(2);
  expect(answers.map(({ kind }) => kind)).toEqual(['offline', 'kept']);
});
