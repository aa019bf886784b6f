/** Bundles the web without writing it, to see which modules are loaded together (`chunkPlan.ts`). */
import { build, type Plugin, type UserConfig } from 'vite';
import type { BundledFile } from './chunkPlan.ts';

/** Plugins that belong only to the build that is written. */
const ONLY_WRITTEN = new Set([
  'fieldroom-chunk-report',
  'fieldroom-draw-on-server',
  'fieldroom-drawn-sign-in',
  'fieldroom-theme-script',
]);

/** Takes the build's configuration. Returns its files. */
export async function bundleFirst(config: UserConfig): Promise<BundledFile[]> {
  const plugins = (config.plugins ?? []).flat(3) as Plugin[];
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    plugins: plugins.filter(({ name }) => !ONLY_WRITTEN.has(name)),
    build: { ...config.build, write: false, minify: false, cssMinify: false },
  });
  if (!('output' in built)) throw new Error('one output was expected');
  return built.output.flatMap((file) =>
    file.type === 'chunk'
      ? [
          {
            file: file.fileName,
            begins: file.facadeModuleId,
            isEntry: file.isEntry,
            imports: file.imports,
            dynamicImports: file.dynamicImports,
            modules: Object.fromEntries(
              Object.entries(file.modules).map(([id, { renderedLength }]) => [id, renderedLength]),
            ),
          },
        ]
      : [],
  );
}
