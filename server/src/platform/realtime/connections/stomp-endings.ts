/** How a connection ends: closed by us, with or without an ERROR frame, or gone by itself; and who is told. */
import { randomBytes } from 'node:crypto';
import type { StompCore } from '../stomp-core.ts';
import type { Destinations } from '../stomp-destinations.ts';
import type { StompFrame } from '../stomp-frame.ts';
import type { Sender } from '../stomp-sender.ts';
import { StompRefusal, type StompBroker } from '../stomp-types.ts';
import { isWritable, RECORD, resume, type Conn, type Ends, type Held } from './stomp-connection.ts';
import type { Crowd } from './stomp-crowd.ts';

export interface Endings<P extends object> extends Ends<P> {
  /** Ends it with an answer to whatever a hook or a rule threw while the frame was handled. */
  readonly failWith: (connection: Conn<P>, error: unknown, frame: StompFrame) => void;
  /** Reports the end, once the socket is gone and no frame is left: `onDisconnect` follows `onConnect`. */
  readonly farewell: (connection: Conn<P>) => void;
  /** Listens for the end of a WebSocket. */
  readonly onClose: (this: Held<P>, code: number) => void;
  readonly disconnect: StompBroker<P>['disconnect'];
}

/** Makes what ends connections. Takes what the broker's parts share, and the parts that a connection leaves. */
export function createEndings<P extends object>(
  core: StompCore<P>,
  { answer }: Pick<Sender<P>, 'answer'>,
  { detachAll }: Pick<Destinations<P>, 'detachAll'>,
  crowd: Pick<Crowd<P>, 'leave'>,
): Endings<P> {
  const { options, limits, now, flusher, all, count } = core;

  const close: Endings<P>['close'] = (connection, code, reason) => {
    if (!isWritable(connection)) return;
    flusher.flush(connection);
    connection.state = 'closing';
    crowd.leave(connection);
    connection.queue = null;
    connection.queuedBytes = 0;
    detachAll(connection);
    connection.transactions = null;
    // A paused socket would never see the answer to the closing handshake.
    resume(connection, limits, now);
    connection.ws.close(code, reason);
  };

  const fail: Endings<P>['fail'] = (connection, failure) => {
    if (!isWritable(connection)) return;
    count('errors');
    answer(
      connection,
      'ERROR',
      {
        message: failure.message,
        code: failure.code,
        'receipt-id': failure.receipt,
        'content-type': 'text/plain',
        ...failure.headers,
      },
      Buffer.from(`${failure.message}\n`),
      // Before the version is settled nothing may be escaped.
      connection.parser.version ?? '1.0',
    );
    close(connection, failure.closeCode, failure.code);
  };

  const failWith: Endings<P>['failWith'] = (connection, error, frame) => {
    const receipt = frame.headers['receipt'];
    if (error instanceof StompRefusal) {
      fail(connection, { code: error.code, message: error.message, closeCode: error.closeCode, receipt });
      return;
    }
    const reference = randomBytes(5).toString('hex');
    count('faults');
    // Without the error's message: it may quote what the browser sent (JSON.parse does).
    options.log?.error(
      { reference, connection: connection.id, command: frame.command, ...traceOf(error) },
      'a frame could not be handled',
    );
    fail(connection, {
      code: 'internal',
      message: `something went wrong on our side, reference ${reference}`,
      closeCode: 1011,
      receipt,
    });
  };

  const farewell: Endings<P>['farewell'] = (connection) => {
    const gone = () => {
      all.delete(connection);
      core.settled?.();
    };
    if (!connection.announced || options.onDisconnect === undefined) {
      gone();
      return;
    }
    connection.announced = false;
    const failed = (error: unknown) => {
      count('faults');
      options.log?.error({ connection: connection.id, ...traceOf(error) }, 'onDisconnect failed');
    };
    try {
      Promise.resolve(
        options.onDisconnect(connection.principal, connection, {
          graceful: connection.graceful,
          code: connection.closeCode,
        }),
      )
        .catch(failed)
        .then(gone, gone);
    } catch (error) {
      failed(error);
      gone();
    }
  };

  function onClose(this: Held<P>, code: number): void {
    const connection = this[RECORD];
    if (connection === undefined || connection.state === 'closed') return;
    // Frames that the browser sent before it left are still handled (an act on the way out of the page is an act), so
    // its transactions stay, too.
    connection.state = 'closed';
    crowd.leave(connection);
    connection.closeCode = code;
    connection.request = null;
    connection.out = null;
    connection.outBytes = 0;
    connection.pausedAt = 0;
    detachAll(connection);
    if (!connection.busy) farewell(connection);
  }

  const disconnect: Endings<P>['disconnect'] = (predicate, how = {}) => {
    core.revocations++;
    const code = how.code ?? 1008;
    const reason = how.reason ?? '';
    const end = (connection: Conn<P>) => {
      if (how.errorMessage !== undefined)
        fail(connection, { code: how.errorCode ?? 'disconnected', message: how.errorMessage, closeCode: code });
      else close(connection, code, reason);
    };
    let ended = 0;
    for (const connection of all) {
      if (connection.state === 'connecting') {
        // The sign-in is known in a moment, perhaps from what was read before this call.
        (connection.verdicts ??= []).push((principal, one) => {
          if (!predicate(principal, one)) return false;
          end(one);
          return true;
        });
      } else if (connection.state === 'open' && predicate(connection.principal, connection)) {
        end(connection);
        ended++;
      } else if (connection.state === 'closed' && connection.announced && predicate(connection.principal, connection)) {
        // Already gone, but frames still wait: they are not handled any more.
        connection.queue = null;
      }
    }
    return ended;
  };

  return { close, fail, failWith, farewell, onClose, disconnect };
}

/** The parts of an error that may be logged: its name, code and where it was thrown, but not its words. */
function traceOf(error: unknown): { error: string; code?: unknown; trace: string[] } {
  if (!(error instanceof Error)) return { error: typeof error, trace: [] };
  const trace = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { error: error.name, code: (error as { code?: unknown }).code, trace: trace.map((line) => line.trim()) };
}
