/** A fake connection for tests: records what is sent, and emits what the server would send. */
import type { Change, EventType } from '@fieldroom/contract/realtime';
import { createEmitter } from '../emitter.ts';
import type { Connection, ConnectionState } from './connection.ts';

export interface FakeConnection extends Pick<Connection, 'send' | 'state' | 'onChange' | 'onState' | 'on'> {
  /** What was sent while it was open, oldest first. */
  readonly sent: { destination: string; body: unknown }[];
  /** The destinations of the messages that nobody answers. */
  readonly unanswered: string[];
  /** A message from the server. */
  say(change: Change): void;
  become(state: ConnectionState): void;
}

/** Takes its first state. Sends nothing while it is not open, like the real one. */
export function fakeConnection(state: ConnectionState = 'open'): FakeConnection {
  const changes = createEmitter<Change>();
  const states = createEmitter<ConnectionState>();
  const sent: { destination: string; body: unknown }[] = [];
  const unanswered: string[] = [];
  return {
    sent,
    unanswered,
    say: changes.emit,
    become(next) {
      state = next;
      states.emit(next);
    },
    state: () => state,
    onChange: changes.on,
    onState: states.on,
    on: (eventType: EventType, listener: (change: never) => void) =>
      changes.on((change) => {
        if (change.eventType === eventType) listener(change as never);
      }),
    send(destination, body, { answered = true } = {}) {
      if (state !== 'open') return false;
      sent.push({ destination, body });
      if (!answered) unanswered.push(destination);
      return true;
    },
  };
}
