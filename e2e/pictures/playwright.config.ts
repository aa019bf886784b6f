/** Like the journeys' configuration, for the pictures that `npm run pictures` takes. */
import { defineConfig } from '@playwright/test';
import config from '../playwright.config.ts';

export default defineConfig({
  ...config,
  testDir: '.',
  globalSetup: '../prepare.ts',
  outputDir: '../test-results',
  workers: 1,
  projects: [{ name: 'pictures' }],
  // One test takes more than a hundred pictures.
  timeout: 1_800_000,
});
