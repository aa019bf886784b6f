/**
 * A browser's state of the messages in its room, as one value, and its changes. Pure, so that tests can deliver
 * messages in any order. Source: contract/src/messages.ts, invariants 1 to 5; docs/product.md#6.4 to #6.9.
 */
import { type Message, MESSAGES_SHOWN, type MessagesValue, type SendMessage } from '@fieldroom/contract/messages';
import type { ProblemBody } from '@fieldroom/contract/problems';

/** Who reads a message: all, or one person, whose name is stored for when they have left. */
export interface Recipient {
  to: SendMessage['to'];
  toName: string | null;
}

/** An own message that the server has not confirmed. */
export interface Unsent extends Recipient {
  actId: string;
  text: string;
  /** Why the server refused it; null while it is pending. */
  refused: ProblemBody | null;
}

/** The content of the input. */
export interface Draft extends Recipient {
  text: string;
  /** Why the server refused this text; null after the first change to it. */
  refused: ProblemBody | null;
  /**
   * The id under which this text was refused; null after the first change of text or recipient. A refused message may
   * still arrive: the server says `unavailable` while it still checks whether it was stored. Sent again under its own
   * id, everybody reads it once.
   */
  actId: string | null;
}

/** The part that survives a reload of the page. */
export interface KeptMessages {
  me: number;
  liveSessionId: number;
  seenId: number;
  unsent: readonly Unsent[];
  draft: Draft;
}

export interface MessagesModel {
  /** The id of this person. */
  me: number;
  /** null until the first MESSAGES. */
  liveSessionId: number | null;
  /** Whether MESSAGES has arrived on the present connection. Nothing is sent before. */
  joined: boolean;
  /** By id, at most MESSAGES_SHOWN. */
  messages: readonly Message[];
  /** Received on the present connection before its MESSAGES, perhaps of another live session than the list. */
  early: readonly Message[];
  clientsMayWrite: boolean;
  unsent: readonly Unsent[];
  draft: Draft;
  /** Whether the panel is open. */
  open: boolean;
  /** Whether the newest messages are in view. */
  inSight: boolean;
  /** The newest message that was in view. */
  seenId: number;
}

const TO_ALL: Recipient = { to: 'all', toName: null };
const NO_TEXT = { text: '', refused: null, actId: null };
const EMPTY_DRAFT: Draft = { ...TO_ALL, ...NO_TEXT };

/** The initial state. Takes the id of this person. */
export const noMessages = (me: number): MessagesModel => ({
  me,
  liveSessionId: null,
  joined: false,
  messages: [],
  early: [],
  clientsMayWrite: true,
  unsent: [],
  draft: EMPTY_DRAFT,
  open: false,
  inSight: false,
  seenId: 0,
});

/** Applies one MESSAGE. */
export function hear(model: MessagesModel, message: Message): MessagesModel {
  return settle({
    ...model,
    messages: union(model.messages, [message]),
    early: model.joined ? [] : union(model.early, [message]),
  });
}

/**
 * Applies MESSAGES. Those of another live session replace everything, including texts that were not sent in the old
 * one.
 */
export function takeAll(model: MessagesModel, value: MessagesValue): MessagesModel {
  const { liveSessionId, clientsMayWrite } = value;
  const other = model.liveSessionId !== null && model.liveSessionId !== liveSessionId;
  const base: MessagesModel = other
    ? { ...noMessages(model.me), open: model.open, inSight: model.inSight, messages: model.early }
    : model;
  return settle({
    ...base,
    liveSessionId,
    clientsMayWrite,
    joined: true,
    messages: union(base.messages, value.messages),
    early: [],
  });
}

/**
 * The connection was lost or has opened: sent messages may not have arrived, and the next ones may be of another
 * session.
 */
export function disconnect(model: MessagesModel): MessagesModel {
  return { ...model, joined: false, early: [] };
}

/**
 * Restores what was stored for a reload, if it belongs to this person and live session. Called once, after MESSAGES.
 */
export function restore(model: MessagesModel, kept: KeptMessages | null): MessagesModel {
  if (kept === null || kept.me !== model.me || kept.liveSessionId !== model.liveSessionId) return model;
  return settle({
    ...model,
    seenId: Math.max(model.seenId, kept.seenId),
    unsent: [...kept.unsent, ...model.unsent],
    draft: isBlank(model.draft) ? kept.draft : model.draft,
  });
}

