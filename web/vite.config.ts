/**
 * Builds three pages: the app (index.html) and two light entries that carry no UI kit, the door (join.html) and the public
 * events with the pages behind letters (event.html).
 */
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';
import { paletteCss } from './src/ui/theme/palettes.values.ts';

/** Paths that join.html answers; the server maps the same ones. */
const DOOR = /^\/user\/(join|code|bye)(\/|$|\?)/;
/** Paths that event.html answers, there too: a therapist's events, one event, the pages behind letters. */
const PUBLIC = /^\/event\/[^/?]+(?:\/[^/?]+)?\/?(?:$|\?)/;
const server = process.env.FIELDROOM_SERVER ?? 'http://127.0.0.1:8080';

/** In development: the light entries answer at their paths, as the server does it. */
const entriesInDevelopment: Plugin = {
  name: 'fieldroom-entries',
  configureServer(dev) {
    dev.middlewares.use((request, _response, next) => {
      if (request.url && DOOR.test(request.url)) request.url = '/join.html';
      else if (request.url && PUBLIC.test(request.url)) request.url = '/event.html';
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
        ? ['figtree-latin-wght', 'newsreader-latin-wght']
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

/** Builds what draws the first sight of public pages on the server, into a folder that is not served; `mountWeb` reads it there. */
const firstSight: Plugin = {
  name: 'fieldroom-first-sight',
  apply: 'build',
  async closeBundle() {
    await build({
      configFile: false,
      root: import.meta.dirname,
      plugins: [react()],
      logLevel: 'warn',
      define: { 'process.env.NODE_ENV': '"production"' },
      ssr: { noExternal: true },
      build: {
        ssr: 'src/features/booking/first-sight.tsx',
        target: 'node20',
        outDir: 'dist/.server',
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: { output: { entryFileNames: '[name].mjs', codeSplitting: false } },
      },
    });
  },
};

/** The 20 themes as a style sheet, from the values that the contrast test checks. */
const palettes: Plugin = {
  name: 'fieldroom-palettes',
  resolveId: (id) => (id === 'virtual:palettes.css' ? '\0virtual:palettes.css' : null),
  load: (id) => (id === '\0virtual:palettes.css' ? paletteCss() : null),
};

/**
 * What every entry needs before its first paint, in one file: a weak line pays a round trip for each small one. Icons that
 * the light entries share with the app would else be a file apiece.
 */
const LIGHT =
  /\/node_modules\/(?:react|react-dom|scheduler)\/|\/platform\/(?:i18n\/(?:faults|languages|light|page-words)|api\/(?:address|api|request)|storage|fragment-token)\.ts$|\/ui\/(?:figures\/Brand\.tsx|light\/parts\.tsx|theme\/(?:appearance|palettes)\.ts)$|\/@tabler\/icons-react\/dist\/esm\/(?:createReactComponent|defaultAttributes|icons\/Icon(?:AlertCircle|CalendarEvent|Check|Mail|Search|Users|World|X))\.mjs$/;

/** The style that all entries share, as one file, and what loads the parts that come later. */
const GROUND = /vite\/preload-helper|virtual:palettes\.css$|\/ui\/(?:theme\/(?:tokens|voice)|light\/light)\.css$/;

/** Every schema in the browser is made by a zod that was told not to compile; see src/platform/zod.ts. */
const quietZod: Plugin = {
  name: 'fieldroom-zod',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === 'zod' && importer !== undefined && !importer.endsWith('/platform/zod.ts')
      ? `${import.meta.dirname}/src/platform/zod.ts`
      : null,
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [quietZod, react(), palettes, entriesInDevelopment, preloadFonts, firstSight],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    // The policy allows no data: fonts, and a preloaded file must exist as a file.
    assetsInlineLimit: 0,
    // A browser that does not know the hint goes without it.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        app: `${import.meta.dirname}/index.html`,
        join: `${import.meta.dirname}/join.html`,
        event: `${import.meta.dirname}/event.html`,
      },
      output: {
        codeSplitting: {
          groups: [
            { name: 'ground', test: GROUND, priority: 2 },
            { name: 'light', test: LIGHT, priority: 1 },
          ],
        },
      },
    },
  },
  css: { postcss: {} },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries([
      ...['/api', '/logger_api', '/dev', '/healthz'].map((path) => [path, { target: server, ws: path === '/api' }]),
      ...['/socket', '/video'].map((path) => [path, { target: server, ws: true }]),
    ]),
  },
});
