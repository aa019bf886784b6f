/** An address that differs from its endpoint would be a call that nobody answers. */
import * as clients from '@fieldroom/contract/clients';
import * as field from '@fieldroom/contract/field';
import { describe, expect, test } from 'vitest';
import * as calls from './calls.ts';

const declared: Record<string, unknown> = { ...clients, ...field };

describe('addresses of the room', () => {
  test.each(Object.entries(calls))('%s is the call of that name in the contract', (name, { method, path }) => {
    expect(declared[name]).toMatchObject({ method, path });
  });
});
