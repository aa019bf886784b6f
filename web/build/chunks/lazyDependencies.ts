/**
 * Which files a page requests along with one that it loads later. A running script has its own imports already, so
 * listing them again, for each of thirty pages, would only make it longer.
 */
import type { Plugin, ResolveModulePreloadDependenciesFn } from 'vite';

/** Static imports of each chunk, by its file. */
const importsOf = new Map<string, readonly string[]>();
/** Everything that has been loaded when a chunk runs. */
const loadedWith = new Map<string, ReadonlySet<string>>();

function loadedWhenRuns(file: string): ReadonlySet<string> {
  const known = loadedWith.get(file);
  if (known) return known;
  const loaded = new Set([file]);
  // Iterating over a set also visits what is added on the way.
  for (const each of loaded) for (const imported of importsOf.get(each) ?? []) loaded.add(imported);
  loadedWith.set(file, loaded);
  return loaded;
}

/** Records the imports before Vite writes the lists. */
export const rememberImports: Plugin = {
  name: 'fieldroom-imports',
  apply: 'build',
  enforce: 'pre',
  generateBundle: {
    order: 'pre',
    handler(_options, bundle) {
      importsOf.clear();
      loadedWith.clear();
      for (const file of Object.values(bundle)) if (file.type === 'chunk') importsOf.set(file.fileName, file.imports);
    },
  },
};

/** Removes from a list what the script that contains it has imported. Style sheets stay in the list. */
export const withoutLoaded: ResolveModulePreloadDependenciesFn = (_file, dependencies, { hostId, hostType }) =>
  hostType === 'js' ? dependencies.filter((file) => !loadedWhenRuns(hostId).has(file)) : dependencies;
