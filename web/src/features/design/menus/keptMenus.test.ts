// @vitest-environment happy-dom
/** What this browser stores of the menus: for one account, only valid designs, and not after the sign-in ends. */
import { beforeEach, expect, test } from 'vitest';
import { forgetPerson, storage } from '../../../platform/storage.ts';
import { keepMenus, keptMenus } from './keptMenus.ts';

const MENUS = {
  left: { bgColor: '#1f2d4a', textColor: null, selectedColor: null },
  top: { bgColor: '#f1dbdb', textColor: '#1f2732' },
};
beforeEach(() => localStorage.clear());

test('are kept only for their account, and forgotten when the person signs out', () => {
  keepMenus(7, MENUS);
  expect(keptMenus(7)).toMatchObject(MENUS);
  expect(keptMenus(8)).toBeNull();
  forgetPerson(storage);
  expect(localStorage.getItem('menus')).toBeNull();
});

test.each([
  '{',
  'null',
  '[]',
  '{"id":7}',
  JSON.stringify({ id: 7, ...MENUS, left: { ...MENUS.left, bgColor: 'red' } }),
  JSON.stringify({ id: 7, ...MENUS, left: { ...MENUS.left, bgColor: '#1f2d4a;x' } }),
  JSON.stringify({ id: 7, ...MENUS, top: { bgColor: null } }),
  JSON.stringify({ id: 7, ...MENUS, top: { bgColor: null, other: null } }),
])('an invalid stored value is dropped: %s', (stored) => {
  localStorage.setItem('menus', stored);
  expect(keptMenus(7)).toBeNull();
  expect(localStorage.getItem('menus')).toBeNull();
});
