/** Modules that are needed together share a file, and no page loads more because of it. */
import { expect, test } from 'vitest';
import { planChunks } from '../../web/build/chunks/chunkPlan.ts';

/**
 * @typedef {import('../../web/build/chunks/chunkPlan.ts').BundledFile} BundledFile
 * @param {string} file
 * @param {Partial<BundledFile>} [more]
 * @returns {BundledFile}
 */
const file = (file, { imports = [], dynamicImports = [], ...more } = {}) => ({
  file,
  begins: null,
  isEntry: false,
  imports,
  dynamicImports,
  modules: { [`${file}.ts`]: 1000 },
  ...more,
});
/**
 * @param {string} name
 * @param {Partial<BundledFile>} [more]
 */
const begins = (name, more) =>
  file(name, { begins: `/src/${name}.ts`, modules: { [`/src/${name}.ts`]: 1000 }, ...more });
const HOMES = [
  { begins: '/frame.ts', maxBytes: 2000, holds: (/** @type {string} */ id) => id.includes('Page') },
  { begins: '/app.ts', maxBytes: 500 },
];
/**
 * An app with a frame, two pages and a room of its own.
 * @param {readonly BundledFile[]} shared
 * @param {Record<string, readonly string[]>} uses by entry point
 */
const plan = (shared, uses) =>
  planChunks(
    [
      begins('app', {
        isEntry: true,
        dynamicImports: ['frame', 'aPage', 'bPage', 'cPage', 'room'],
        imports: uses['app'] ?? [],
      }),
      ...['frame', 'aPage', 'bPage', 'cPage', 'room'].map((name) => begins(name, { imports: uses[name] ?? [] })),
      ...shared,
    ],
    HOMES,
  );

test('what the app has at its start is one file, whatever else needs it', () => {
  const found = plan([file('x'), file('y')], { app: ['x', 'y'], room: ['x'], aPage: ['y'] });
  expect(found.get('x.ts')).toBe(found.get('y.ts'));
});

test('parts inside the frame need no separate file for what the frame has', () => {
  const found = plan([file('x'), file('y')], { frame: ['x', 'y'], aPage: ['y'] });
  expect(found.get('x.ts')).toBe(found.get('y.ts'));
});

test('the room loads nothing that only the frame and its pages need', () => {
  const found = plan([file('both'), file('own')], { frame: ['both', 'own'], room: ['both'] });
  expect(found.get('both.ts')).not.toBe(found.get('own.ts'));
});

test('small files of pages join the frame, large ones do not', () => {
  const large = file('large', { modules: { 'large.ts': 9000 } });
  const found = plan([file('frames'), file('small'), large], {
    frame: ['frames'],
    aPage: ['small', 'large'],
    bPage: ['small', 'large'],
    cPage: ['large'],
  });
  expect(found.get('small.ts')).toBe(found.get('frames.ts'));
  expect(found.get('large.ts')).not.toBe(found.get('frames.ts'));
});

test('a small file stays out of the frame if it imports what the frame does not have: no circular imports', () => {
  const large = file('large', { modules: { 'large.ts': 9000 } });
  const found = plan([file('frames'), file('small', { imports: ['large'] }), large], {
    frame: ['frames'],
    aPage: ['small'],
    bPage: ['small'],
    cPage: ['large'],
  });
  expect(found.get('small.ts')).not.toBe(found.get('frames.ts'));
});

test('modules of entry points stay in their own file', () => {
  expect([...plan([file('x')], { app: ['x'] }).keys()]).toEqual(['x.ts']);
});

test('a path on which a module is not loaded counts, even if it is long', () => {
  // A page and the room need `part`: only on the page is the frame loaded.
  const found = planChunks(
    [
      begins('app', { isEntry: true, dynamicImports: ['frame', 'aPage', 'room'] }),
      begins('frame', { imports: ['x', 'own'] }),
      begins('aPage', { dynamicImports: ['part'] }),
      begins('room', { dynamicImports: ['part'] }),
      begins('part', { imports: ['x'] }),
      file('x'),
      file('own'),
    ],
    HOMES,
  );
  expect(found.get('x.ts')).not.toBe(found.get('own.ts'));
});

