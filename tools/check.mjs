/**
 * `npm run check`: types, lint, imports, dead code, and the tests that need no database. Page tests take most of the
 * time, so it runs only those that the changes since the remote's main branch can affect.
 */
import { bootstrap } from './bootstrap.mjs';
import { bundleSize, part, report, staticChecks } from './static-checks.mjs';
import { inParallel, run } from './run.mjs';

await bootstrap(import.meta.url);

/** @param {readonly string[]} names of projects in vitest.config.ts */
const projects = (...names) => names.flatMap((name) => ['--project', name]);

const plainTests = () =>
  part('plain tests', 'vitest', ['run', ...projects('contract', 'web-plain', 'tools'), '--reporter', 'dot']);

/** The last commit that is also in the remote's main branch. Null without such a branch: then all page tests run. */
async function lastCommon() {
  const { code, output } = await run('git', ['merge-base', 'HEAD', 'origin/HEAD']);
  return code === 0 ? output.trim() : null;
}

const since = await lastCommon();
const changed = since === null ? [] : ['--changed', since, '--passWithNoTests'];
const pageTests = () =>
  part('page tests', 'vitest', ['run', ...projects('web', 'web-alone'), '--reporter', 'dot', ...changed]);

// The longest first, so that no core is idle at the end.
const parts = await inParallel(2, [pageTests, plainTests, bundleSize, ...staticChecks]);
report(parts);
if (since !== null) console.log('\nOnly the page tests that your changes can affect ran; `npm test` runs all of them.');
process.exitCode = parts.every(({ ok }) => ok) ? 0 : 1;
