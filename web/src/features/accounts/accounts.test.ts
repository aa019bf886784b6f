// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import { takeFragmentToken } from '../../platform/links/fragmentToken.ts';
import { registerForm } from './register/RegisterPage.tsx';

const whole = {
  firstName: 'Anna',
  lastName: 'B',
  email: 'anna@b.example',
  password: 'a long sentence',
  confirm: 'a long sentence',
  gender: 'female' as const,
  licenseAccepted: true,
  dataAccepted: true,
};
const faultsOf = (input: unknown) =>
  Object.fromEntries(
    (registerForm.safeParse(input).error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]),
  );

describe('the registration form', () => {
  test('accepts complete values', () => expect(faultsOf(whole)).toEqual({}));
  test('reports every empty field as empty', () =>
    expect(faultsOf({ ...whole, firstName: ' ', lastName: '', email: '', password: '', confirm: '' })).toEqual({
      firstName: 'required',
      lastName: 'required',
      email: 'required',
      password: 'required',
      confirm: 'required',
    }));
  test('passwords must match, which is reported beside other faults too', () => {
    expect(faultsOf({ ...whole, confirm: 'another sentence' })).toEqual({ confirm: 'mismatch' });
    expect(faultsOf({ ...whole, firstName: '', confirm: 'another sentence' })).toEqual({
      firstName: 'required',
      confirm: 'mismatch',
    });
  });
  test('a repeated password with other code points for the same letters matches', () =>
    expect(faultsOf({ ...whole, password: 'lange Sätze ok', confirm: 'lange Sa\u0308tze ok' })).toEqual({}));
  test('format of the address, length of the password, agreements', () =>
    expect(
      faultsOf({
        ...whole,
        email: 'anna@',
        password: 'short',
        confirm: 'short',
        licenseAccepted: false,
        dataAccepted: false,
      }),
    ).toEqual({
      email: 'invalid_format',
      password: 'too_short',
      licenseAccepted: 'agreement_required',
      dataAccepted: 'agreement_required',
    }));
});

describe("an email link's token", () => {
  beforeEach(() => window.history.replaceState(null, '', '/user/verify'));
  const token = 'A'.repeat(43);
  test.each([[`#token=${token}`], [`#${token}`]])(
    'is read from the fragment %s and removed from the address',
    (hash) => {
      window.history.replaceState(null, '', `/user/verify${hash}`);
      expect(takeFragmentToken()).toBe(token);
      expect(window.location.hash).toBe('');
      expect(takeFragmentToken()).toBeNull();
    },
  );
});
