import { expect, test } from 'vitest';
import { bearerToken, newToken } from './tokens.ts';

test('a bearer token is read from its header, however the scheme is spelled', () => {
  const { token } = newToken();
  for (const header of [`Bearer ${token}`, `bearer   ${token} `, `BEARER ${token}`])
    expect(bearerToken(header)).toBe(token);
});

test('what is no bearer token is none', () => {
  for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic YTpi', 'Bearer a b', 'Bearer \u{1f511}'])
    expect(bearerToken(header)).toBeNull();
});
