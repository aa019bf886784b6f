/** Elements over the field. */
import { expect, test, vi } from 'vitest';
import { fakeFrames, openField } from '../FieldView.testing.tsx';

fakeFrames();

test('5.21: an element over the field is measured again when its container is resized', () => {
  const watched = new Set<Element>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(element: Element) {
        watched.add(element);
      }
      unobserve(element: Element) {
        watched.delete(element);
      }
      disconnect() {}
    },
  );
  const { handle } = openField();
  const place = document.createElement('div');
  const [one, other] = [document.createElement('p'), document.createElement('p')];
  place.append(one, other);
  const [oneGone, otherGone] = [handle.keepClear(one), handle.keepClear(other)];
  expect([one, other, place].map((element) => watched.has(element))).toEqual([true, true, true]);
  oneGone();
  expect([one, other, place].map((element) => watched.has(element))).toEqual([false, true, true]);
  otherGone();
  expect([one, other, place].some((element) => watched.has(element))).toBe(false);
});
