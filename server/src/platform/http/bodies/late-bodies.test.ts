/** Which requests are ended because their body does not come: docs/product.md#14.8. No network. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchBodies } from './late-bodies.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** A connection of which only the end is noticed. */
const connection = () => Object.assign(new EventEmitter(), { destroyed: false });
const requestWith = (headers: Record<string, string>, socket = connection()) => {
  const request = { headers, socket, complete: false, destroyed: false, destroy: vi.fn<() => void>() };
  return request as unknown as typeof request & IncomingMessage;
};

test('a body that does not come whole in time ends its request, also after the answer', () => {
  const bodies = watchBodies(3000);
  const [slow, chunked, answered] = [
    requestWith({ 'content-length': '5' }),
    requestWith({ 'transfer-encoding': 'chunked' }),
    requestWith({ 'content-length': '5' }),
  ];
  for (const request of [slow, chunked, answered]) bodies.watch(request);
  bodies.answered(answered);
  vi.advanceTimersByTime(2900);
  const later = requestWith({ 'content-length': '5' });
  bodies.watch(later);
  for (const request of [slow, chunked, answered]) expect(request.destroy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  for (const request of [slow, chunked, answered]) expect(request.destroy).toHaveBeenCalledOnce();
  expect(later.destroy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(3000);
  expect(later.destroy).toHaveBeenCalledOnce();
  bodies.stop();
});

test('whoever sent everything, or nothing at all, is left alone', () => {
  const bodies = watchBodies(3000);
  const [whole, without] = [requestWith({ 'content-length': '5' }), requestWith({ 'content-length': '0' })];
  for (const request of [whole, without, requestWith({})]) bodies.watch(request);
  whole.complete = true;
  bodies.answered(whole);
  vi.advanceTimersByTime(10_000);
  expect(whole.destroy).not.toHaveBeenCalled();
  expect(without.destroy).not.toHaveBeenCalled();
  bodies.stop();
});

test('the next request of a connection has its own time, and a closed connection has none', () => {
  const bodies = watchBodies(3000);
  const socket = connection();
  const first = requestWith({ 'content-length': '5' }, socket);
  bodies.watch(first);
  vi.advanceTimersByTime(2000);
  first.complete = true;
  const second = requestWith({ 'content-length': '5' }, socket);
  bodies.watch(second);
  // The answer to the first one comes late.
  bodies.answered(first);
  vi.advanceTimersByTime(2000);
  expect(second.destroy).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1200);
  expect(second.destroy).toHaveBeenCalledOnce();
  const left = requestWith({ 'content-length': '5' });
  bodies.watch(left);
  left.socket.emit('close');
  // A connection that is destroyed says so once, which may be over already.
  const late = requestWith({ 'content-length': '5' }, Object.assign(connection(), { destroyed: true }));
  bodies.watch(late);
  vi.advanceTimersByTime(4000);
  expect(left.destroy).not.toHaveBeenCalled();
  expect(late.destroy).not.toHaveBeenCalled();
  expect(first.destroy).not.toHaveBeenCalled();
  bodies.stop();
});
