import { expect, test } from 'vitest';
import { lighten } from '../web/build/contractForBrowser.ts';

test('an endpoint keeps what pages read of it', () => {
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

test('calls at the top level are pure, calls in functions stay as they are', () => {
  expect(lighten(`const id = z.int().check(z.positive()); const read = (text) => parse(text);`)).toBe(
    `const id = /*@__PURE__*/ /*@__PURE__*/ z.int().check(/*@__PURE__*/ z.positive()); const read = (text) => parse(text);`,
  );
});
