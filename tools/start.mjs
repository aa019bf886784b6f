/** `npm start`: installs missing packages, builds the web if it changed, and runs the server. */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { bootstrap, COMPILED } from './bootstrap.mjs';

await bootstrap(
  import.meta.url,
  JSON.parse(readFileSync(new URL('../server/node-flags.json', import.meta.url), 'utf8')),
);
// Compiling takes half of a start. Where the folder cannot be written, everything is compiled each time.
module.enableCompileCache(COMPILED);
const { buildIfChanged } = await import('./build.mjs');
await buildIfChanged();
// Only `npm run dev` may offer the page `/dev`, even if the shell still has the variable.
delete process.env['FIELDROOM_DEV'];
// In this process, so that the server receives signals directly.
await import(new URL('../server/src/main.ts', import.meta.url).href);
