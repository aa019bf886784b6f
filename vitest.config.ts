/**
 * The tests beside the code, one project per workspace. `npm run check` runs those that need no database;
 * FIELDROOM_LONG=1 is read by the tests themselves and lengthens generated histories.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const ifThere = (file: string) =>
  existsSync(new URL(file, import.meta.url)) ? [new URL(file, import.meta.url).pathname] : [];

/**
 * Real servers start in tests and hooks, several at a time, which takes a while on a busy machine. These limits prove
 * nothing; they only end what hangs.
 */
const PATIENT = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } };

export default defineConfig({
  test: {
    // A test run alone must behave as in the whole.
    restoreMocks: true,
    unstubEnvs: true,
    // Vitest would leave one core free, which of two is half the machine. Tests wait for the database more than they
    // compute.
    maxWorkers: availableParallelism(),
    projects: [
      { test: { name: 'contract', root: './contract', include: ['src/**/*.test.ts'] } },
      { test: { name: 'tools', root: './tools', include: ['*.test.mjs'], testTimeout: 30_000 } },
      {
        test: {
          name: 'web',
          root: './web',
          include: ['src/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // One happy-dom for each worker, with a window and modules of its own for each file: a third quicker than a
          // worker for each file.
          pool: 'vmThreads',
          // Whole pages are drawn, on machines that others use too.
          testTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
          setupFiles: [new URL('./tools/web-tests.mjs', import.meta.url).pathname],
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
      {
        test: {
          name: 'server',
          root: './server',
          include: ['{src,tests}/**/*.test.ts'],
          pool: 'forks',
          globalSetup: ifThere('./server/tests/support/global-setup.ts'),
          ...PATIENT,
        },
      },
      {
        // Server and web together, without a browser; what drives real browsers is Playwright's.
        test: {
          name: 'system',
          root: './e2e',
          include: ['*.test.ts'],
          pool: 'forks',
          globalSetup: ifThere('./server/tests/support/global-setup.ts'),
          ...PATIENT,
        },
      },
    ],
  },
});
