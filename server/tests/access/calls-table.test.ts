/** People read in `docs/calls.tsv` who may call what; this test compares it with the contract, both ways. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CALLS, SOCKETS } from '@fieldroom/contract/calls';
import { accessRule, type Endpoint } from '@fieldroom/contract/http';

/** Names in the query that are our own optional additions; the table does not list them. */
const OWN_QUERY_NAMES: Readonly<Record<string, readonly string[]>> = {
  '/api/participant/saveAll': ['participantsUpdatedOn'],
  '/api/event/images/{eventId}/upload': ['scope'],
  '/api/image/{therapistId}': ['v', 'share'],
};

const lines = readFileSync(new URL('../../../docs/calls.tsv', import.meta.url), 'utf8').split('\n');
const rows = lines.slice(1, -1).map((line) => line.split('\t'));

function queryNames(call: Endpoint): string[] {
  const shape = (call.query as { shape?: Record<string, unknown> } | null)?.shape ?? {};
  return Object.keys(shape).filter((name) => !(OWN_QUERY_NAMES[call.path] ?? []).includes(name));
}

const written = (call: Endpoint) => {
  const names = queryNames(call);
  return [
    call.method,
    call.path + (names.length === 0 ? '' : `?${names.map((name) => `${name}=`).join('&')}`),
    accessRule(call.access).who,
  ].join('\t');
};

describe('docs/calls.tsv', () => {
  test('has a heading, three columns a row and an end of line', () => {
    expect(lines[0]!.split('\t').slice(0, 2)).toEqual(['method', 'path']);
    expect(lines.at(-1)).toBe('');
    for (const row of rows) expect(row).toHaveLength(3);
  });

  test('names no call twice', () => {
    const names = rows.map(([method, path]) => `${method} ${path!.split('?')[0]}`);
    expect(names).toEqual([...new Set(names)]);
  });

  test('has every call and socket of the contract with its callers, and nothing else', () => {
    expect(CALLS.length).toBeGreaterThan(40);
    const expected = [
      ...CALLS.map(written),
      ...SOCKETS.map(({ method, path, access }) => [method, path, access].join('\t')),
    ];
    expect(rows.map((row) => row.join('\t')).toSorted()).toEqual(expected.toSorted());
  });
});
