/** An address that differs from its endpoint would be a call that nobody answers. */
import * as clients from '@fieldroom/contract/clients';
import * as video from '@fieldroom/contract/video';
import { describe, expect, test } from 'vitest';
import * as calls from './calls.ts';

const declared: Record<string, unknown> = { ...clients, ...video };

describe('addresses of sound and picture', () => {
  test.each(Object.entries(calls))('%s is the call of that name in the contract', (name, { method, path }) => {
    expect(declared[name]).toMatchObject({ method, path });
  });
});
