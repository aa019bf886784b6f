// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { createStore, forgetPerson, keepSeat, keepSignIn, therapistSignedInHere } from './storage.ts';
import { client } from './client.testing.ts';

const user = {
  id: 7,
  firstName: 'Anna',
  lastName: 'B',
  email: 'a@b.example',
  roles: ['ROLE_THERAPIST' as const],
  authorities: ['ROLE_THERAPIST' as const],
  language: 'de' as const,
  slug: 'anna',
  joinLink: 'anna',
};
const store = createStore(
  () => window.localStorage,
  () => window.sessionStorage,
);
beforeEach(() => {
  window.localStorage.clear();
  window.sessionStorage.clear();
});

test('keeps a therapist under the fixed keys', () => {
  keepSignIn(store, { token: 't', user });
  expect(window.localStorage.getItem('token')).toBe('t');
  expect(JSON.parse(window.localStorage.getItem('therapist') as string)).toEqual({
    id: 7,
    roles: ['ROLE_THERAPIST'],
    joinLink: 'anna',
  });
  expect(store.get('user')).toEqual(user);
  expect(therapistSignedInHere(store)).toBe(true);
  store.remove('token');
  expect(therapistSignedInHere(store)).toBe(false);
});

test('keeps a client as a user whose first authority is ROLE_CLIENT, and never blocks its own join page', () => {
  keepSeat(store, { token: 'c', client, language: 'hu' });
  expect(store.get('user')?.authorities).toEqual(['ROLE_CLIENT']);
  expect(store.get('client')).toEqual(client);
  expect(therapistSignedInHere(store)).toBe(false);
});

test.each([
  '{',
  'null',
  '[]',
  '"x"',
  '{"id":"7"}',
  '{"id":-1,"roles":[],"authorities":[],"firstName":""}',
  '{"id":7,"roles":[1],"authorities":[],"firstName":"A"}',
])('drops a broken user: %s', (text) => {
  window.localStorage.setItem('user', text);
  expect(store.get('user')).toBeNull();
  expect(window.localStorage.getItem('user')).toBeNull();
});

test('if a browser blocks storage, values last until the page is left', () => {
  const refuse = () => {
    throw new DOMException('blocked', 'SecurityError');
  };
  const blocked = createStore(refuse, refuse);
  keepSignIn(blocked, { token: 't', user });
  expect(blocked.get('user')).toEqual(user);
  expect(blocked.getText('token')).toBe('t');
  blocked.markPageRefresh();
  expect(blocked.takePageRefresh()).toBe(false);
  forgetPerson(blocked);
  expect(blocked.getText('token')).toBeNull();
});

test('forgetting a person keeps theme, radius and language', () => {
  keepSeat(store, { token: 'c', client, language: 'hu' });
  store.setText('theme', 'dark.redruby');
  store.setText('language', 'hu');
  store.setText('secret_code', 'ABCDE');
  forgetPerson(store);
  expect(Object.keys(window.localStorage).sort()).toEqual(['language', 'theme']);
});

test('page_refresh is read once', () => {
  store.markPageRefresh();
  expect(store.takePageRefresh()).toBe(true);
  expect(store.takePageRefresh()).toBe(false);
});
