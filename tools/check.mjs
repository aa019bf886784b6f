/**
 * `npm run check`: types, lint, imports, dead code, and the tests that need no database. Most of their time is that of
 * tests of pages: of these it runs those that the changes since the remote's branch can touch.
 */
import { bootstrap } from './bootstrap.mjs';
import { bundleSize, part, report, staticChecks } from './static-checks.mjs';
import { inParallel, run } from './run.mjs';

await bootstrap(import.meta.url);

/** @param {readonly string[]} names of projects in vitest.config.ts */
const projects = (...names) => names.flatMap((name) => ['--project', name]);

const plainTests = () =>
  part('plain tests', 'vitest', ['run', ...projects('contract', 'web-plain', 'tools'), '--reporter', 'dot']);

async function pageTests() {
  const since = await beginning();
  const changed = since === null ? [] : ['--changed', since, '--passWithNoTests'];
  return part('page tests', 'vitest', ['run', ...projects('web', 'web-alone'), '--reporter', 'dot', ...changed]);
}

/** The last commit that the remote has too; without a remote the last one; null without git, which means all. */
async function beginning() {
  const { code, output } = await run('git', ['merge-base', 'HEAD', '@{upstream}']);
  if (code === 0) return output.trim();
  return (await run('git', ['rev-parse', 'HEAD'])).code === 0 ? 'HEAD' : null;
}

// The longest first, so that no core is idle at the end.
const parts = await inParallel(2, [pageTests, plainTests, bundleSize, ...staticChecks]);
report(parts);
console.log('\nOf the tests of pages, those ran that your changes can touch; `npm test` runs all.');
process.exitCode = parts.every(({ ok }) => ok) ? 0 : 1;
