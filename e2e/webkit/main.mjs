/**
 * `npm run test:webkit`: sign-in, the field, the waiting room and booking in an installed WebKitGTK, the engine of
 * Safari. The last line reads `N passed, N failed`.
 */
import { bootstrap, fail } from '../../tools/bootstrap.mjs';

await bootstrap(import.meta.url);
const { buildIfChanged } = await import('../../tools/build.mjs');
const { runInWebKit } = await import('./scenarios.ts');
const { findWebKit } = await import('./driver.ts');

/** @type {import('./driver.ts').WebKitPrograms | undefined} */
let programs;
try {
  programs = findWebKit();
} catch (error) {
  fail(/** @type {Error} */ (error).message);
}
await buildIfChanged();
const { passed, failed } = await runInWebKit(/** @type {import('./driver.ts').WebKitPrograms} */ (programs));
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
