/** Where the focus is after a form was refused. */
import { afterEach, expect, test } from 'vitest';
import { focusFirstFault } from './focusFirstFault.ts';

afterEach(() => document.body.replaceChildren());

function form() {
  const box = document.createElement('form');
  box.innerHTML = '<input name="first"><input name="second"><div data-part="days" tabindex="-1"></div>';
  document.body.append(box);
  const at = (selector: string) => box.querySelector<HTMLElement>(selector)!;
  return { box, first: at('[name=first]'), second: at('[name=second]'), days: at('[data-part=days]') };
}
async function frames(count: number) {
  for (let passed = 0; passed < count; passed += 1) await new Promise((done) => requestAnimationFrame(done));
}

test('the first fault in page order gets the focus', () => {
  const { box, second, days } = form();
  days.setAttribute('data-invalid', 'true');
  second.setAttribute('aria-invalid', 'true');
  focusFirstFault(box);
  expect(document.activeElement).toBe(second);
});

test('the focus moves however late the faults are drawn, and only once', async () => {
  const { box, first, second } = form();
  focusFirstFault(box);
  await frames(40);
  second.setAttribute('aria-invalid', 'true');
  await frames(2);
  expect(document.activeElement).toBe(second);
  first.setAttribute('aria-invalid', 'true');
  await frames(2);
  expect(document.activeElement).toBe(second);
});

test.each(['pointerdown', 'keydown'])('%s: does not steal the focus after another act', async (act) => {
  const { box, first, second } = form();
  focusFirstFault(box);
  first.focus();
  first.dispatchEvent(new Event(act, { bubbles: true }));
  second.setAttribute('aria-invalid', 'true');
  await frames(2);
  expect(document.activeElement).toBe(first);
});
