/** Records what every chunk of a build consists of, for the check of its size (`tools/bundles.mjs`). */
import path from 'node:path';
import type { Plugin } from 'vite';

/** In the built web, because the server serves no name that begins with a dot. */
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
          /** The module of its entry point: of an entry or of a dynamic import. */
          begins: facadeModuleId === null ? null : named(facadeModuleId),
          imports,
          /** Bytes of each module after unused code was removed, before minification. */
          modules: Object.fromEntries(
            Object.entries(modules).map(([id, { renderedLength }]) => [named(id), renderedLength]),
          ),
        }));
      this.emitFile({ type: 'asset', fileName: FILE, source: JSON.stringify(chunks) });
    },
  },
};

/** Relative to the root of the repository, without Vite's additions. */
const named = (id: string) => path.relative(ROOT, id.replace(/^\0/, '').replace(/\?.*$/, ''));
