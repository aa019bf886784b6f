import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

/** Debian's Chromium (or CHROMIUM_PATH); Playwright downloads nothing. */
const executablePath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => path !== undefined && existsSync(path));

export default defineConfig({
  testDir: './journeys',
  outputDir: './test-results',
  // One journey at a time: each has a server, a database and several browsers of its own on a small machine.
  workers: 1,
  fullyParallel: false,
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
