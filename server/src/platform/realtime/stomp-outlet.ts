/**
 * The way out: MESSAGE frames are built once for all who get the same bytes, and everything for a connection in one
 * tick is one write to the socket.
 *
 * Each STOMP frame is a separate WebSocket message, because not every client reads several from one. We negotiate no
 * compression, and servers do not mask (RFC 6455 section 5.1). So a frame's bytes are the same for all connections:
 * WebSocket header and frame are in one buffer, and connections that get the same batch share it.
 */
import type { Duplex } from 'node:stream';
import { stompHead, type StompVersion } from './stomp-frame.ts';

const TEXT = 0x81;
const BINARY = 0x82;

/** "\n" as a WebSocket message, and an empty ping. */
export const HEARTBEAT_WIRE = Buffer.from([TEXT, 1, 10]);
export const PING_WIRE = Buffer.from([0x89, 0]);

/** An unmasked, unfragmented WebSocket message (RFC 6455 section 5.2) of `head` (text), `body` and the closing NUL. */
export function wireOf(head: string, body: Uint8Array, binary: boolean): Buffer {
  const headBytes = Buffer.byteLength(head);
  const length = headBytes + body.length + 1;
  const offset = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const wire = Buffer.allocUnsafe(offset + length);
  wire[0] = binary ? BINARY : TEXT;
  if (offset === 2) wire[1] = length;
  else if (offset === 4) {
    wire[1] = 126;
    wire.writeUInt16BE(length, 2);
  } else {
    wire[1] = 127;
    wire.writeUInt32BE(0, 2);
    wire.writeUInt32BE(length, 6);
  }
  wire.write(head, offset, 'utf8');
  wire.set(body, offset + headBytes);
  wire[offset + length - 1] = 0;
  return wire;
}

/** The part of a subscription that shapes its MESSAGE frames. */
export interface Form {
  readonly id: string | undefined;
  readonly version: StompVersion;
  readonly explicitAck: boolean;
  /** Equal for equal forms. */
  readonly formKey: string;
}

/** The key of a form: subscriptions with the same key get the same bytes. */
export const formKey = (id: string | undefined, version: StompVersion, explicitAck: boolean): string =>
  `${version}${explicitAck ? 'a' : '-'}${id === undefined ? '' : `=${id}`}`;

/** A message on its way to its readers, with the bytes for each form, made when they are first needed. */
export interface Outgoing {
  readonly destination: string;
  readonly messageId: string;
  readonly contentType: string | undefined;
  readonly headers: Readonly<Record<string, string>> | undefined;
  readonly body: Uint8Array;
  readonly binary: boolean;
  lastKey: string;
  lastWire: Buffer | null;
  wires: Map<string, Buffer> | null;
}

/** Makes a message to be sent to its readers. A text is sent as UTF-8 in a text frame, bytes in a binary one. */
export function outgoing(
  destination: string,
  messageId: string,
  body: string | Uint8Array,
  contentType: string | undefined,
  headers: Readonly<Record<string, string>> | undefined,
): Outgoing {
  const binary = typeof body !== 'string';
  return {
    destination,
    messageId,
    contentType,
    headers,
    body: binary ? body : Buffer.from(body, 'utf8'),
    binary,
    lastKey: '',
    lastWire: null,
    wires: null,
  };
}

/** The bytes for a subscription. Most readers share one id, so the form used last is checked before the map. */
export function wireFor(message: Outgoing, form: Form): Buffer {
  if (message.lastWire !== null && message.lastKey === form.formKey) return message.lastWire;
  let wire = message.wires?.get(form.formKey);
  if (wire === undefined) {
    const head = stompHead(
      'MESSAGE',
      {
        subscription: form.id,
        'message-id': message.messageId,
        destination: message.destination,
        'content-type': message.contentType,
        // 1.2 acknowledges by this id, which must distinguish two subscriptions of one connection.
        ack: form.explicitAck && form.version === '1.2' ? `${message.messageId}@${form.id ?? ''}` : undefined,
        ...message.headers,
      },
      form.version,
      message.body.length,
    );
    wire = wireOf(head, message.body, message.binary);
    if (message.lastWire !== null)
      (message.wires ??= new Map([[message.lastKey, message.lastWire]])).set(form.formKey, wire);
  }
  message.lastKey = form.formKey;
  message.lastWire = wire;
  return wire;
}

/** The part of a connection that the outlet needs. `out` stays null while nothing waits. */
export interface Outlet {
  readonly socket: Duplex;
  out: Buffer[] | null;
  outBytes: number;
  /** In the list of those to flush at the next tick. */
  listed: boolean;
  lastOut: number;
}

export interface Flusher<C extends Outlet> {
  /** Queues bytes; they are sent with the tick, or with `flush` at once. */
  put(to: C, wire: Buffer): void;
  flush(to: C): void;
  flushAll(): void;
  stop(): void;
}

/**
 * Makes a flusher, which gathers the bytes for each connection and writes them together.
 * @param flushMs length of a tick, in milliseconds; 0 gathers what comes in one turn of the event loop
 * @param now the clock that tells when something was last written, in milliseconds
 */
export function createFlusher<C extends Outlet>(flushMs: number, now: () => number): Flusher<C> {
  let listed: C[] = [];
  let timer: NodeJS.Timeout | NodeJS.Immediate | null = null;
  // The batch joined last: people of one room get the same one, one after another.
  let lastBatch: Buffer[] = [];
  let lastJoined: Buffer | null = null;

  const join = (batch: Buffer[], bytes: number): Buffer => {
    if (batch.length === 1) return batch[0]!;
    if (lastJoined !== null && lastBatch.length === batch.length) {
      let same = true;
      for (let i = 0; i < batch.length; i++) {
        if (batch[i] !== lastBatch[i]) {
          same = false;
          break;
        }
      }
      if (same) return lastJoined;
    }
    lastBatch = batch;
    lastJoined = Buffer.concat(batch, bytes);
    return lastJoined;
  };

  const flush = (to: C) => {
    const batch = to.out;
    if (batch === null) return;
    const bytes = to.outBytes;
    to.out = null;
    to.outBytes = 0;
    to.lastOut = now();
    if (to.socket.writable) to.socket.write(join(batch, bytes));
  };

  const flushAll = () => {
    if (timer !== null) {
      if (flushMs === 0) clearImmediate(timer as NodeJS.Immediate);
      else clearTimeout(timer as NodeJS.Timeout);
      timer = null;
    }
    const due = listed;
    listed = [];
    for (const to of due) {
      to.listed = false;
      flush(to);
    }
    // Nothing of a batch is kept beyond its tick.
    lastBatch = [];
    lastJoined = null;
  };

  return {
    put(to, wire) {
      to.outBytes += wire.length;
      if (to.out !== null) to.out.push(wire);
      else {
        to.out = [wire];
        if (!to.listed) {
          to.listed = true;
          listed.push(to);
        }
      }
      timer ??= flushMs === 0 ? setImmediate(flushAll) : setTimeout(flushAll, flushMs);
    },
    flush,
    flushAll,
    stop() {
      flushAll();
    },
  };
}
