import { expect, test } from 'vitest';
import { lighten, splitModule } from '../../web/build/contractForBrowser.ts';

test('an endpoint keeps what pages read from it', () => {
  const light = lighten(`
    export const book = endpoint({
      method: 'POST',
      path: '/api/book/{id}',
      access: 'anyone',
      summary: 'Books, and more',
      body: z.strictObject({ email, ...more }),
      problems: ['not_found']
    });`);
  expect(light.replace(/\s+/g, ' ').trim()).toBe(
    "export const book = /*@__PURE__*/ endpoint({ method: 'POST', path: '/api/book/{id}', });",
  );
});

test('calls at the top level are marked pure, calls in functions stay unchanged', () => {
  expect(lighten(`const id = z.int().check(z.positive()); const read = (text) => parse(text);`)).toBe(
    `const id = /*@__PURE__*/ /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.positive()); const read = (text) => parse(text);`,
  );
});

const CODE = `
import * as z from 'zod/mini';
import { endpoint, max } from './http.ts';
import { id, MINUTES } from './text.ts';
export const WORDS_MAX = 80;
const DAYS = ['mon'];
export const words = z.string().check(z.maxLength(WORDS_MAX));
export const body = { words, days: DAYS };
export type Body = z.infer<typeof words>;
export const path = id;
export const say = (words: string, { body }: Body) => words + body + MINUTES;
export function shown(text: string) {
  const [id] = text.split('-');
  return id;
}
export const send = endpoint({ method: 'POST', path: '/api/words' });
export const isWords = (text: string) => words.safeParse(text).success;`;
/** `id` of another module needs zod. */
const split = () => splitModule(CODE, (module) => new Set(module === './text.ts' ? ['id'] : []), '/contract/src/a.ts');

test('what needs zod, even through another name or module, is in its own part', () => {
  const { rest, schemas, names } = split();
  expect([...names].toSorted()).toEqual(['body', 'isWords', 'path', 'words']);
  for (const own of ['WORDS_MAX = 80', 'DAYS =', 'say =', 'shown(', 'send =']) {
    expect(rest).toContain(own);
    expect(schemas).not.toContain(own);
  }
  expect(schemas).toContain("import { WORDS_MAX, DAYS } from './a.ts?rest'");
});

test('the module re-exports both parts, the rest exports its private names to the other, and no imports are circular', () => {
  const { whole, rest } = split();
  expect(whole.split('\n')).toEqual([
    "export * from './a.ts?rest';",
    "export { words, body, path, isWords } from './a.ts?schemas';",
  ]);
  expect(rest).toContain('export { DAYS };');
  expect(rest).not.toContain('./a.ts');
});

test('names in a pattern count as declared, and default values of parameters count as used', () => {
  const { rest, schemas, names } = splitModule(
    `
    import * as z from 'zod/mini';
    export const MONTHS = { least: 1, list: [12, 24] };
    const { least, list: [, most = 36] } = MONTHS;
    const months = z.int().check(z.minimum(least), z.maximum(most));
    export const read = ({ text, schema = months }) => schema.parse(text);`,
    () => new Set(),
    '/contract/src/a.ts',
  );
  expect([...names].toSorted()).toEqual(['months', 'read']);
  expect(rest).toContain('export { least, most };');
  expect(schemas).toContain("import { least, most } from './a.ts?rest'");
});

test('a module without schemas stays unchanged', () => {
  const code = 'export const MAX = 3;';
  expect(splitModule(code, () => new Set(), '/contract/src/a.ts').whole).toBe(code);
});
