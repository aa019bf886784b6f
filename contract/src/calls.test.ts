/** The lists of calls and messages include those of every file of the contract. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CALL_NAMES, isEndpoint, MESSAGES } from './calls.ts';

test('the lists contain every endpoint and message that a file of the contract exports', async () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const missing: string[] = [];
  const destinations: string[] = [];
  for (const file of files) {
    const exported = (await import(`./${file}`)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (isEndpoint(value) && CALL_NAMES.get(value) !== name) missing.push(`${file}: ${name}`);
      if (!/(?:^|_)SEND$/.test(name)) continue;
      for (const destination of Object.values(value as Record<string, string>)) {
        destinations.push(destination);
        if (!MESSAGES[destination]) missing.push(`${file}: ${destination}`);
      }
    }
  }
  expect(files.length).toBeGreaterThan(8);
  expect(destinations.length).toBeGreaterThan(8);
  expect(missing).toEqual([]);
});
