/** When a stop has no call to wait for any more. No network. */
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { watchCalls } from './running-calls.ts';

function watched() {
  const server = new EventEmitter();
  const calls = watchCalls(server as unknown as Server);
  const connect = () => {
    const socket = new EventEmitter() as Socket;
    server.emit('connection', socket);
    return socket;
  };
  return { calls, connect };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('it is quiet when the last call was answered, however many a connection had', async () => {
  const { calls, connect } = watched();
  const [one, two] = [connect(), connect()];
  for (const socket of [one, one, two]) calls.begin(socket);
  expect(calls.count()).toBe(3);
  const quiet = vi.fn<() => void>();
  void calls.quiet().then(quiet);
  for (const socket of [one, two]) calls.end(socket);
  await settled();
  expect(quiet).not.toHaveBeenCalled();
  calls.end(one);
  await settled();
  expect(quiet).toHaveBeenCalledOnce();
  expect([...calls.sockets()]).toEqual([one, two]);
});

test('the calls of a connection end with it, also when an answer is reported later', async () => {
  const { calls, connect } = watched();
  const [gone, open] = [connect(), connect()];
  for (const socket of [gone, gone, open]) calls.begin(socket);
  gone.emit('close');
  expect(calls.count()).toBe(1);
  calls.end(gone);
  expect(calls.count()).toBe(1);
  expect([...calls.sockets()]).toEqual([open]);
  open.emit('close');
  await expect(calls.quiet()).resolves.toBeUndefined();
});
