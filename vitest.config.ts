/**
 * The tests beside the code, one project for each workspace. `npm run check` runs those that need no database. With
 * FIELDROOM_LONG=1 the tests generate longer histories.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const ifExists = (file: string) =>
  existsSync(new URL(file, import.meta.url)) ? [new URL(file, import.meta.url).pathname] : [];

/** Tests and hooks start real servers, which is slow on a busy machine. These limits only end what hangs. */
const LONG_TIMEOUTS = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } };

export default defineConfig({
  test: {
    // A test must behave the same alone and together with others.
    restoreMocks: true,
    unstubEnvs: true,
    // By default Vitest leaves one core free, which is half of a machine with two. Tests mostly wait for the database.
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
          // Rendering whole pages takes long on a busy machine.
          testTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
          setupFiles: [new URL('./tools/web-test-setup.mjs', import.meta.url).pathname],
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
      {
        test: {
          name: 'server',
          root: './server',
          include: ['{src,tests}/**/*.test.ts'],
          pool: 'forks',
          globalSetup: ifExists('./server/tests/support/global-setup.ts'),
          ...LONG_TIMEOUTS,
        },
      },
      {
        // Server and web together, without a browser. Playwright runs the journeys in browsers.
        test: {
          name: 'system',
          root: './e2e',
          include: ['*.test.ts'],
          pool: 'forks',
          globalSetup: ifExists('./server/tests/support/global-setup.ts'),
          ...LONG_TIMEOUTS,
        },
      },
    ],
  },
});
