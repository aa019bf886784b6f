import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';

/** Debian's Chromium (or CHROMIUM_PATH); Playwright downloads nothing. */
const executablePath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path !== undefined && existsSync(path));

/** Pages that code and draw pictures fill a core: one such journey at a time, beside the others. */
const FACES = /\d+-video.*\.spec\.ts/;

export default defineConfig({
  testDir: './journeys',
  globalSetup: './prepare.ts',
  outputDir: './test-results',
  // Each journey has a server, a database and browsers of its own, so two of them share only the machine: while one waits, the
  // other goes on. More at a time would each be slower than the patience of people, which they measure.
  workers: Math.min(2, availableParallelism()),
  fullyParallel: true,
  projects: [
    { name: 'faces', testMatch: FACES, workers: 1, use: { actionTimeout: 30_000 } },
    { name: 'rooms', testIgnore: FACES },
  ],
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ...(process.env['E2E_JSON'] ? [['json', { outputFile: process.env['E2E_JSON'] }] as const] : [])],
  use: {
    ...(executablePath ? { launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] } } : {}),
    locale: 'en-GB',
    timezoneId: 'Europe/Budapest',
    actionTimeout: 15_000,
    trace: 'retain-on-failure',
  },
});
