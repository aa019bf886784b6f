/**
 * `npm run test:firefox`: the room with video in an installed Firefox (FIREFOX_PATH, or one in the search path). The
 * last line reads `N passed, N failed`.
 */
import { bootstrap, fail } from '../../tools/bootstrap.mjs';

await bootstrap(import.meta.url);
const { buildIfChanged } = await import('../../tools/build.mjs');
const { runInFirefox } = await import('./scenarios.ts');
const { findFirefox } = await import('./driver.ts');

let firefox = '';
try {
  firefox = findFirefox();
} catch (error) {
  fail(/** @type {Error} */ (error).message);
}
await buildIfChanged();
const { passed, failed } = await runInFirefox(firefox);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
