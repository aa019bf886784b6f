/** Work that begins after an answer: all of it is done, whenever it comes. */
import { describe, expect, test } from 'vitest';
import { logSpy } from '../../../tests/support/test-app.ts';
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
});
