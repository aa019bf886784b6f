/**
 * Builds four pages: the app (index.html), the room alone (room.html), and two light entries that carry no UI kit, the
 * join page (join.html) and the public events with the pages behind email links (event.html).
 */
import { readFileSync } from 'node:fs';
import { pageAt } from '@fieldroom/contract/pages';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { buildForNode } from './build/buildForNode.ts';
import { planChunks } from './build/chunks/chunkPlan.ts';
import { chunkReport } from './build/chunks/chunkReport.ts';
import { contractForBrowser } from './build/contractForBrowser.ts';
import { cssModules, keepPublicStyles } from './build/styles/cssModules.ts';
import { drawnSignIn } from './build/documents/drawnSignIn.ts';
import { bundleFirst } from './build/chunks/firstBundling.ts';
import { fixedFiles } from './build/chunks/fixedFiles.ts';
import { kitVariables } from './build/styles/kitVariables.ts';
import { rememberImports, withoutLoaded } from './build/chunks/lazyDependencies.ts';
import { outlineWordsInDocument } from './build/documents/outlineWords.ts';
import { orderForPaint } from './build/documents/paintFirst.ts';
import { preloadAhead } from './build/documents/preloadAhead.ts';
import { themeScript } from './build/documents/themeScript.ts';
import { paletteCss } from './src/ui/theme/palettes.values.ts';

const server = process.env.FIELDROOM_SERVER ?? 'http://127.0.0.1:8080';

/** In development the entries answer at their paths, as the server does it. */
const entriesInDevelopment: Plugin = {
  name: 'fieldroom-entries',
  configureServer(dev) {
    dev.middlewares.use((request, _response, next) => {
      const { document } = pageAt((request.url ?? '/').split('?', 1)[0]!);
      if (document !== 'app') request.url = `/${document}.html`;
      next();
    });
  },
};

/** Asks for the fonts of the first paint at once, before the style sheet is read. */
const preloadFonts: Plugin = {
  name: 'fieldroom-fonts',
  transformIndexHtml: {
    order: 'post',
    handler(_html, context) {
      if (!context.bundle) return [];
      const wanted = /(?:join|event)\.html$/.test(context.filename)
        ? ['figtree-latin-wght', 'newsreader-latin-450']
        : ['figtree-latin-wght'];
      return Object.keys(context.bundle)
        .filter((file) => wanted.some((name) => file.includes(name)))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
          injectTo: 'head' as const,
        }));
    },
  },
};

/** Puts the mark into the outline that the app's page shows before its scripts have run. */
const outlineMark: Plugin = {
  name: 'fieldroom-outline-mark',
  transformIndexHtml: (html) =>
    html.replace('<!--fieldroom:mark-->', () =>
      readFileSync(`${import.meta.dirname}/public/favicon.svg`, 'utf8').trim(),
    ),
};

/**
 * Builds what draws the first sight of public pages on the server, into a folder that is not served; `mountWeb` reads
 * it there.
 */
const firstSight: Plugin = {
  name: 'fieldroom-draw-on-server',
  apply: 'build',
  closeBundle: () => buildForNode('src/drawOnServer.ts', 'dist/.server'),
};

/** The 20 themes as a style sheet, from the values that the contrast test checks. */
const palettes: Plugin = {
  name: 'fieldroom-palettes',
  resolveId: (id) => (id === 'virtual:palettes.css' ? '\0virtual:palettes.css' : null),
  load: (id) => (id === '\0virtual:palettes.css' ? paletteCss() : null),
};

/** Begins every document with the UI kit: what is there on each page of the app, and in the room. */
const START = '/src/start/startPage.tsx';
/** The frame of the signed-in pages, and the pages that never stand without it. */
const FRAME = '/features/shell/Shell.tsx';
const FRAMED = /\/features\/(?!accounts|bookings|join|room)\w+\/.*Page\.tsx$/;
const UNFRAMED = /\/shell\/errors\//;

/** What somebody sees first: pages, and what draws them. Dialogs, menus and tools come later. */
const SEEN_FIRST =
  /(?:Pages?|\/Shell|\/RoomInApp)\.tsx$|\/startRoom\.tsx$|\/rendering\/hydrate\w*\.tsx$|\/useMenuLook\.ts$/;

/** Files of modules that are needed together (build/chunks/chunkPlan.ts). */
async function plannedFiles() {
  const plan = planChunks(
    await bundleFirst(configure([])),
    [
      // Larger ones would cost the pages that do not need them more than a round trip.
      { begins: FRAME, maxBytes: 12_000, holds: (id) => FRAMED.test(id) && !UNFRAMED.test(id) },
      { begins: START, maxBytes: 12_000 },
    ],
    {
      maxBytes: 8_000,
      maxJoined: 24_000,
      comesFirst: (id) => SEEN_FIRST.test(id),
    },
  );
  return {
    debugName: 'planned',
    name: (id: string) => plan.get(id) ?? null,
    priority: -1,
    includeDependenciesRecursively: false,
  };
}

/** Takes groups of modules that get files of their own, beside the fixed ones. */
const configure = (planned: readonly Awaited<ReturnType<typeof plannedFiles>>[]): UserConfig => ({
  root: import.meta.dirname,
  plugins: [
    contractForBrowser,
    react(),
    palettes,
    kitVariables,
    entriesInDevelopment,
    preloadFonts,
    themeScript,
    outlineMark,
    preloadAhead,
    outlineWordsInDocument,
    orderForPaint,
    firstSight,
    drawnSignIn,
    keepPublicStyles,
    rememberImports,
    chunkReport,
  ],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // The policy allows no data: fonts, and a preloaded file must exist as a file.
    assetsInlineLimit: 0,
    // A browser that does not know the hint goes without it.
    modulePreload: { polyfill: false, resolveDependencies: withoutLoaded },
    rolldownOptions: {
      // janus-gateway ships one file for both kinds of modules; what it does for the other kind does not run here.
      onLog: (level, log, handle) => {
        if (log.code !== 'COMMONJS_VARIABLE_IN_ESM' || !log.loc?.file?.includes('janus-gateway')) handle(level, log);
      },
      input: {
        app: `${import.meta.dirname}/index.html`,
        room: `${import.meta.dirname}/room.html`,
        join: `${import.meta.dirname}/join.html`,
        event: `${import.meta.dirname}/event.html`,
      },
      output: {
        // Each page's file names the files of all pages, and a hash does not compress: it is their whole name.
        // That of the connection keeps its name, by which a journey holds it back.
        chunkFileNames: ({ name }) => `assets/${name === 'connection' ? 'connection-' : ''}[hash].js`,
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [...fixedFiles, ...planned],
        },
      },
    },
  },
  css: { postcss: {}, modules: cssModules },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries([
      ...['/api', '/logger_api', '/dev', '/healthz'].map((path) => [path, { target: server, ws: path === '/api' }]),
      ...['/socket', '/video'].map((path) => [path, { target: server, ws: true }]),
    ]),
  },
});

export default defineConfig(async ({ command }) => configure(command === 'build' ? [await plannedFiles()] : []));
