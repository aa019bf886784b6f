/**
 * Takes the messages of browsers to the handlers of the features, and turns what goes wrong into a refusal that names
 * the message it is about. It knows no feature's message.
 */
import { randomBytes } from 'node:crypto';
import { problemBody, type ProblemCode, PROBLEMS } from '@fieldroom/contract/problems';
import { Problem } from '../platform/problem.ts';
import type { PlainChange } from '@fieldroom/contract/realtime';
import {
  type Channel,
  CONNECTING_PATIENCE,
  endConnection,
  type MessageHandler,
  type Sender,
  type StoredHandler,
  unavailable,
} from './channel.ts';
import { DatabaseUnavailable, isDatabaseUnavailable } from '../platform/db/db.ts';
import { asOneRequest, Waits } from '../platform/db/waits.ts';
import { parseJson } from '../platform/input/json.ts';
import { sparing } from '../platform/monitoring/log.ts';
import { StompRefusal } from '../platform/realtime/stomp-broker.ts';

/** A message as the broker hands it over. */
interface Message {
  readonly destination: string;
  /** When it began to wait behind other messages of its connection (`performance.now()`). */
  readonly queuedAt?: number | undefined;
  text(): string;
}

export interface Dispatch {
  isVolatile(destination: string): boolean;
  /** Handles a message that may be lost, at once. Throws a refusal. */
  handleVolatile(message: Message, sender: Sender): void;
  /** Handles a message in its turn, by each feature that listens to it. Throws a refusal. */
  handle(message: Message, sender: Sender): Promise<void> | void;
  /**
   * Tells the sender that a message was refused, in the way its feature chose. Takes the refusal, and the message where
   * it got that far.
   */
  refuse(refused: StompRefusal, message: Message | undefined, sender: Sender): void;
}

export interface DispatchParts {
  readonly channels: readonly Channel[];
  readonly log?: Record<'warn' | 'error', (fields: object, message: string) => void>;
  /** How long one message waits for the database in all, in milliseconds. */
  readonly waitMs: number;
}

/** Makes the dispatch of messages. Throws when a message is volatile to one feature and stored to another. */
export function createDispatch({ channels, log, waitMs }: DispatchParts): Dispatch {
  const handlers = handlersOf(channels);
  const warn = sparing((fields, words) => log?.warn(fields, words));
  /** When a message of a connection last found no database. */
  const failedAt = new WeakMap<Sender, number>();
  const isVolatile = (destination: string) => handlers.get(destination)?.[0]?.lane === 'volatile';

  function handleVolatile(message: Message, sender: Sender): void {
    const body = jsonOf(message.text());
    try {
      for (const handler of handlers.get(message.destination)!) void handler.handle(body, sender);
    } catch (error) {
      throw asRefusal(error);
    }
  }

  async function handleStored(message: Message, sender: Sender): Promise<void> {
    const body = jsonOf(message.text());
    const { queuedAt } = message;
    const itsHandlers = handlers.get(message.destination) ?? [UNKNOWN_DESTINATION];
    const endsConnection = itsHandlers.some(
      (handler) => handler.lane === 'stored' && handler.whenUnavailable === 'end',
    );
    const totalMs = endsConnection ? waitMs * CONNECTING_PATIENCE : waitMs;
    const waits = new Waits(totalMs, queuedAt === undefined ? 0 : performance.now() - queuedAt);
    // It spent all its time queued behind a message that the database could not serve.
    const isTooLate = queuedAt !== undefined && waits.leftMs() <= 0 && (failedAt.get(sender) ?? -Infinity) > queuedAt;
    await asOneRequest(waits, async () => {
      for (const handler of itsHandlers) {
        try {
          if (isTooLate) throw new DatabaseUnavailable('A message waited too long behind another');
          await handler.handle(body, sender);
        } catch (error) {
          if (!isDatabaseUnavailable(error)) throw asNamedRefusal(error, message);
          failedAt.set(sender, performance.now());
          warn({ err: error, destination: message.destination }, 'the database could not serve a message');
          // It does not cost the connection, which would only come back and ask the database for more.
          const reaction = handler.lane === 'stored' ? handler.whenUnavailable : 'refuse';
          if (reaction === 'end') throw endConnection('unavailable');
          if (reaction === 'refuse') throw asRefusal(unavailable());
        }
      }
    });
  }

  /**
   * A fault of ours does not cost the connection where the message has an `actId`: a browser that comes back would send
   * that message again and meet the same fault.
   */
  function asNamedRefusal(error: unknown, message: Message): unknown {
    if (error instanceof Problem || error instanceof StompRefusal || actIdIn(message) === null) return asRefusal(error);
    const reference = randomBytes(9).toString('base64url');
    log?.error({ err: error, reference, destination: message.destination }, 'a message could not be handled');
    return new MessageRefusal('unknown_fault', { reference });
  }

  /** The first handler of a message's destination that declares this, for its refusals. */
  function declared<Key extends 'figureIn' | 'tellRefusal'>(key: Key, message: Message): StoredHandler[Key] {
    for (const handler of handlers.get(message.destination) ?? [])
      if (handler.lane === 'stored' && handler[key]) return handler[key];
  }

  function problemOf(refused: StompRefusal, message: Message | undefined): Refusal {
    const code = Object.hasOwn(PROBLEMS, refused.code) ? (refused.code as ProblemCode) : 'frame_malformed';
    const more = refused instanceof MessageRefusal ? refused.more : {};
    // Of a message that does not fit its schema only the act's id is worth telling.
    const figureIn = message === undefined || more.fields ? undefined : declared('figureIn', message);
    return {
      eventType: 'PROBLEM',
      contents: {
        actId: message === undefined ? null : actIdIn(message),
        figureId: figureIn?.(readable(message!)) ?? null,
        problem: problemBody(code, more),
      },
    };
  }

  return {
    isVolatile,
    handleVolatile,
    handle: (message, sender) =>
      isVolatile(message.destination) ? handleVolatile(message, sender) : handleStored(message, sender),
    refuse(refused, message, sender) {
      const problem = problemOf(refused, message);
      const tellRefusal = message === undefined ? undefined : declared('tellRefusal', message);
      // Without an id no other page could tell whose act it was.
      if (tellRefusal === undefined || problem.contents.actId === null) sender.tell(problem);
      else tellRefusal(problem, sender);
    },
  };
}

