/** `npm run check`: types, lint, imports, dead code and all tests that need no database. */
import { bootstrap } from './bootstrap.mjs';
import { bundleSize, part, report, staticChecks } from './static-checks.mjs';
import { inParallel } from './run.mjs';

await bootstrap(import.meta.url);

const fastTests = () =>
  part('fast tests', 'vitest', [
    'run',
    '--project',
    'contract',
    '--project',
    'web*',
    '--project',
    'tools',
    '--reporter',
    'dot',
  ]);
// The longest first, so that no core is idle at the end.
const parts = await inParallel(2, [fastTests, bundleSize, ...staticChecks]);
report(parts);
process.exitCode = parts.every(({ ok }) => ok) ? 0 : 1;
