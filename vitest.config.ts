/**
 * The tests beside the code, in projects. `npm run check` runs those that need no database, and of the page tests only
 * those that the changes can affect. With FIELDROOM_LONG=1 the tests generate longer histories.
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

/** Takes a workspace and patterns. Returns the files with tests whose name and text pass. */
const testFiles = (workspace: string, patterns: readonly string[], passes: (file: string, text: string) => boolean) =>
  globSync(patterns, { cwd: new URL(`./${workspace}`, import.meta.url) }).filter((file) =>
    passes(file, readFileSync(new URL(`./${workspace}/${file}`, import.meta.url), 'utf8')),
  );
/**
 * Whether a test must not share modules (and, in the web, a window) with other files: it replaces modules, loads them
 * anew, or says `@alone` because it needs the untouched state of a module.
 */
const isAlone = (text: string) => /\bvi\s*\.(?:mock|doMock|resetModules)\(|@alone\b/.test(text);

const WEB_TESTS = ['src/**/*.test.ts', 'src/**/*.test.tsx'];
const WEB_ALONE = testFiles('web', WEB_TESTS, (_, text) => isAlone(text));
/** Tests of plain code. Making a window for a file takes longer than most of them; who needs one says so above. */
const WITHOUT_WINDOW = testFiles(
  'web',
  WEB_TESTS,
  (file, text) => file.endsWith('.ts') && !isAlone(text) && !text.includes('@vitest-environment happy-dom'),
);
const web = {
  root: './web',
  environment: 'happy-dom',
  setupFiles: [new URL('./web/build/testSetup.ts', import.meta.url).pathname],
  css: { modules: { classNameStrategy: 'non-scoped' as const } },
};
/** Files share the modules that their worker has loaded: three times quicker than loading them for each file. */
const SHARED = { pool: 'threads' as const, isolate: false };

const SERVER_TESTS = ['{src,tests}/**/*.test.ts'];
const SERVER_ALONE = testFiles('server', SERVER_TESTS, (_, text) => isAlone(text));
const server = {
  root: './server',
  pool: 'forks' as const,
  globalSetup: ifExists('./server/tests/support/global-setup.ts'),
};

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
      { test: { ...web, ...SHARED, name: 'web', include: WEB_TESTS, exclude: [...WEB_ALONE, ...WITHOUT_WINDOW] } },
      { test: { ...web, ...SHARED, name: 'web-plain', include: WITHOUT_WINDOW, environment: 'node' } },
      {
        // A window and modules of its own for each file.
        test: { ...web, name: 'web-alone', include: WEB_ALONE, pool: 'vmThreads' },
      },
      {
        // Most files run a whole server, which loads 1,000 modules: sharing them saves a third of the time.
        test: { ...server, name: 'server', include: SERVER_TESTS, exclude: SERVER_ALONE, isolate: false },
      },
      { test: { ...server, name: 'server-alone', include: SERVER_ALONE } },
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
