import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';

/** Debian's Chromium (or CHROMIUM_PATH); Playwright downloads nothing. */
const executablePath = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

/**
 * What Chromium leaves out. Its address bar's list of proposals is a page of its own, drawn unseen for each window: two
 * thirds of the processor time of a short journey. The last of these switches holds alone, so that Playwright's own
 * list (1.65) is repeated.
 */
const LEFT_OUT = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup'],
  ...[
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
    'AvoidCorsURLLoaderRestartOnRedirect',
    'TcpPortRandomizationWin',
    'OptimizationHints',
    'NetworkTimeServiceQuerying',
    'AimEnabled',
    'PreconnectToSearch',
  ],
];

/** Pages that code and draw pictures fill a core: one such journey at a time, beside the others. */
const FACES = /\d+-video.*\.spec\.ts/;
/**
 * What counts freezes and times, or codes more pictures than a core can, has the machine to itself: after all others.
 */
const ALONE = /\d+-video-(?:lines|five)\.spec\.ts/;

export default defineConfig({
  testDir: './journeys',
  globalSetup: './prepare.ts',
  outputDir: './test-results',
  // Each journey has a server, a database and browsers of its own, so two of them share only the machine: while one
  // waits, the other goes on. More at a time would each be slower than the patience of people, which they measure.
  workers: Math.min(2, availableParallelism()),
  fullyParallel: true,
  projects: [
    { name: 'faces', testMatch: FACES, testIgnore: ALONE, workers: 1 },
    { name: 'rooms', testIgnore: FACES },
    // To run one of these by itself: `--no-deps`.
    { name: 'alone', testMatch: ALONE, workers: 1, dependencies: ['faces', 'rooms'] },
  ],
  retries: 0,
  // Nothing is proven by these limits: they only end what hangs, on machines that are five times slower than ours, too.
  timeout: 300_000,
  expect: { timeout: 45_000, toPass: { timeout: 45_000 } },
  reporter: [
    ['list'],
    ...(process.env['E2E_JSON'] ? [['json', { outputFile: process.env['E2E_JSON'] }] as const] : []),
  ],
  use: {
    ...(executablePath
      ? {
          launchOptions: {
            executablePath,
            args: [
              '--no-sandbox',
              '--disable-gpu',
              '--disable-quic',
              '--no-first-run',
              '--disable-background-networking',
              '--disable-component-update',
              '--disable-sync',
              `--disable-features=${LEFT_OUT.join(',')}`,
            ],
          },
        }
      : {}),
    locale: 'en-GB',
    timezoneId: 'Europe/Budapest',
    actionTimeout: 45_000,
    // Pictures of pages and documents for the trace would take the processor from what is proven; `--trace on` keeps
    // them for who looks for a fault.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
  },
});
