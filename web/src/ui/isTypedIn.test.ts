/** @vitest-environment happy-dom */
import { expect, test } from 'vitest';
import { isTypedIn, isTypedInOrDialog } from './isTypedIn.ts';

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
])('a key in %s is typing', (html) => expect(isTypedIn(first(html))).toBe(true));

test.each([
  '<button></button>',
  '<input type="checkbox" role="switch">',
  '<input type="radio">',
  '<div contenteditable="false"><b data-target>word</b></div>',
  '<p></p>',
])('a key in %s is not typing', (html) => expect(isTypedIn(first(html))).toBe(false));

test('keys on window are not typing', () => expect(isTypedIn(window)).toBe(false));

test.each([
  ['<input>', true],
  ['<div role="dialog"><button data-target></button></div>', true],
  ['<div role="dialog"><input data-target></div>', true],
  ['<button></button>', false],
])('the page leaves a key in %s to others: %s', (html, left) => expect(isTypedInOrDialog(first(html))).toBe(left));

test('keys on window belong to the page', () => expect(isTypedInOrDialog(window)).toBe(false));