/** All handlers by destination. */
function handlersOf(channels: readonly Channel[]): ReadonlyMap<string, readonly MessageHandler[]> {
  const all = new Map<string, MessageHandler[]>();
  for (const { messages = {} } of channels)
    for (const [destination, handler] of Object.entries(messages)) {
      const known = all.get(destination) ?? [];
      if (known.some(({ lane }) => lane !== handler.lane)) throw new Error(`${destination} is in two lanes`);
      all.set(destination, [...known, handler]);
    }
  return all;
}

const UNKNOWN_DESTINATION: MessageHandler = {
  lane: 'stored',
  whenUnavailable: 'refuse',
  handle() {
    throw new Problem('destination_unknown');
  },
};

// ---- refusals

/** What the sender of a refused message reads. */
type Refusal = Extract<PlainChange, { eventType: 'PROBLEM' }>;

/** One message was refused; the connection stays. */
class MessageRefusal extends StompRefusal {
  readonly more: Problem['more'];

  constructor(code: ProblemCode, more: Problem['more'] = {}) {
    super(code, PROBLEMS[code].title, { fatal: false });
    this.more = more;
  }
}

const asRefusal = (error: unknown) => (error instanceof Problem ? new MessageRefusal(error.code, error.more) : error);

/** Runs what a connection can't go on without: a Problem ends it, and `unavailable` tells the browser to come again. */
export async function orEnd<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem) throw endConnection(error.code);
    throw isDatabaseUnavailable(error) ? endConnection('unavailable') : error;
  }
}

/** The id by which the sender of a refused message finds it again, where it can be read. */
function actIdIn(message: Message): string | null {
  const { actId } = (readable(message) ?? {}) as { actId?: unknown };
  return typeof actId === 'string' && /^[0-9a-f-]{36}$/i.test(actId) ? actId : null;
}

/** What a message says; undefined where it cannot be read. */
function readable(message: Message): unknown {
  try {
    return parseJson(message.text());
  } catch {
    return undefined;
  }
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new MessageRefusal('frame_malformed');
  }
}
