/**
 * The files that the app's document names for each page, besides those of its parts
 * (web/build/documents/preloadAhead.ts).
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listsOf, pagesOf } from '../../web/build/documents/preloadAhead.ts';

const routes = readFileSync(path.resolve(import.meta.dirname, '../../web/src/routes.tsx'), 'utf8');

test('every page of the app except the room has a list', () => {
  const pages = pagesOf(routes);
  const placed = [...routes.matchAll(/getParentRoute: \(\) => (?:shell|user),/g)].length;
  // Three only redirect.
  expect(pages).toHaveLength(placed - 3);
  expect(pages).toContainEqual({
    name: 'page-app-dashboard',
    begins: ['/features/dashboard/DashboardPage.tsx'],
    texts: ['dashboard', 'sessions'],
    within: 'frame',
    at: '/app/dashboard',
  });
  // Its texts are those of the part.
  expect(pages).toContainEqual({
    name: 'page-user-forgot-password',
    begins: ['/features/accounts/emailLinks/ForgotPasswordPage.tsx'],
    texts: [],
    within: 'account',
    at: '/user/forgot-password',
  });
  expect(pages.map(({ name }) => name)).toContain('page-app-subscription-professional-package');
});

/**
 * A route as the formatter writes it.
 * @param {string} path
 * @param {string} [texts]
 */
const routeAt = (path, texts = "['help']") => `const a = createRoute({
  getParentRoute: () => shell,
  path: ${path},
  beforeLoad: guarded(STAFF),
  ...page(() => import('./features/help/HelpPage.tsx'), 'HelpPage', ${texts}),
});
`;

test('a path may be a constant in the file', () => {
  const [page] = pagesOf(`const HELP_PATH = 'misc/help';\n${routeAt('HELP_PATH')}`);
  expect(page).toMatchObject({ name: 'page-app-misc-help', texts: ['help'] });
});

test.each([
  ['path', routeAt('HELP_PATH'), 'the path of this page'],
  ['path', routeAt('`help/${PART}`'), 'the path of this page'],
  ['place', routeAt("'a'").replace('() => shell', 'parentOf(shell)'), 'where this page is'],
  ['needs', routeAt("'a'", 'TEXTS'), 'what the page /app/a needs'],
])('a page whose %s cannot be read causes an error', (_what, route, problem) => {
  expect(() => pagesOf(route)).toThrow(problem);
});

/**
 * @param {string} fileName
 * @param {string[]} moduleIds
 * @param {string[]} [imports]
 * @param {string[]} [styles]
 */
const chunk = (fileName, moduleIds, imports = [], styles = []) => ({
  type: 'chunk',
  fileName,
  facadeModuleId: null,
  moduleIds,
  imports,
  viteMetadata: { importedCss: new Set(styles) },
});
/** @param {string} name @param {string} code */
const words = (name, code) => chunk(`assets/${name}-${code}.js`, [`/web/src/locales/${code}/${name}.json`]);
const CHUNKS = [
  chunk('assets/app.js', ['/web/src/main.tsx'], ['assets/react.js']),
  chunk('assets/react.js', ['/node_modules/react/index.js']),
  chunk('assets/shell.js', ['/web/src/features/shell/Shell.tsx'], ['assets/react.js'], ['assets/shell.css']),
  chunk('assets/help.js', ['/web/src/features/help/HelpPage.tsx'], ['assets/shell.js', 'assets/part.js']),
  chunk('assets/part.js', ['/web/src/ui/part.ts']),
  ...['en', 'de', 'hu', 'ro'].flatMap((code) => [words('shell', code), words('help', code)]),
];
const bundle = /** @type {import('vite').Rollup.OutputBundle} */ (
  /** @type {unknown} */ (Object.fromEntries(CHUNKS.map((file) => [file.fileName, file])))
);
/** @type {import('../../web/build/documents/preloadAhead.ts').Listed} */
const FRAME = { name: 'frame', begins: ['/features/shell/Shell.tsx'], texts: ['shell'], within: null };

test('a page’s list has neither the files of the app’s start nor those of the frame', () => {
  const help = /** @type {const} */ ({
    name: 'page-app-help',
    begins: ['/features/help/HelpPage.tsx'],
    texts: ['help', 'shell'],
    within: 'frame',
  });
  const lists = listsOf(bundle, 'assets/app.js', [FRAME, help]);
  expect(lists).toContain('data-frame="shell.js shell.css"');
  expect(lists).toContain('data-frame-hu="shell-hu.js"');
  expect(lists).toContain('data-page-app-help="help.js part.js"');
  expect(lists).toContain('data-page-app-help-ro="help-ro.js"');
});

test('a module that was moved causes an error', () => {
  const moved = { ...FRAME, begins: ['/features/gone/Shell.tsx'] };
  expect(() => listsOf(bundle, 'assets/app.js', [moved])).toThrow('/features/gone/Shell.tsx');
});
