/** The benchmark of texts (`bench/room/texts.ts`) posts to every call and message with free text. */
import { expect, test } from 'vitest';

// The benchmark is in another workspace, whose types are not visible here.
const { holdsText, inputsOf, inputsOfCall, nameOf, TEXT_CALLS, TEXT_MESSAGES } = await import(
  new URL('../../bench/lib/textInputs.ts', import.meta.url).href
);

/** @param {number} length */
const ordinary = (length) => 'Judit and Béla'.slice(0, length);

test('every call that takes text gets inputs that its schemas accept, so that each text is read to its end', () => {
  const lacking = TEXT_CALLS.filter((/** @type {any} */ endpoint) => {
    const inputs = inputsOfCall(endpoint, ordinary);
    // Any text instead of an email address, for instance, is wrong on purpose; the other inputs are valid.
    const right = inputs.filter((/** @type {any} */ { wrong }) => !wrong);
    return (
      right.length === 0 ||
      !JSON.stringify(inputs).includes('Judi') ||
      ['params', 'query', 'body'].some(
        (part) =>
          endpoint[part] !== null &&
          !right.every((/** @type {any} */ input) => endpoint[part].safeParse(input[part]).success),
      )
    );
  }).map(nameOf);
  expect(lacking).toEqual([]);
});

test('they include known calls with free text', () => {
  expect(TEXT_CALLS.map(nameOf)).toEqual(
    expect.arrayContaining([
      ...['search', 'savePage', 'saveConstellation', 'renameConstellation', 'renameMoment', 'contact', 'saveBugReport'],
      ...['saveFigure', 'saveIcon', 'saveEvent', 'bookEvent', 'cancelEvent', 'addAttendee', 'enterRoom', 'saveLog'],
    ]),
  );
});

test('every message with text gets inputs', () => {
  expect(TEXT_MESSAGES.map((/** @type {[string]} */ [destination]) => destination)).toEqual(
    expect.arrayContaining(['/app/field.act', '/app/messages.send']),
  );
  for (const [destination, schema] of TEXT_MESSAGES) {
    const values = inputsOf(schema, ordinary).map((/** @type {any} */ { value }) => value);
    expect(JSON.stringify(values), destination).toContain('Judit');
    for (const value of values) expect(schema.safeParse(value), destination).toMatchObject({ success: true });
  }
});

test('an unknown kind of schema throws, because it may contain text', () => {
  const schema = (/** @type {object} */ def) => ({ _zod: { def } });
  const unknown = schema({ type: 'template_literal' });
  expect(() => holdsText(unknown)).toThrow('template_literal');
  // After a text, too.
  const text = { ...schema({ type: 'string' }), safeParse: () => ({ success: true }) };
  expect(holdsText(text)).toBe(true);
  expect(() => holdsText(schema({ type: 'object', shape: { text, unknown } }))).toThrow('template_literal');
  expect(holdsText(schema({ type: 'boolean' }))).toBe(false);
});
