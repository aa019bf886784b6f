/**
 * `npm test`: all checks, tests and journeys. The last line reads `N passed, N failed` and counts all of them. `--long`
 * (`npm run test:long`) also runs soak tests and long generated histories (FIELDROOM_LONG=1).
 */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bootstrap, root } from './bootstrap.mjs';
import { ensureChromium } from './programs/chromium.mjs';
import { missingRedis } from './programs/redis.mjs';
import { missingSwift } from './programs/swift.mjs';
import { lastLines, playwrightFailures, vitestFailures } from './failures.mjs';
import { bundleSize, part, report, staticChecks } from './static-checks.mjs';
import { inParallel, run } from './run.mjs';

await bootstrap(import.meta.url);

/** @type {Record<string, string>} */
const env = process.argv.includes('--long') ? { FIELDROOM_LONG: '1' } : {};
const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {string[]} a line for each failure */
const failures = [];
const reports = await mkdtemp(path.join(tmpdir(), 'fieldroom-reports-'));
const json = { vitest: path.join(reports, 'vitest.json'), playwright: path.join(reports, 'playwright.json') };

try {
  console.log('Types, lint, imports, dead code, the build …');
  /** @type {import('./static-checks.mjs').Part | undefined} */
  let build;
  const building = async () => (build = await part('build', process.execPath, ['tools/build.mjs']));
  // The size last: it needs the build.
  const parts = [...(await inParallel(2, [building, ...staticChecks])), await bundleSize()];
  report(parts);
  countParts(parts);

  const noRedis = await missingRedis();
  if (noRedis !== null) console.log(`\nThe tests of several nodes are left out. ${noRedis}`);
  const noSwift = await missingSwift();
  if (noSwift !== null) console.log(`\nThe tests with a real S3 store are left out. ${noSwift}`);

  console.log('\nTests of contract, tools, server and web …');
  const tests = await run(
    'vitest',
    ['run', '--reporter', 'default', '--reporter', 'json', '--outputFile.json', json.vitest],
    {
      env,
      show: true,
    },
  );
  count('tests', await vitestResult(), tests);
  console.log(`Tests took ${tests.seconds.toFixed(0)} s.`);

  console.log('\nJourneys in real browsers …');
  await journeys(build?.ok === true);
} finally {
  await rm(reports, { recursive: true, force: true });
}

// Again at the end, because people who read only the last lines need to know what failed.
for (const failure of failures) console.log(`Failed: ${failure}`);
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** @param {boolean} built whether web and server were built */
async function journeys(built) {
  const config = 'e2e/playwright.config.ts';
  if (!built || !existsSync(path.join(root, config))) {
    console.log(built ? `${config} is missing.` : 'Skipped: there is no build.');
    total.failed += 1;
    failures.push('journeys: they did not run');
    return;
  }
  let chromium;
  try {
    chromium = await ensureChromium();
  } catch (error) {
    console.log(/** @type {Error} */ (error).message);
    total.failed += 1;
    failures.push('journeys: there is no browser');
    return;
  }
  const ended = await run('playwright', ['test', '-c', config, '--reporter', 'list,json'], {
    show: true,
    env: { ...env, CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: json.playwright },
  });
  count('journeys', await playwrightResult(), ended);
  console.log(`Journeys took ${ended.seconds.toFixed(0)} s.`);
}

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Counts */

/**
 * @param {string} name
 * @param {Counts | undefined} result undefined when there is no report to read
 * @param {{ code: number, output: string }} ended exit code, and what was written to stderr. A failure outside tests
 *   (an unhandled rejection, a worker that crashed) counts as one; only stderr says which it was.
 */
function count(name, result, { code, output }) {
  total.passed += result?.passed ?? 0;
  total.skipped += result?.skipped ?? 0;
  const failed = Math.max(result?.failed ?? 0, result === undefined || code !== 0 ? 1 : 0);
  total.failed += failed;
  const known = result?.failures ?? [];
  failures.push(...known);
  if (failed > 0 && known.length === 0)
    failures.push(`${name}: exit code ${code}, outside any test\n${lastLines(output, 40)}`);
}

/** @param {readonly import('./static-checks.mjs').Part[]} parts */
function countParts(parts) {
  for (const { name, ok, output } of parts) {
    total[ok ? 'passed' : 'failed'] += 1;
    if (!ok) failures.push(`${name}\n${lastLines(output, 20)}`);
  }
}

/** @returns {Promise<Counts | undefined>} */
async function vitestResult() {
  const read = await readJson(json.vitest);
  if (!read) return undefined;
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = read;
  // A file that could not be loaded has no tests that could fail.
  const brokenFiles = testResults.filter(
    (/** @type {{ status: string, assertionResults: unknown[] }} */ file) =>
      file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  return {
    passed: numPassedTests,
    failed: numFailedTests + brokenFiles,
    skipped: numPendingTests + numTodoTests,
    failures: vitestFailures(testResults),
  };
}

/** @returns {Promise<Counts | undefined>} */
async function playwrightResult() {
  const read = await readJson(json.playwright);
  if (!read) return undefined;
  const { expected, unexpected, flaky, skipped } = read.stats;
  // A test that passes only at the second attempt counts as failed.
  return { passed: expected, failed: unexpected + flaky, skipped, failures: playwrightFailures(read.suites) };
}

/** @param {string} file */
async function readJson(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
