import { expect, test, vi } from 'vitest';
import { createEmitter } from './emitter.ts';

test('a value reaches all listeners until they stop or all are removed', () => {
  const emitter = createEmitter<number>();
  const [one, other] = [vi.fn(), vi.fn()];
  const stop = emitter.on(one);
  emitter.on(other);
  emitter.emit(1);
  stop();
  emitter.emit(2);
  emitter.clear();
  emitter.emit(3);
  expect([one.mock.calls, other.mock.calls]).toEqual([[[1]], [[1], [2]]]);
});

test('a value reaches the listeners that were there before, whatever they do with it', () => {
  const emitter = createEmitter();
  const late = vi.fn();
  const stop = emitter.on(() => {
    emitter.on(late);
    stop();
  });
  emitter.emit();
  expect(late).not.toHaveBeenCalled();
  emitter.emit();
  expect(late).toHaveBeenCalledOnce();
});
