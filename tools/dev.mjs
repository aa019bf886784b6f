/** `npm run dev`: the server, restarted when its code changes, and the web with hot reload. Both stop together. */
import { spawn } from 'node:child_process';
import { bootstrap, root } from './bootstrap.mjs';

await bootstrap(import.meta.url);

// Vite serves the pages and forwards calls to the server, so links in emails must point to Vite.
const env = { PUBLIC_URL: 'http://localhost:5173', ...process.env, NODE_ENV: 'development', FIELDROOM_DEV: '1' };
const both = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/src/main.ts'], {
    cwd: root,
    env,
    stdio: 'inherit',
  }),
  spawn('vite', ['--clearScreen', 'false'], { cwd: `${root}/web`, env, stdio: 'inherit' }),
];
let code = 0;
let ending = false;
/** @param {NodeJS.Signals} signal */
const endBoth = (signal) => {
  ending = true;
  for (const child of both) if (child.exitCode === null && child.signalCode === null) child.kill(signal);
};
for (const child of both) {
  child.once('error', (error) => console.error(error.message));
  child.once('exit', (exitCode) => {
    // If one ends, stop the other too and exit with its code.
    if (!ending) code = exitCode ?? 1;
    process.exitCode = code;
    endBoth('SIGTERM');
  });
}
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(name, () => endBoth(name));
