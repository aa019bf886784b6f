/** Observers' words in this browser: receives them, removes them in time, and sends this person's. */
import type {} from '@fieldroom/contract/clients';
import {
  OBSERVER_WORD_SECONDS,
  OBSERVER_WORDS_SEND,
  type ObserverWord,
  type SayWord,
} from '@fieldroom/contract/observerWords';
import type { ProblemBody } from '@fieldroom/contract/problems';
import { createEmitter } from '../../platform/emitter.ts';
import type { Connection } from '../../platform/realtime/index.ts';
import type { ReadableStore } from '../../platform/useStorePart.ts';

export interface ObserverWordsModel {
  readonly invited: boolean;
  /** The words shown now, the latest one last. */
  readonly words: readonly ObserverWord[];
  /** This person's unanswered word. */
  readonly sending: SayWord | null;
  /** This person's refused word. */
  readonly refused: { readonly text: string; readonly problem: ProblemBody } | null;
}

export interface ObserverWordsStore extends ReadableStore<ObserverWordsModel> {
  /** Sends a word, in the contract's form. Returns false while disconnected: nothing was sent. */
  say(text: string): boolean;
  /** Invites words or ends the invitation; only the therapist calls it. Throws `ApiProblem`. */
  invite(invited: boolean): Promise<void>;
  close(): void;
}

const NOTHING: ObserverWordsModel = { invited: false, words: [], sending: null, refused: null };

/**
 * Creates the store. Takes the connection, and the call that invites words. `close` stops listening; the connection
 * stays open.
 */
export function createObserverWordsStore({
  connection,
  invite = () => Promise.reject(new Error('only the therapist invites words')),
}: {
  connection: Pick<Connection, 'on' | 'onState' | 'send'>;
  invite?: (invited: boolean) => Promise<void>;
}): ObserverWordsStore {
  const changed = createEmitter();
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  let model = NOTHING;

  const set = (change: Partial<ObserverWordsModel>) => {
    model = { ...model, ...change };
    changed.emit();
  };
  const without = (personId: number) => model.words.filter((word) => word.personId !== personId);
  const clear = () => {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  };
  const forget = (personId: number) => {
    clearTimeout(timers.get(personId));
    timers.delete(personId);
    if (model.words.some((word) => word.personId === personId)) set({ words: without(personId) });
  };

  const stops = [
    connection.on('OBSERVER_WORD', ({ contents }) => {
      const { personId, actId } = contents;
      clearTimeout(timers.get(personId));
      timers.set(
        personId,
        setTimeout(() => forget(personId), OBSERVER_WORD_SECONDS * 1000),
      );
      set({
        words: [...without(personId), contents],
        ...(model.sending?.actId === actId ? { sending: null, refused: null } : {}),
      });
    }),
    connection.on('OBSERVER_INVITATION', ({ contents: { invited } }) => {
      if (invited) set({ invited });
      else {
        clear();
        set(NOTHING);
      }
    }),
    connection.on('PROBLEM', ({ contents: { actId, problem } }) => {
      const { sending } = model;
      if (sending !== null && sending.actId === actId) set({ sending: null, refused: { text: sending.text, problem } });
    }),
    connection.on('UNREGISTER_USER', ({ contents: { people } }) => {
      for (const { personId } of model.words) if (!people.some(({ id }) => id === personId)) forget(personId);
    }),
    connection.on('SESSION_OUT', () => {
      clear();
      set(NOTHING);
    }),
    // It may or may not have arrived. Do not resend an old word automatically.
    connection.onState(() => {
      if (model.sending !== null) set({ sending: null });
    }),
  ];

  return {
    get: () => model,
    subscribe: changed.on,
    say(text) {
      const word: SayWord = { actId: crypto.randomUUID(), text };
      const said = connection.send(OBSERVER_WORDS_SEND.say, word);
      if (said) set({ sending: word, refused: null });
      return said;
    },
    async invite(invited) {
      await invite(invited);
    },
    close() {
      for (const stop of stops) stop();
      clear();
      model = NOTHING;
    },
  };
}
