/** @vitest-environment happy-dom */
import { expect, test } from 'vitest';
import { isTypedIn } from './isTypedIn.ts';

const first = (html: string) => {
  document.body.innerHTML = html;
  return document.body.querySelector('[data-target]') ?? document.body.firstElementChild;
};

test.each([
  '<input>',
  '<input type="search">',
  '<input type="number">',
  '<textarea></textarea>',
  '<select></select>',
  '<div contenteditable><b data-target>word</b></div>',
])('somebody types in %s', (html) => expect(isTypedIn(first(html))).toBe(true));

test.each([
  '<button></button>',
  '<input type="checkbox" role="switch">',
  '<input type="radio">',
  '<div contenteditable="false"><b data-target>word</b></div>',
  '<p></p>',
])('nobody types in %s', (html) => expect(isTypedIn(first(html))).toBe(false));

test('a key of the window itself is typed nowhere', () => expect(isTypedIn(window)).toBe(false));
