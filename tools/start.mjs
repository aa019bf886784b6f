/** `npm start`: installs missing packages, builds what has changed, and runs the server. */
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { bootstrap, COMPILED } from './bootstrap.mjs';

/** @param {string} name of a file of the server */
const readJson = (name) => JSON.parse(readFileSync(new URL(`../server/${name}`, import.meta.url), 'utf8'));
// The C library reads this when Node starts, which `bootstrap` does. By default it keeps what threads have freed in up
// to eight places for each core; with two an idle server takes 14 MB less.
for (const [name, value] of Object.entries(readJson('node-environment.json'))) process.env[name] ??= value;
// An idle server collects its own memory. And V8 must not guess which new objects will live long: requests in progress
// during a collection look as if they would, so that answered requests filled the old space and caused long pauses.
// Source maps let errors name the lines of the sources.
await bootstrap(import.meta.url, readJson('node-flags.json'));
// Saves a quarter of a start. If the folder is not writable, everything is compiled each time.
module.enableCompileCache(COMPILED);
const { buildIfChanged } = await import('./build.mjs');
const { SERVER_PROGRAM } = await import('./builds/server.mjs');
await buildIfChanged();
// Only `npm run dev` may offer the page `/dev`, even if the shell still has the variable.
delete process.env['FIELDROOM_DEV'];
// In this process, so that the server receives signals directly.
await import(new URL(`../${SERVER_PROGRAM}`, import.meta.url).href);
