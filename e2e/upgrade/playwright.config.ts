/** As the journeys' configuration, for the upgrades that `npm run test:upgrade` plays. */
import { defineConfig } from '@playwright/test';
import config from '../playwright.config.ts';

// Each scenario has data of its own, which an older version has to make.
const { globalSetup: _, ...journeys } = config;

export default defineConfig({
  ...journeys,
  testDir: '.',
  // Of its own, because Playwright empties it: journeys may run meanwhile.
  outputDir: './test-results',
  // Each has up to three servers.
  workers: 1,
  projects: [{ name: 'upgrade' }],
  timeout: 600_000,
});
