/**
 * `npm run build`: builds the web and the server. `web` or `server` builds only that one, `--changed` only what has
 * changed since its last build.
 */
import { bootstrap } from './bootstrap.mjs';
import { run } from './run.mjs';
import { buildServer, SERVER_DIST, serverSources } from './builds/server.mjs';
import { isBuiltFrom } from './builds/sources.mjs';
import { buildWeb, WEB_DIST, webSources } from './builds/web.mjs';

const BUILDS = [
  { name: 'web', folder: WEB_DIST, sources: webSources, build: buildWeb },
  { name: 'server', folder: SERVER_DIST, sources: serverSources, build: buildServer },
];

/**
 * Builds what has changed since its last build. A build has its own process, because it would leave a hundred megabytes
 * behind in this one. Ends this process if a build fails.
 */
export async function buildIfChanged() {
  const changed = await changedOf(BUILDS);
  if (changed.length === 0) return;
  const names = changed.map(({ name }) => name);
  const { code } = await run(process.execPath, [import.meta.filename, ...names], { show: true });
  if (code !== 0) process.exit(code);
}

/** @param {typeof BUILDS} builds */
async function changedOf(builds) {
  const checked = builds.map(async (one) => ((await isBuiltFrom(one.folder, await one.sources())) ? [] : [one]));
  return (await Promise.all(checked)).flat();
}

if (import.meta.filename === process.argv[1]) {
  await bootstrap(import.meta.url);
  const named = BUILDS.filter(({ name }) => process.argv.includes(name));
  const wanted = named.length > 0 ? named : BUILDS;
  for (const { build } of process.argv.includes('--changed') ? await changedOf(wanted) : wanted) await build();
}
