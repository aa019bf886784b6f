/**
 * The messages of the room in this browser: receives them, sends this person's, and sends them again after a lost
 * connection.
 */
import { type Message, MESSAGES_SEND, type SendMessage } from '@fieldroom/contract/messages';
import { createEmitter } from '../../platform/emitter.ts';
import type { Connection } from '../../platform/realtime/index.ts';
import { tabStore, UNSENT_MESSAGES } from '../../platform/storage.ts';
import type { ReadableStore } from '../../platform/useStorePart.ts';
import {
  disconnect,
  edit,
  hear,
  type KeptMessages,
  look,
  type MessagesModel,
  newSince,
  noMessages,
  type Recipient,
  refuse,
  restore,
  takeAll,
  toKeep,
  write,
} from './messagesModel.ts';

export interface MessagesStore extends ReadableStore<MessagesModel> {
  setOpen(open: boolean): void;
  /** Whether the newest messages are in view now. */
  look(inSight: boolean): void;
  /** Changes the input's text or recipient. */
  edit(change: Partial<Recipient & { text: string }>): void;
  /** Sends a text, in the contract's form, to the chosen recipients. */
  send(text: string): void;
  /** Reports new messages of others, except those that existed when the page was opened. */
  onNews(listener: (messages: readonly Message[]) => void): () => void;
  /** Whether clients may write; only the therapist calls it. Throws `ApiProblem`. */
  allowClients(mayWrite: boolean): Promise<void>;
  close(comesBack?: boolean): void;
}

/**
 * Creates the store. Takes the connection, who this person is, and the call that lets clients write. `close` forgets
 * the messages and stops listening; the connection stays open. It also removes what was stored for a reload, unless the
 * person comes back: the next store restores it then.
 */
export function createMessagesStore({
  connection,
  me,
  allowClients = () => Promise.reject(new Error('only the therapist allows clients to write')),
}: {
  connection: Pick<Connection, 'on' | 'onState' | 'send'>;
  me: number;
  allowClients?: (mayWrite: boolean) => Promise<void>;
}): MessagesStore {
  const changed = createEmitter();
  const news = createEmitter<readonly Message[]>();
  /** The messages sent on the present connection. */
  const onTheWay = new Set<string>();
  let model = noMessages(me);
  /** How often the server has sent whether clients may write. */
  let switchHeard = 0;

  const set = (next: MessagesModel) => {
    if (next === model) return;
    model = next;
    const kept = toKeep(model);
    if (kept !== null) tabStore.set(UNSENT_MESSAGES, JSON.stringify(kept));
    changed.emit();
  };
  const forget = (comesBack = false) => {
    if (!comesBack) tabStore.remove(UNSENT_MESSAGES);
    model = noMessages(me);
    changed.emit();
  };

  /**
   * Only after MESSAGES has confirmed that the live session is still the one this was written for: the people in the
   * next one may be others.
   */
  const sendUnsent = () => {
    if (!model.joined) return;
    for (const { actId, to, text, refused } of model.unsent) {
      if (refused !== null || onTheWay.has(actId)) continue;
      if (connection.send(MESSAGES_SEND.send, { actId, to, text } satisfies SendMessage)) onTheWay.add(actId);
    }
  };

  /** Reports new messages, except those present when the page was opened. */
  const hearAndTell = (next: MessagesModel) => {
    const before = model;
    set(next);
    const fresh = newSince(before, next);
    if (fresh.length > 0) news.emit(fresh);
  };

  const stops = [
    connection.on('MESSAGE', ({ contents }) => hearAndTell(hear(model, contents))),
    connection.on('MESSAGES', ({ contents }) => {
      switchHeard += 1;
      const next = takeAll(model, contents);
      if (model.liveSessionId === contents.liveSessionId) hearAndTell(next);
      else set(model.liveSessionId === null ? restore(next, readKept()) : next);
      sendUnsent();
    }),
    connection.on('CLIENT_MESSAGES', ({ contents }) => {
      switchHeard += 1;
      set({ ...model, clientsMayWrite: contents.mayWrite });
    }),
    connection.on('PROBLEM', ({ contents: { actId, problem } }) => {
      if (actId === null) return;
      // The same message may be sent again on this connection.
      onTheWay.delete(actId);
      set(refuse(model, actId, problem));
    }),
    connection.on('SESSION_OUT', () => forget()),
    connection.onState(() => {
      onTheWay.clear();
      set(disconnect(model));
    }),
  ];

  return {
    get: () => model,
    subscribe: changed.on,
    setOpen: (open) => set({ ...model, open }),
    look: (inSight) => set(look(model, inSight)),
    edit: (change) => set(edit(model, change)),
    send(text) {
      set(write(model, crypto.randomUUID(), text));
      sendUnsent();
    },
    onNews: news.on,
    async allowClients(mayWrite) {
      const before = switchHeard;
      await allowClients(mayWrite);
      // A value that the server has sent since is newer: this answer may be late.
      if (switchHeard === before) set({ ...model, clientsMayWrite: mayWrite });
    },
    close(comesBack) {
      for (const stop of stops) stop();
      forget(comesBack);
    },
  };
}

/** What this tab stored before its reload. An unexpected shape counts as nothing. */
function readKept(): KeptMessages | null {
  try {
    const kept = JSON.parse(tabStore.get(UNSENT_MESSAGES) ?? 'null') as KeptMessages | null;
    return kept !== null && Array.isArray(kept.unsent) && typeof kept.draft.text === 'string' ? kept : null;
  } catch {
    return null;
  }
}
