/**
 * The tests beside the code, one project for each workspace. `npm run check` runs those that need no database. With
 * FIELDROOM_LONG=1 the tests generate longer histories.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const ifExists = (file: string) =>
  existsSync(new URL(file, import.meta.url)) ? [new URL(file, import.meta.url).pathname] : [];

/**
 * Tests render whole pages or start real servers, and a busy machine may stall for seconds between any two lines of
 * them. These limits only end what hangs.
 */
const LONG_TIMEOUTS = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } };

const WEB_TESTS = ['src/**/*.test.ts', 'src/**/*.test.tsx'];
const webTests = (test: (file: string, text: string) => boolean) =>
  globSync(WEB_TESTS, { cwd: new URL('./web', import.meta.url) }).filter((file) =>
    test(file, readFileSync(new URL(`./web/${file}`, import.meta.url), 'utf8')),
  );
/**
 * The web's tests that must not share a window and modules with other files: they replace modules, load them anew, or
 * say `@alone` because they need the untouched state of a module.
 */
const ALONE = webTests((_, text) => /\bvi\s*\.(?:mock|doMock|resetModules)\(|@alone\b/.test(text));
/** Tests of plain code. Making a window for a file takes longer than most of them; who needs one says so above. */
const WITHOUT_WINDOW = webTests(
  (file, text) => file.endsWith('.ts') && !ALONE.includes(file) && !text.includes('@vitest-environment happy-dom'),
);
const web = {
  root: './web',
  environment: 'happy-dom',
  setupFiles: [new URL('./web/build/testSetup.ts', import.meta.url).pathname],
  css: { modules: { classNameStrategy: 'non-scoped' as const } },
};
/** Files share the modules that their worker has loaded: three times quicker than loading them for each file. */
const SHARED = { pool: 'threads' as const, isolate: false };

export default defineConfig({
  test: {
    ...LONG_TIMEOUTS,
    // A test must behave the same alone and together with others.
    restoreMocks: true,
    unstubEnvs: true,
    // One more than there are cores, because tests often wait for the database.
    maxWorkers: availableParallelism() + 1,
    projects: [
      { test: { ...SHARED, name: 'contract', root: './contract', include: ['src/**/*.test.ts'] } },
      { test: { ...SHARED, name: 'tools', root: './tools', include: ['**/*.test.mjs'] } },
      { test: { ...web, ...SHARED, name: 'web', include: WEB_TESTS, exclude: [...ALONE, ...WITHOUT_WINDOW] } },
      { test: { ...web, ...SHARED, name: 'web-plain', include: WITHOUT_WINDOW, environment: 'node' } },
      {
        // A window and modules of its own for each file.
        test: { ...web, name: 'web-alone', include: ALONE, pool: 'vmThreads' },
      },
      {
        test: {
          name: 'server',
          root: './server',
          include: ['{src,tests}/**/*.test.ts'],
          pool: 'forks',
          globalSetup: ifExists('./server/tests/support/global-setup.ts'),
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
        },
      },
    ],
  },
});
