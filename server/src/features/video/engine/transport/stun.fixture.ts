/** Connectivity checks for tests, written from RFC 8489 without the code they test. */
import { createHmac } from 'node:crypto';

/** A check as a browser makes it, written by hand from RFC 8489. */
export function check({
  username = 'ours:theirs',
  password = 'secret',
  use = true,
  controlled = false,
  after = Buffer.alloc(0),
} = {}): Buffer {
  const attribute = (type: number, value: Buffer) => {
    const padded = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
    padded.writeUInt16BE(type, 0);
    padded.writeUInt16BE(value.length, 2);
    value.copy(padded, 4);
    return padded;
  };
  const attributes = [
    attribute(0x0006, Buffer.from(username)),
    ...(use ? [attribute(0x0025, Buffer.alloc(0))] : []),
    ...(controlled ? [attribute(0x8029, Buffer.alloc(8))] : []),
  ];
  const body = Buffer.concat(attributes);
  const message = Buffer.concat([Buffer.alloc(20), body, Buffer.alloc(24), after]);
  message.writeUInt16BE(1, 0);
  message.writeUInt16BE(body.length + 24, 2);
  message.writeUInt32BE(0x2112a442, 4);
  message.fill(7, 8, 20);
  message.writeUInt16BE(0x0008, 20 + body.length);
  message.writeUInt16BE(20, 22 + body.length);
  createHmac('sha1', password)
    .update(message.subarray(0, 20 + body.length))
    .digest()
    .copy(message, 24 + body.length);
  message.writeUInt16BE(message.length - 20, 2);
  return message;
}
