import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { CHROMIUM_SWITCHES, findChromium } from './chromium.ts';

const executablePath = findChromium();

/**
 * Disabled features of Chromium. The suggestion list of the address bar (WebUIOmnibox…) is a hidden page for each
 * window and took two thirds of the processor time of a short journey. The spare renderer is a process that waits for
 * the next page: without it a journey starts 8 instead of 19. Chromium obeys only the last such switch, so this repeats
 * Playwright's own list (1.65).
 */
const DISABLED_FEATURES = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'],
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

/** Encoding and drawing video fills a core: one such journey at a time, parallel to the others. */
const VIDEO = /\d+-video.*\.spec\.ts/;
/** Journeys that count freezes and measure times, or encode more video than one core can: after all others, one at a
 * time. */
const ALONE = /\d+-video-(?:connections|five-people)\.spec\.ts/;

export default defineConfig({
  testDir: './journeys',
  globalSetup: './prepare.ts',
  outputDir: './test-results',
  // Each journey has its own server, database and browser contexts, so they share only the machine: while one waits,
  // another runs. A third one gains nothing, because two keep two cores busy.
  workers: Math.min(2, availableParallelism()),
  fullyParallel: true,
  projects: [
    { name: 'video', testMatch: VIDEO, testIgnore: ALONE, workers: 1 },
    { name: 'rooms', testIgnore: VIDEO },
    // Run one of these on its own with `--no-deps`.
    { name: 'alone', testMatch: ALONE, workers: 1, dependencies: ['video', 'rooms'] },
  ],
  retries: 0,
  // These limits prove nothing; they only end what hangs, even on machines that are five times slower than ours.
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
            args: [...CHROMIUM_SWITCHES, `--disable-features=${DISABLED_FEATURES.join(',')}`],
          },
        }
      : {}),
    locale: 'en-GB',
    timezoneId: 'Europe/Budapest',
    actionTimeout: 45_000,
    // Screenshots and snapshots in traces would take processor time from the journeys; `--trace on` adds them.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
  },
});
