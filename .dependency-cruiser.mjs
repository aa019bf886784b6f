/**
 * Imports point one way: `app, routes → features → platform → contract`; `ui` knows only itself. Each rule's comment is
 * what `npm run check` prints, so it says where the code belongs. `docs/architecture.md` is the map.
 */

/** Tests and what supports them may reach for whatever they test. */
const TESTS = String.raw`\.(?:test|fixture)\.tsx?$|^server/tests/`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'contract-knows-only-zod',
      comment:
        'The contract is what both sides agree on and imports only zod. Code for one side belongs in server/ or web/.',
      severity: 'error',
      from: { path: '^contract/src/', pathNot: TESTS },
      to: { pathNot: ['^contract/src/', '^node_modules/zod/'] },
    },
    {
      name: 'server-and-web-apart',
      comment: 'Server and web meet only in the contract. What both need belongs in contract/src.',
      severity: 'error',
      from: { path: '^(server|web)/src/' },
      to: { path: '^(?:server|web|e2e|bench|tools)/', pathNot: '^$1/' },
    },
    {
      name: 'server-platform-below-features',
      comment:
        'The platform is machinery without product words and knows nothing above itself. Product code belongs in server/src/features or beside app.ts; if the platform must call it, pass a function in app.ts.',
      severity: 'error',
      from: { path: '^server/src/platform/', pathNot: TESTS },
      to: { path: '^server/src/', pathNot: '^server/src/platform/' },
    },
    {
      name: 'server-pages-below-features',
      comment:
        'server/src/pages answers with documents and knows no feature. What a page shows belongs in the feature, which fills the document.',
      severity: 'error',
      from: { path: '^server/src/pages/', pathNot: TESTS },
      to: { path: String.raw`^server/src/(?:features/|realtime/|wiring/|(?:app|main)\.ts)` },
    },
    {
      name: 'server-features-through-their-index',
      comment:
        'A feature uses another one through its index.ts. Export what is needed there, or the code belongs in the other feature.',
      severity: 'error',
      from: { path: '^server/src/features/([^/]+)/', pathNot: TESTS },
      to: {
        path: '^server/src/features/([^/]+)/',
        // A table may name another feature's table as the target of a foreign key.
        pathNot: [
          '^server/src/features/$1/',
          String.raw`^server/src/features/[^/]+/index\.ts$`,
          String.raw`\.tables\.ts$`,
        ],
      },
    },
    {
      name: 'server-wiring-on-top',
      comment:
        'app.ts, wiring/, stopping.ts and main.ts wire the features; nothing imports them. What a feature needs is handed to it there.',
      severity: 'error',
      from: { path: '^server/src/(?:features|platform)/', pathNot: TESTS },
      to: { path: String.raw`^server/src/(?:wiring/|(?:app|stopping|main)\.ts$)` },
    },
    {
      name: 'builders-in-demo-and-tests',
      comment:
        'Builders write rows past the rules of the features, for the demo practice and for tests. What the product needs belongs in a feature.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: [TESTS, '^server/src/(?:builders|demo)/'] },
      to: { path: '^server/src/builders/' },
    },
    {
      name: 'product-without-tests',
      comment:
        'server/tests is for tests alone. What the product needs belongs in platform/, in a feature, or in builders/.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: TESTS },
      to: { path: '^server/tests/' },
    },
    {
      name: 'web-ui-knows-itself',
      comment:
        'web/src/ui holds parts that could ship in another product: no contract (but the names of the palettes, which the server checks), no platform, no feature. Pass values in as props, or move the part to its feature.',
      severity: 'error',
      from: { path: '^web/src/ui/', pathNot: TESTS },
      to: { path: '^(?:web/src/|contract/)', pathNot: ['^web/src/ui/', '^contract/src/colours/palettes\\.ts$'] },
    },
    {
      name: 'web-platform-below-features',
      comment: 'web/src/platform knows the contract and itself. Product code belongs in web/src/features.',
      severity: 'error',
      from: { path: '^web/src/platform/', pathNot: TESTS },
      to: { path: '^web/src/', pathNot: ['^web/src/platform/', '^web/src/locales/'] },
    },
    {
      name: 'web-features-through-their-index',
      comment:
        'A feature uses another one through an index.ts. Export the part there, or it belongs in ui/ or in the other feature.',
      severity: 'error',
      from: { path: '^web/src/features/([^/]+)/', pathNot: TESTS },
      to: {
        path: '^web/src/features/([^/]+)/',
        pathNot: ['^web/src/features/$1/', String.raw`^web/src/features/.+/index\.tsx?$`],
      },
    },
    {
      name: 'web-routes-on-top',
      comment:
        'routes.tsx, main.tsx and start/ sit on top; features do not import them. Link by path, and hand down what is needed.',
      severity: 'error',
      from: {
        path: '^web/src/(?:features|platform|ui)/',
        // Where a light page begins: it sits on top too.
        pathNot: [TESTS, String.raw`^web/src/features/\w+/main\.tsx$`],
      },
      to: { path: String.raw`^web/src/(?:(?:routes|main)\.tsx?$|start/)` },
    },
    {
      name: 'realtime-knows-no-feature',
      comment:
        'What carries messages knows the frame of the wire alone (contract/src/realtime.ts). What a message needs of it is declared where the message is handled or sent.',
      severity: 'error',
      from: {
        path: ['^web/src/platform/realtime/', '^server/src/realtime/'],
        pathNot: TESTS,
      },
      to: {
        path: '^contract/src/',
        pathNot: String.raw`^contract/src/(?:realtime|problems|revisions)\.ts$`,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'no-circles',
      comment: 'Arrows never turn in a circle. Pass a function in app.ts, or move what both need below them.',
      severity: 'error',
      from: { path: '^(?:contract|server|web)/src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'sql-in-stores',
      comment: 'SQL lives in *.store.ts: rows in, rows out. Give the store a function for what this needs.',
      severity: 'error',
      from: {
        path: '^server/src/features/',
        pathNot: [TESTS, String.raw`\.(?:store|tables)\.ts$`],
      },
      to: { path: '^node_modules/(?:drizzle-orm|pg)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'found-and-declared',
      comment: 'This import leads nowhere, or to a package that the workspace does not declare.',
      severity: 'error',
      from: { path: '^(?:contract|server|web)/' },
      to: { couldNotResolve: true, pathNot: [String.raw`\.(?:css|svg|png|woff2|mp3|ogg)`, '^virtual:'] },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: String.raw`(?:^|/)(?:dist|results|coverage)/` },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'node', 'default', 'types'],
    },
  },
};
