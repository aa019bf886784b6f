/**
 * The order of the frames of one connection: one after another, however long each takes; only messages that may be
 * lost do not wait. While too many frames wait, the connection is not read.
 */
import type { createCommands } from '../stomp-commands.ts';
import type { StompCore } from '../stomp-core.ts';
import type { StompFrame } from '../stomp-frame.ts';
import type { Sender } from '../stomp-sender.ts';
import { pause, resume, type Conn } from './stomp-connection.ts';
import type { Endings } from './stomp-endings.ts';

export interface Turns<P extends object> {
  /** Handles a frame, at once or when those before it are done. */
  readonly enqueue: (connection: Conn<P>, frame: StompFrame) => void;
  /** Handles a message that may be lost, whatever still waits. */
  readonly pass: (connection: Conn<P>, frame: StompFrame) => void;
  /** Handles what waits until something takes time or nothing is left. */
  readonly work: (connection: Conn<P>) => void;
}

/** Makes what hands frames to the commands in their order, answers RECEIPT and carries out DISCONNECT. */
export function createTurns<P extends object>(
  core: StompCore<P>,
  { command, sendVolatile }: ReturnType<typeof createCommands<P>>,
  { answer }: Pick<Sender<P>, 'answer'>,
  { close, failWith, farewell }: Pick<Endings<P>, 'close' | 'failWith' | 'farewell'>,
): Turns<P> {
  const { limits, now } = core;

  const finished = (connection: Conn<P>, frame: StompFrame) => {
    const receipt = frame.headers['receipt'];
    if (receipt !== undefined) answer(connection, 'RECEIPT', { 'receipt-id': receipt });
    if (frame.command === 'DISCONNECT') {
      connection.graceful = true;
      close(connection, 1000, 'disconnected');
    }
  };

  /** Handles one frame; returns a promise if that takes time. Never throws or rejects. */
  const handle = (connection: Conn<P>, frame: StompFrame): void | Promise<void> => {
    try {
      const work = frame.command === 'DISCONNECT' ? undefined : command(connection, frame);
      if (work !== undefined) {
        return work.then(
          () => finished(connection, frame),
          (error: unknown) => failWith(connection, error, frame),
        );
      }
      finished(connection, frame);
    } catch (error) {
      failWith(connection, error, frame);
    }
  };

  const pass = (connection: Conn<P>, frame: StompFrame) => {
    try {
      sendVolatile(connection, frame)?.catch((error: unknown) => failWith(connection, error, frame));
    } catch (error) {
      failWith(connection, error, frame);
    }
  };

  const rest = (connection: Conn<P>) => {
    connection.busy = false;
    connection.queue = null;
    connection.queuedBytes = 0;
    resume(connection, limits, now);
    if (connection.state === 'closed') farewell(connection);
    else core.settled?.();
  };

  const work = (connection: Conn<P>): void => {
    connection.busy = true;
    for (;;) {
      const frame = connection.queue?.shift();
      if (frame === undefined) {
        rest(connection);
        return;
      }
      connection.queuedBytes -= frame.body.length;
      if (
        connection.pausedAt !== 0 &&
        connection.queue!.length <= limits.pendingFrames / 2 &&
        connection.queuedBytes <= limits.pendingBytes / 2
      )
        resume(connection, limits, now);
      const taking = handle(connection, frame);
      if (taking !== undefined) {
        void taking.then(() => work(connection));
        return;
      }
    }
  };

  const enqueue = (connection: Conn<P>, frame: StompFrame) => {
    if (!connection.busy) {
      const taking = handle(connection, frame);
      if (taking === undefined) return;
      connection.busy = true;
      void taking.then(() => work(connection));
      return;
    }
    (connection.queue ??= []).push({ ...frame, queuedAt: now() });
    connection.queuedBytes += frame.body.length;
    if (connection.queue.length >= limits.pendingFrames || connection.queuedBytes >= limits.pendingBytes)
      pause(connection, now);
  };

  return { enqueue, pass, work };
}
