/** Work that begins after an answer: all of it is done, whenever it comes. */
import { describe, expect, test } from 'vitest';
import { logSpy } from '../../../tests/support/test-app.ts';
import { DatabaseUnavailable } from '../db/db.ts';
import { createAfterAnswer } from './after-answer.ts';

describe('work after an answer', () => {
  // The workers end a few microtasks after their last work; work that is added in any of these must find a worker.
  test.each(Array.from({ length: 12 }, (_, microtasks) => microtasks))(
    'is done when it comes %i microtasks after both workers ran out',
    async (microtasks) => {
      const after = createAfterAnswer(logSpy().log);
      const done: string[] = [];
      // Both works end in the same turn, so both workers end together.
      const gate = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      after.add(async () => {
        await gate.promise;
        done.push('first');
      });
      after.add(async () => {
        begun.resolve();
        await gate.promise;
        done.push('second');
      });
      await begun.promise;
      gate.resolve();
      for (let passed = 0; passed < microtasks; passed++) await Promise.resolve();
      after.add(async () => void done.push('third'));
      await after.idle();
      expect(done).toEqual(['first', 'second', 'third']);
    },
  );

  test('goes on after a piece that failed, which is logged', async () => {
    const logged = logSpy();
    const after = createAfterAnswer(logged.log);
    let done = false;
    after.add(() => Promise.reject(new Error('no mail')));
    after.add(async () => void (done = true));
    await after.idle();
    expect(done).toBe(true);
    expect(logged.text()).toContain('work after an answer failed');
  });

  const unavailable = () => new DatabaseUnavailable('stopped');

  test('that the database cannot serve is tried again, behind the others, and nobody reads of a failure', async () => {
    const logged = logSpy();
    const after = createAfterAnswer(logged.log, { retryMs: 1 });
    const done: string[] = [];
    let faults = 5;
    after.add(async () => {
      faults -= 1;
      if (faults >= 0) throw unavailable();
      done.push('first');
    });
    for (const name of ['second', 'third']) after.add(async () => void done.push(name));
    await after.idle();
    expect(done).toEqual(['second', 'third', 'first']);
    expect(logged.text()).toBe('');
  });

  test('that the database never serves is given up after a time, and logged', async () => {
    const logged = logSpy();
    const after = createAfterAnswer(logged.log, { retryMs: 1, retriedForMs: 20 });
    let tries = 0;
    after.add(() => {
      tries += 1;
      return Promise.reject(unavailable());
    });
    await after.idle();
    expect(tries).toBeGreaterThan(1);
    expect(logged.text()).toContain('work after an answer failed');
  });

  test('does not keep a server that stops: each is tried once more', async () => {
    const after = createAfterAnswer(logSpy().log, { retryMs: 1_000_000 });
    const tried = Promise.withResolvers<void>();
    let tries = 0;
    after.add(() => {
      tries += 1;
      tried.resolve();
      return Promise.reject(unavailable());
    });
    await tried.promise;
    // It waits to try again.
    await new Promise((resolve) => void setImmediate(resolve));
    await after.stop();
    expect(tries).toBe(2);
  });
});
