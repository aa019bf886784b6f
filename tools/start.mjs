/** `npm start`: installs what is missing, builds the web if it changed, runs the server, which prints its addresses. */
import { bootstrap } from './bootstrap.mjs';

await bootstrap(import.meta.url);
const { buildIfChanged } = await import('./build.mjs');
await buildIfChanged();
// Whatever a shell has left from development: `/dev` is not for this start.
delete process.env['FIELDROOM_DEV'];
// In this very process: it gets the signals first hand.
await import(new URL('../server/src/main.ts', import.meta.url).href);
