/** The list of calls includes the calls of every file of the contract. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CALL_NAMES, isEndpoint } from './calls.ts';

test('the list contains every endpoint that a file of the contract exports', async () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const missing: string[] = [];
  for (const file of files) {
    const exported = (await import(`./${file}`)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported))
      if (isEndpoint(value) && CALL_NAMES.get(value) !== name) missing.push(`${file}: ${name}`);
  }
  expect(files.length).toBeGreaterThan(8);
  expect(missing).toEqual([]);
});
