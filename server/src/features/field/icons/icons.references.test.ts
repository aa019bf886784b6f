/** Looking up the references of a drawing must not read the whole drawing each time: that took seconds for a full
 * one. */
import { expect, test, vi } from 'vitest';
import { cleanIcon } from './icons.clean.ts';

/** The number of times that an attribute was read by its name. */
let reads = 0;

vi.mock(import('jsdom'), async (importActual) => {
  const actual = await importActual();
  return {
    ...actual,
    JSDOM: class extends actual.JSDOM {
      constructor(...given: ConstructorParameters<typeof actual.JSDOM>) {
        super(...given);
        const { prototype } = this.window.Element;
        const read = prototype.getAttribute;
        prototype.getAttribute = function (name) {
          reads += 1;
          return read.call(this, name);
        };
      }
    },
  };
});

/** Attributes that are read by name for a drawing of gradients, each referred to by a shape. */
function readsFor(gradients: number): number {
  const many = Array.from({ length: gradients }, (_, index) => index);
  const drawing = [
    ...many.map((index) => `<linearGradient id="g${index}"/>`),
    ...many.map((index) => `<path d="M0 0h1" fill="url(#g${index})"/>`),
  ];
  reads = 0;
  const { kind } = cleanIcon(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">${drawing.join('')}</svg>`);
  expect(kind).toBe('clean');
  return reads;
}

test('35 ten times as many references cost ten times as much, not a hundred times', () => {
  const few = readsFor(100);
  expect(few).toBeGreaterThan(100);
  expect(readsFor(1000)).toBeLessThan(few * 11);
});
