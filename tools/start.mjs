/** `npm start`: installs missing packages, builds the web if it changed, and runs the server. */
import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { buildIfChanged } = await import('./build.mjs');
await buildIfChanged();
// Only `npm run dev` may offer the page `/dev`, even if the shell still has the variable.
delete process.env['FIELDROOM_DEV'];
// In this process, so that the server receives signals directly.
await import(new URL('../server/src/main.ts', import.meta.url).href);
