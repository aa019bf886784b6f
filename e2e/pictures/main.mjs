/**
 * `npm run pictures`: pictures of the room's states, from the join form to the goodbye, and of the other pages, in six
 * sizes, light in English and dark in German. They are for people to look at, in `e2e/screenshots/states`. Arguments
 * after `--` go to Playwright: `npm run pictures -- -g client`.
 */
import { bootstrap, fail } from '../../tools/bootstrap.mjs';

await bootstrap(import.meta.url);
const { buildIfChanged } = await import('../../tools/build.mjs');
const { ensureChromium } = await import('../../tools/programs/chromium.mjs');
const { run } = await import('../../tools/run.mjs');

let chromium = '';
try {
  chromium = await ensureChromium();
} catch (error) {
  fail(/** @type {Error} */ (error).message);
}
await buildIfChanged();
const args = ['test', '-c', 'e2e/pictures/playwright.config.ts', ...process.argv.slice(2)];
const { code } = await run('playwright', args, { show: true, env: { CHROMIUM_PATH: chromium } });
process.exitCode = code;
