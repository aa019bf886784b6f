/** The Chromium that journeys and Firefox scenarios use. Playwright downloads nothing. */
import { existsSync } from 'node:fs';

/** Path of an installed Chromium: CHROMIUM_PATH, or one of the usual places. */
export const findChromium = (): string | undefined =>
  [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
    (path) => path !== undefined && existsSync(path),
  );

/** Command-line switches: they let it work in a container, and keep it from contacting other machines. */
export const CHROMIUM_SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const;