test('the home of two entry points is the file that contains it, not the small one that leads there', () => {
  const found = planChunks(
    [
      begins('page', { isEntry: true, imports: ['whole'] }),
      begins('other', { isEntry: true, dynamicImports: ['app'] }),
      file('app', { begins: '/src/app.ts', imports: ['whole'], modules: {} }),
      file('whole', { modules: { '/src/app.ts': 1000 }, dynamicImports: ['aPage', 'bPage', 'frame'] }),
      begins('frame', {}),
      begins('aPage', { imports: ['small'] }),
      begins('bPage', { imports: ['small'] }),
      file('small', { modules: { 'small.ts': 400 } }),
    ],
    HOMES.map(({ begins, maxBytes }) => ({ begins, maxBytes })),
  );
  expect(found.get('small.ts')).toBe(found.get('/src/app.ts'));
});

const SMALL = { maxBytes: 2000, maxJoined: 5000, comesFirst: (/** @type {string} */ id) => /Page|frame|room/.test(id) };
/**
 * An app with a frame, a room, and a dialog that the frame and the room open.
 * @param {readonly BundledFile[]} shared
 * @param {Record<string, readonly string[]>} uses by entry point
 */
const planWithDialog = (shared, uses) =>
  planChunks(
    [
      begins('app', { isEntry: true, dynamicImports: ['frame', 'aPage', 'room'], imports: uses['app'] ?? [] }),
      begins('frame', { imports: uses['frame'] ?? [], dynamicImports: ['dialog'] }),
      begins('room', { imports: uses['room'] ?? [], dynamicImports: ['dialog'] }),
      begins('aPage', { imports: uses['aPage'] ?? [] }),
      begins('dialog', { imports: uses['dialog'] ?? [] }),
      ...shared,
    ],
    [],
    SMALL,
  );

test('small files that are first loaded together are one, even if a dialog needs only one of them', () => {
  const found = planWithDialog([file('x'), file('y')], { frame: ['x', 'y'], dialog: ['x'] });
  expect(found.get('x.ts')).toBe(found.get('y.ts'));
});

test('a small file loads nothing for a dialog that only another dialog needs', () => {
  const found = planWithDialog([file('x'), file('y', { imports: ['router'] }), file('router')], {
    frame: ['x', 'y'],
    aPage: ['router'],
    dialog: ['x'],
  });
  expect(found.get('x.ts')).not.toBe(found.get('y.ts'));
});

test('first pages never load more: files of the room stay apart from files of the frame', () => {
  const found = planWithDialog([file('x'), file('y')], { frame: ['x', 'y'], room: ['x'] });
  expect(found.get('x.ts')).not.toBe(found.get('y.ts'));
});

test('large files stay apart, and small ones that would become large', () => {
  const large = file('large', { modules: { 'large.ts': 2001 } });
  const found = planWithDialog([large, file('x')], { frame: ['large', 'x'], dialog: ['x'] });
  expect(found.get('large.ts')).not.toBe(found.get('x.ts'));
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => file(name));
  const dialogs = many.map(({ file: name }) => begins(`${name}Dialog`, { imports: [name] }));
  const joined = planChunks(
    [
      begins('frame', {
        isEntry: true,
        imports: many.map(({ file: name }) => name),
        dynamicImports: dialogs.map(({ file: name }) => name),
      }),
      begins('other', { isEntry: true, dynamicImports: dialogs.map(({ file: name }) => name) }),
      ...dialogs,
      ...many,
    ],
    [],
    SMALL,
  );
  expect(new Set(joined.values()).size).toBe(2);
});

test('small files do not become one across a large one between them: no circular imports', () => {
  const large = file('large', { modules: { 'large.ts': 9000 }, imports: ['y'] });
  const found = planWithDialog([file('x', { imports: ['large'] }), large, file('y')], {
    frame: ['x'],
    dialog: ['large'],
  });
  expect(found.get('x.ts')).not.toBe(found.get('y.ts'));
});
