/**
 * What comes in: bytes become frames, the rate is checked, and each frame is sorted. The first has to be CONNECT;
 * messages that may be lost go ahead, and all others wait for their turn.
 */
import type { RawData } from 'ws';
import type { StompCore } from '../stomp-core.ts';
import { feedStomp, type StompFrame } from '../stomp-frame.ts';
import { isWritable, RECORD, refill, type Conn, type Ends, type Held } from './stomp-connection.ts';
import type { Turns } from './stomp-turns.ts';

/** The listeners of a WebSocket for what comes in. */
export interface Intake<P extends object> {
  readonly onMessage: (this: Held<P>, data: RawData) => void;
  readonly onPong: (this: Held<P>) => void;
}

/** Makes what reads. Takes what the broker's parts share, and where frames go. */
export function createIntake<P extends object>(
  core: StompCore<P>,
  connect: (connection: Conn<P>, frame: StompFrame) => void,
  { enqueue, pass }: Pick<Turns<P>, 'enqueue' | 'pass'>,
  { fail }: Pick<Ends<P>, 'fail'>,
): Intake<P> {
  const { options, limits, now, totals, count } = core;

  const tooFast = (connection: Conn<P>) =>
    fail(connection, {
      code: 'rate',
      message: `at most ${limits.framesPerSecond} frames a second are taken`,
      closeCode: 1008,
    });

  const mayBeLost = ({ command: name, headers }: StompFrame): boolean =>
    name === 'SEND' &&
    headers['receipt'] === undefined &&
    headers['transaction'] === undefined &&
    options.volatileSend?.(headers['destination'] ?? '') === true;

  const onFrame = (connection: Conn<P>, frame: StompFrame): boolean => {
    if (!isWritable(connection)) return false;
    connection.framesIn++;
    totals.framesIn++;
    if (--connection.wideTokens < 0) {
      tooFast(connection);
      return false;
    }
    if (mayBeLost(frame)) {
      if (connection.volatileTokens < 1) {
        count('droppedIncoming');
        return true;
      }
      connection.volatileTokens--;
      if (connection.state === 'open' && options.onVolatile !== undefined) {
        pass(connection, frame);
        return isWritable(connection);
      }
    } else if (connection.tokens < 1) {
      tooFast(connection);
      return false;
    } else {
      connection.tokens--;
    }
    if (connection.state === 'waiting') {
      if (frame.command === 'CONNECT' || frame.command === 'STOMP') connect(connection, frame);
      else
        fail(connection, {
          code: 'protocol',
          message: 'the first frame has to be CONNECT',
          closeCode: 1002,
          receipt: frame.headers['receipt'],
        });
    } else {
      enqueue(connection, frame);
    }
    return isWritable(connection);
  };

  function onMessage(this: Held<P>, data: RawData): void {
    const connection = this[RECORD];
    if (connection === undefined || core.draining || !isWritable(connection)) return;
    const at = now();
    connection.lastIn = at;
    refill(connection, limits, at);
    if (--connection.wideTokens < 0) {
      tooFast(connection);
      return;
    }
    const fault = feedStomp(connection.parser, data as Buffer, connection, onFrame);
    if (fault !== null) {
      fail(connection, {
        code: fault.code,
        message: fault.message,
        closeCode: fault.code === 'too_large' ? 1009 : 1002,
        receipt: fault.receipt,
      });
    }
  }

  function onPong(this: Held<P>): void {
    const connection = this[RECORD];
    if (connection !== undefined) connection.lastIn = now();
  }

  return { onMessage, onPong };
}