/** The state to store for a reload; null before the live session is known. */
export function toKeep({ me, liveSessionId, seenId, unsent, draft }: MessagesModel): KeptMessages | null {
  return liveSessionId === null ? null : { me, liveSessionId, seenId, unsent, draft };
}

/** The input's text or recipient changes. A refused text is then another message. */
export function edit(model: MessagesModel, change: Partial<Recipient & { text: string }>): MessagesModel {
  return { ...model, draft: { ...model.draft, ...change, refused: null, actId: null } };
}

/**
 * Sends the text of the input, in the contract's form, to the chosen recipients, who stay chosen. Takes the id for a
 * new message; a refused and unchanged one is sent under its own id again.
 */
export function write(model: MessagesModel, newActId: string, text: string): MessagesModel {
  const { to, toName } = model.draft;
  const actId = model.draft.actId ?? newActId;
  return bringBack({
    ...model,
    unsent: [...model.unsent, { actId, to, toName, text, refused: null }],
    draft: { to, toName, ...NO_TEXT },
  });
}

/** The server refused a message: it returns to the input as soon as that is free. */
export function refuse(model: MessagesModel, actId: string, refused: ProblemBody): MessagesModel {
  if (!model.unsent.some((entry) => entry.actId === actId)) return model;
  return bringBack({
    ...model,
    unsent: model.unsent.map((entry) => (entry.actId === actId ? { ...entry, refused } : entry)),
  });
}

/** Whether the newest messages are in view now. */
export function look(model: MessagesModel, inSight: boolean): MessagesModel {
  return inSight === model.inSight ? model : settle({ ...model, inSight });
}

/** How many messages of others have not been in view yet. */
export function unreadCount({ messages, me, seenId }: MessagesModel): number {
  return messages.filter(({ id, from }) => id > seenId && from !== me).length;
}

/** Whether something that this person sent was refused. */
export function hasRefused({ unsent, draft }: MessagesModel): boolean {
  return draft.refused !== null || unsent.some(({ refused }) => refused !== null);
}

/** The messages of others that `after` has and `before` did not have. */
export function newSince(before: MessagesModel, after: MessagesModel): readonly Message[] {
  const known = new Set(before.messages.map(({ id }) => id));
  return after.messages.filter(({ id, from }) => from !== after.me && !known.has(id));
}

const isBlank = ({ text }: Draft) => text.trim() === '';

/** Removes what the list confirms, including the input's text, and stores what is in view. */
function settle(model: MessagesModel): MessagesModel {
  const { messages, unsent, draft, inSight, seenId, me } = model;
  const confirmed = new Set(messages.filter(({ from }) => from === me).map(({ actId }) => actId));
  const open = unsent.filter(({ actId }) => !confirmed.has(actId));
  const arrived = draft.actId !== null && confirmed.has(draft.actId);
  const settled = {
    ...model,
    unsent: open.length === unsent.length ? unsent : open,
    draft: arrived ? { ...draft, ...NO_TEXT } : draft,
    seenId: inSight ? Math.max(seenId, messages.at(-1)?.id ?? 0) : seenId,
  };
  return arrived ? bringBack(settled) : settled;
}

/** Returns the oldest refused message to a free input, with its recipient: private messages stay private. */
function bringBack(model: MessagesModel): MessagesModel {
  const back = model.unsent.find(({ refused }) => refused !== null);
  if (!back || !isBlank(model.draft)) return model;
  const { to, toName, text, refused, actId } = back;
  return {
    ...model,
    unsent: model.unsent.filter((entry) => entry !== back),
    draft: { to, toName, text, refused, actId },
  };
}

/** The newest of two lists, each message once, by id. */
function union(some: readonly Message[], more: readonly Message[]): readonly Message[] {
  const byId = new Map(some.map((message) => [message.id, message]));
  for (const message of more) if (!byId.has(message.id)) byId.set(message.id, message);
  if (byId.size === some.length) return some;
  return [...byId.values()].sort((a, b) => a.id - b.id).slice(-MESSAGES_SHOWN);
}
