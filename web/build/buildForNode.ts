/** Builds a program for Node from components that the browser draws too. */
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { cssModules } from './styles/cssModules.ts';

const WEB = path.dirname(import.meta.dirname);

/** Takes the module from the folder `web`, and the folder for the program. Writes one file, `<module's name>.mjs`. */
export async function buildForNode(module: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: WEB,
    plugins: [react()],
    logLevel: 'warn',
    // It is drawn in Node and shown in the browser: the classes have to be the same.
    css: { modules: cssModules },
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: {
      ssr: module,
      target: 'node20',
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      rolldownOptions: { output: { entryFileNames: '[name].mjs', codeSplitting: false } },
    },
  });
}
