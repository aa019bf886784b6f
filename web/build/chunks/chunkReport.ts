/** Writes down what every chunk of a build is made of, for the check of its size (`tools/bundles.mjs`). */
import path from 'node:path';
import type { Plugin } from 'vite';

/** In the built web, where the server serves no name that begins with a dot. */
const FILE = '.chunks.json';
const ROOT = path.resolve(import.meta.dirname, '../../..');

export const chunkReport: Plugin = {
  name: 'fieldroom-chunk-report',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = Object.values(bundle)
        .filter((file) => file.type === 'chunk')
        .map(({ fileName, facadeModuleId, imports, modules }) => ({
          file: fileName,
          /** The module that it begins with: of an entry or of a dynamic import. */
          begins: facadeModuleId === null ? null : named(facadeModuleId),
          imports,
          /** Bytes of each module after unused code has gone, before minification. */
          modules: Object.fromEntries(
            Object.entries(modules).map(([id, { renderedLength }]) => [named(id), renderedLength]),
          ),
        }));
      this.emitFile({ type: 'asset', fileName: FILE, source: JSON.stringify(chunks) });
    },
  },
};

/** From the root of the repository, without what Vite adds. */
const named = (id: string) => path.relative(ROOT, id.replace(/^\0/, '').replace(/\?.*$/, ''));
