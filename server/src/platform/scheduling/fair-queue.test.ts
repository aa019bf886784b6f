/** Fair queues: which work waits for which, and what is refused. */
import { describe, expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

/** Work that a test ends by hand. */
function pieces() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    piece: (name: string) => () =>
      new Promise<string>((resolve) => {
        started.push(name);
        ends.set(name, () => resolve(name));
      }),
    async end(name: string) {
      ends.get(name)!();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('queues', () => {
  it('runs the work of one account one piece after the other', async () => {
    const { started, piece, end } = pieces();
    const queue = createFairQueue({ together: 2, waitingMax: 5 });
    const first = queue.run('anna', piece('1'));
    void queue.run('anna', piece('2'));
    expect(started).toEqual(['1']);
    await end('1');
    expect(await first).toBe('1');
    expect(started).toEqual(['1', '2']);
  });

  it('lets another account pass an account that queues much', async () => {
    const { started, piece, end } = pieces();
    const queue = createFairQueue({ together: 1, waitingMax: 5 });
    for (const name of ['a1', 'a2', 'a3']) void queue.run('anna', piece(name));
    void queue.run('bea', piece('b1'));
    await end('a1');
    expect(started).toEqual(['a1', 'a2']);
    await end('a2');
    await end('b1');
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('runs no more at the same time than it may', async () => {
    const { started, piece, end } = pieces();
    const queue = createFairQueue({ together: 2, waitingMax: 5 });
    for (const name of ['anna', 'bea', 'cleo']) void queue.run(name, piece(name));
    expect(started).toEqual(['anna', 'bea']);
    await end('bea');
    expect(started).toEqual(['anna', 'bea', 'cleo']);
  });

  it('refuses what would wait behind too much of the same account, and nobody else', async () => {
    const { started, piece } = pieces();
    const queue = createFairQueue({ together: 2, waitingMax: 1 });
    void queue.run('anna', piece('a1'));
    void queue.run('anna', piece('a2'));
    await expect(queue.run('anna', piece('a3'))).rejects.toMatchObject({ code: 'too_many_requests' });
    void queue.run('bea', piece('b1'));
    expect(started).toEqual(['a1', 'b1']);
  });

  it('goes on after work that failed', async () => {
    const queue = createFairQueue({ together: 1, waitingMax: 1 });
    await expect(queue.run('anna', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run('anna', async () => 'done')).toBe('done');
  });
});
