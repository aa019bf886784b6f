/** `npm run check`: types, lint, imports, dead code and the tests that need no database, in well under a minute. */
import { bootstrap } from './bootstrap.mjs';
import { part, report, staticChecks } from './parts.mjs';
import { inParallel } from './run.mjs';

await bootstrap(import.meta.url);

const fastTests = () =>
  part('fast tests', 'vitest', ['run', '--project', 'contract', '--project', 'web', '--project', 'tools', '--reporter', 'dot']);
const parts = await inParallel(2, [...staticChecks, fastTests]);
report(parts);
process.exitCode = parts.every(({ ok }) => ok) ? 0 : 1;
