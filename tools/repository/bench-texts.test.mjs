/** The benchmark of texts (`bench/room/texts.ts`) posts to every call and message in which people write. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// The benchmark is in another workspace, whose types this one does not see.
const { inputsOf, inputsOfCall, nameOf, TEXT_CALLS, MESSAGES } = await import(
  new URL('../../bench/lib/texts.ts', import.meta.url).href
);

/** @param {number} length */
const ordinary = (length) => 'Judit and Béla'.slice(0, length);

test('every call that takes text gets an input that its schemas take: it is read to its end', () => {
  const lacking = TEXT_CALLS.filter((/** @type {any} */ endpoint) =>
    ['params', 'query', 'body'].some((part) => {
      const [first] = inputsOfCall(endpoint, ordinary);
      return endpoint[part] !== null && !endpoint[part].safeParse(first[part]).success;
    }),
  ).map(nameOf);
  expect(lacking).toEqual([]);
});

test('they are those in which people write, by their columns in docs/calls.tsv', () => {
  const names = TEXT_CALLS.map(nameOf);
  expect(names).toEqual(
    expect.arrayContaining([
      ...['search', 'savePage', 'saveConstellation', 'renameConstellation', 'renameMoment', 'contact', 'saveBugReport'],
      ...['saveFigure', 'saveIcon', 'saveEvent', 'bookEvent', 'cancelEvent', 'addAttendee', 'enterRoom', 'saveLog'],
    ]),
  );
  const table = readFileSync(new URL('../../docs/calls.tsv', import.meta.url), 'utf8');
  for (const { method, path } of TEXT_CALLS) expect(table).toContain(`${method}\t${path}`);
});

test('every message that browsers send is known to have text, or none', () => {
  const contract = new URL('../../contract/src/', import.meta.url);
  const sent = readdirSync(contract)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(new URL(name, contract), 'utf8').matchAll(/: '(\/app\/[a-z]\w*\.\w+)'/gi)])
    .map(([, destination]) => destination);
  expect(sent.length).toBeGreaterThan(8);
  expect(new Set(sent)).toEqual(new Set(Object.keys(MESSAGES)));
  for (const [destination, schema] of Object.entries(/** @type {Record<string, any>} */ (MESSAGES))) {
    if (schema === null) continue;
    const inputs = inputsOf(schema, ordinary);
    expect(JSON.stringify(inputs), destination).toContain('Judit');
    for (const input of inputs) expect(schema.safeParse(input), destination).toMatchObject({ success: true });
  }
});
