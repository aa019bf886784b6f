/** Compiled schemas find what zod finds, in generated data. */
import { CALL_NAMES } from '@fieldroom/contract/calls';
import { fieldActMessage } from '@fieldroom/contract/field';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import { compileSchema } from './compile-schema.ts';

/** Everything that can be compared: the data, or each fault with its place. */
function outcome(schema: $ZodType, input: unknown, jitless: boolean) {
  const parsed = z.safeParse(schema, input, { jitless });
  return parsed.success
    ? { data: parsed.data }
    : { faults: parsed.error.issues.map(({ path, code, message }) => ({ path, code, message })) };
}
const schemas: (readonly [string, $ZodType])[] = [
  ...[...CALL_NAMES].flatMap(([{ params, query, body, reply }, name]) =>
    Object.entries({ params, query, body, reply }).flatMap(([part, schema]) =>
      schema === null ? [] : [[`${name} ${part}`, schema] as const],
    ),
  ),
  ['fieldActMessage', fieldActMessage],
];

/** Names that the contract uses, so that many properties are met. */
const names = fc.constantFrom('id', 'userId', 'email', 'text', 'actId', 'act', 'kind', 'x', 'dates', 'page', 'content');
const values = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, 0, 7, -1, 1.5, '', 'a', 'a@b.example', '2026-12-03', 'place', 'GROUP', undefined),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(names, fc.string({ maxLength: 4 })), tie('any'), { maxKeys: 5 }),
  ),
})).any;

describe('compiled schemas', () => {
  test.each(schemas)('%s finds the same data and the same faults', (_name, schema) => {
    compileSchema(schema);
    fc.assert(
      fc.property(values, (input) => {
        expect(outcome(schema, input, false)).toEqual(outcome(schema, input, true));
      }),
      { numRuns: 60 },
    );
  });

  test('objects are compiled wherever they are: in lists, unions, optional parts, pipes and with checks', () => {
    const inner = z.strictObject({ a: z.number() });
    const checked = z.strictObject({ b: z.string() }).check(z.refine(({ b }) => b !== 'no', 'refused'));
    const whole = z.strictObject({
      list: z.array(inner),
      either: z.union([z.strictObject({ c: z.boolean() }), z.null()]),
      maybe: z.optional(checked),
      piped: z.pipe(
        z.strictObject({ d: z.string() }),
        z.transform(({ d }) => d.length),
      ),
    });
    const before = outcome(whole, { list: [{ a: 1 }], either: null, maybe: { b: 'no' }, piped: { d: 'xyz' } }, false);
    compileSchema(whole);
    expect(before).toEqual({ faults: [{ path: ['maybe'], code: 'custom', message: 'refused' }] });
    expect(outcome(whole, { list: [{ a: 1 }], either: null, maybe: { b: 'no' }, piped: { d: 'xyz' } }, false)).toEqual(
      before,
    );
    expect(outcome(whole, { list: [{ a: 1 }], either: { c: true }, piped: { d: 'xyz' } }, false)).toEqual({
      data: { list: [{ a: 1 }], either: { c: true }, piped: 3 },
    });
    for (const schema of [inner, checked, whole]) expect(schema._zod.traits).toContain('$ZodObjectJIT');
  });
});
