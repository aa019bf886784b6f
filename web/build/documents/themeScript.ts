/** Writes into `public/theme.js` what it shares with the app, in the build and in development. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';
import { withSharedValues } from '../../src/start/sharedWithTheme.ts';

const FILE = 'theme.js';

export const themeScript: Plugin = {
  name: 'fieldroom-theme-script',
  configureServer(dev) {
    dev.middlewares.use(`/${FILE}`, (_request, response, next) => {
      readFile(path.join(dev.config.publicDir, FILE), 'utf8')
        .then((script) => response.setHeader('content-type', 'text/javascript').end(withSharedValues(script)))
        .catch(next);
    });
  },
  // Public files are copied as they are, before the bundle is written.
  async writeBundle({ dir = '' }) {
    const file = path.join(dir, FILE);
    await writeFile(file, withSharedValues(await readFile(file, 'utf8')));
  },
};
