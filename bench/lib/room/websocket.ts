/**
 * A WebSocket client (RFC 6455) with only what a load generator needs, so that it costs less than what it measures: it
 * sends unfragmented masked text messages, and receives text and pings, without extensions.
 */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export interface WebSocketConnection {
  send(text: string): void;
  /** Bytes of whole WebSocket messages received. */
  readonly bytesIn: number;
  readonly open: boolean;
  close(): void;
}

export interface WebSocketOptions {
  port: number;
  path: string;
  protocol?: string;
  /** Address of this machine from which to connect; 127.0.0.1 by default. */
  localAddress?: string | undefined;
  /** A whole message; `payload` is valid during the call. */
  onMessage(payload: Buffer): void;
  onClose?(): void;
}

/** Opens a connection to this machine. Resolves once the server has upgraded it. */
export function openWebSocket({
  port,
  path,
  protocol,
  localAddress,
  onMessage,
  onClose,
}: WebSocketOptions): Promise<WebSocketConnection> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    let rest: Buffer | null = null;
    let upgraded = false;
    let open = false;
    let bytesIn = 0;
    let parts: Buffer[] | null = null;
    const mask = randomBytes(4);

    const frame = (opcode: number, payload: Buffer): Buffer => {
      const length = payload.length;
      const offset = length < 126 ? 6 : 8;
      if (length > 65_535) throw new Error('the generator sends short messages only');
      const out = Buffer.allocUnsafe(offset + length);
      out[0] = 0x80 | opcode;
      if (length < 126) out[1] = 0x80 | length;
      else {
        out[1] = 0x80 | 126;
        out.writeUInt16BE(length, 2);
      }
      mask.copy(out, offset - 4);
      for (let i = 0; i < length; i++) out[offset + i] = payload[i]! ^ mask[i & 3]!;
      return out;
    };

    const connection: WebSocketConnection = {
      send(text) {
        if (open) socket.write(frame(1, Buffer.from(text)));
      },
      get bytesIn() {
        return bytesIn;
      },
      get open() {
        return open;
      },
      close() {
        if (!open) return;
        open = false;
        socket.end(frame(8, Buffer.from([0x03, 0xe8])));
      },
    };

    const read = (chunk: Buffer) => {
      let at = 0;
      for (;;) {
        const left = chunk.length - at;
        if (left < 2) break;
        let length = chunk[at + 1]! & 127;
        let head = 2;
        if (length === 126) {
          if (left < 4) break;
          length = chunk.readUInt16BE(at + 2);
          head = 4;
        } else if (length === 127) {
          if (left < 10) break;
          length = Number(chunk.readBigUInt64BE(at + 2));
          head = 10;
        }
        if (left < head + length) break;
        const first = chunk[at]!;
        const payload = chunk.subarray(at + head, at + head + length);
        at += head + length;
        bytesIn += head + length;
        const opcode = first & 15;
        if (opcode === 9) socket.write(frame(10, payload));
        else if (opcode === 8) socket.end();
        else if (opcode < 3) {
          if ((first & 0x80) !== 0 && parts === null) onMessage(payload);
          else {
            (parts ??= []).push(Buffer.from(payload));
            if ((first & 0x80) !== 0) {
              const whole = Buffer.concat(parts);
              parts = null;
              onMessage(whole);
            }
          }
        }
      }
      rest = at < chunk.length ? Buffer.from(chunk.subarray(at)) : null;
    };

    socket.on('connect', () => {
      socket.write(
        [
          `GET ${path} HTTP/1.1`,
          `Host: 127.0.0.1:${port}`,
          'Upgrade: websocket',
          'Connection: Upgrade',
          'Sec-WebSocket-Version: 13',
          `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
          ...(protocol ? [`Sec-WebSocket-Protocol: ${protocol}`] : []),
          '\r\n',
        ].join('\r\n'),
      );
    });
    socket.on('data', (chunk: Buffer) => {
      let bytes = rest === null ? chunk : Buffer.concat([rest, chunk]);
      rest = null;
      if (!upgraded) {
        const end = bytes.indexOf('\r\n\r\n');
        if (end < 0) {
          rest = bytes;
          return;
        }
        const head = bytes.toString('latin1', 0, end);
        if (!head.startsWith('HTTP/1.1 101')) {
          socket.destroy();
          reject(new Error(`no upgrade: ${head.split('\r\n')[0]}`));
          return;
        }
        upgraded = true;
        open = true;
        bytes = bytes.subarray(end + 4);
        resolve(connection);
      }
      if (bytes.length > 0) read(bytes);
    });
    socket.on('error', (error) => (upgraded ? undefined : reject(error)));
    socket.on('close', () => {
      open = false;
      onClose?.();
    });
  });
}
