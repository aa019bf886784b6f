/** An address that differs from its endpoint would be a call that nobody answers. */
import * as accounts from '@fieldroom/contract/accounts';
import { describe, expect, test } from 'vitest';
import * as calls from './calls.ts';

const declared: Record<string, unknown> = { ...accounts };

describe('addresses that every page carries', () => {
  test.each(Object.entries(calls))('%s is the call of that name in the contract', (name, { method, path }) => {
    expect(declared[name]).toMatchObject({ method, path });
  });
});
