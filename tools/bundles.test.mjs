import { expect, test } from 'vitest';
import { chunksOf, growth, partsOf } from './bundles.mjs';

/** @type {import('./bundles.mjs').Chunk[]} */
const CHUNKS = [
  { file: 'a.js', begins: 'web/join.html', imports: ['b.js'], modules: { 'web/src/light/a.ts': 10 } },
  {
    file: 'b.js',
    begins: null,
    imports: ['a.js'],
    modules: { 'node_modules/@x/y/z.js': 5, 'node_modules/@x/y/w.js': 7 },
  },
  { file: 'c.js', begins: 'web/index.html', imports: [], modules: { 'web/src/c.ts': 1 } },
];

test('a page needs its chunks and their imports, each once', () => {
  expect(chunksOf(CHUNKS, ['web/join.html']).map(({ file }) => file)).toEqual(['a.js', 'b.js']);
  expect(() => chunksOf(CHUNKS, ['web/gone.tsx'])).toThrow('web/gone.tsx');
});

test('growth is listed by package and folder, largest first', () => {
  expect(partsOf(CHUNKS)).toEqual({ '@x/y': 12, 'web/src': 1, 'web/src/light': 10 });
  expect(growth({ '@x/y': 2, 'web/src/light': 10 }, { '@x/y': 12, 'web/src/light': 10, zod: 11 })).toEqual([
    '  +11 to 11 bytes before minification: zod',
    '  +10 to 12 bytes before minification: @x/y',
  ]);
});
