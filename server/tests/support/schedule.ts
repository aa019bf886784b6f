/** Scheduled jobs of an app, run by hand. */
import { expect } from 'vitest';
import type { TestApp } from './test-app.ts';

/** Runs a job and waits for its end: on a slow machine the answer comes before. */
export async function runToEnd({ app: { schedule } }: Pick<TestApp, 'app'>, type: string): Promise<void> {
  await schedule.runNow(type);
  await expect.poll(async () => (await schedule.list()).find((job) => job.type === type)!.running).toBe(false);
}
