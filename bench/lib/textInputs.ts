/**
 * Inputs for every call and message of the contract that takes free text. They are made from the schemas, so that a
 * call or message that is added later is included automatically.
 */
import { completeRegistration } from '@fieldroom/contract/billing';
import { saveBugReport } from '@fieldroom/contract/bugReports';
import { CALL_NAMES, CALLS, MESSAGES } from '@fieldroom/contract/calls';
import { enterRoom } from '@fieldroom/contract/clients';
import { dayPlus, previewEvent, saveEvent } from '@fieldroom/contract/events';
import type { Endpoint, Schema } from '@fieldroom/contract/http';

/** Makes a text of this many characters. */
export type TextOf = (length: number) => string;

/** More than any text of the contract, and more than a body may have. */
const LENGTH_MAX = 60_000;
/** The maximum bytes of all texts of one input together: a larger body is refused unread. */
const BYTES_MAX = 50_000;
/** Values for fields that are not free text. The first one that a schema accepts is used. */
const SAMPLES: readonly unknown[] = [
  ...['1', 'a@b.example', '2030-05-01', '18:00', 'en', 'EUR', 'Europe/Budapest', 'HU', '#15579C', '+40 721 555 123'],
  ...['11111111-1111-4111-8111-111111111111', '2030-05-01T18:00:00Z', '2030-05-01T18:00:00.000Z', '2030-05'],
  ...['Tk'.padEnd(43, '-_x9'), 'abcd-efgh-jkmn-pqrs', '100000', '12345678-2-42', '800x600', 'light', '0 4 * * *'],
  ...[1, 0, 20, true, null],
];

const takes = (schema: Schema, value: unknown): boolean => {
  try {
    return (schema as unknown as { safeParse(value: unknown): { success: boolean } }).safeParse(value).success;
  } catch {
    return false;
  }
};
const sampleOf = (schema: Schema): unknown[] => SAMPLES.filter((sample) => takes(schema, sample)).slice(0, 1);
/** Whether a schema accepts free text, and not only an id, a date or one of a few values. */
const isFreeText = (schema: Schema): boolean => takes(schema, 'Éa words, x') && takes(schema, 'zw 7 more');

/** The parts of a schema; for an optional one its inner schema. */
function unwrapped(schema: Schema): Schema {
  const { def } = (schema as unknown as { _zod: { def: Record<string, unknown> } })._zod;
  return def['innerType'] === undefined ? schema : unwrapped(def['innerType'] as Schema);
}

interface Def {
  readonly type: string;
  readonly shape: Readonly<Record<string, Schema>>;
  readonly element: Schema;
  readonly items: readonly Schema[];
  readonly options: readonly Schema[];
  readonly valueType: Schema;
  readonly in: Schema;
}
const defOf = (schema: Schema): Def => (schema as unknown as { _zod: { def: Def } })._zod.def;

/** Kinds of schemas whose values contain no free text. */
const WITHOUT_TEXT = new Set(['boolean', 'enum', 'literal', 'null', 'number']);

/** Like `some`, but tests every part, so that an unknown kind is found even after a text. */
const anyHoldsText = (parts: readonly Schema[]): boolean => parts.map(holdsText).includes(true);

/**
 * Whether a value of this schema can contain free text. Throws for an unknown kind of schema: a text in it would be
 * overlooked.
 * @public for tools/repository/bench-texts.test.mjs
 */
export function holdsText(wrapped: Schema): boolean {
  const schema = unwrapped(wrapped);
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return anyHoldsText(Object.values(def.shape));
    case 'array':
      return holdsText(def.element);
    case 'tuple':
      return anyHoldsText(def.items);
    case 'union':
      return anyHoldsText(def.options);
    case 'record':
      return holdsText(def.valueType);
    case 'pipe':
      return isFreeText(schema) || holdsText(def.in);
    case 'string':
    case 'unknown':
      return isFreeText(schema);
  }
  if (WITHOUT_TEXT.has(def.type)) return false;
  throw new Error(`Nobody has said whether a schema of the kind "${def.type}" holds text.`);
}

/** The messages with free text: destinations with their schemas. */
export const TEXT_MESSAGES: readonly (readonly [destination: string, schema: Schema])[] = Object.entries(
  MESSAGES,
).filter(([, schema]) => holdsText(schema));

/** The longest text that a schema accepts without shortening it. */
function lengthOf(schema: Schema): number {
  let [fits, tooLong] = [1, LENGTH_MAX + 1];
  while (tooLong - fits > 1) {
    const length = Math.floor((fits + tooLong) / 2);
    if (takes(schema, `x${' '.repeat(length - 2)}x`)) fits = length;
    else tooLong = length;
  }
  return fits;
}

/** A value for a schema. */
export interface Input {
  readonly value: unknown;
  /** Wrong on purpose: it has any text instead of, for instance, an email address. */
  readonly wrong: boolean;
}

const right = (value: unknown): Input => ({ value, wrong: false });

/** A value made of others, by their names; wrong if one of them is. */
const joined = (parts: readonly (readonly [name: string, input: Input])[]): Input => ({
  value: Object.fromEntries(parts.map(([name, { value }]) => [name, value])),
  wrong: parts.some(([, { wrong }]) => wrong),
});

/**
 * Values of a schema with a text wherever free text is possible: one for each of its alternatives that accept text.
 * Other fields without a sample are left out.
 */
function valuesOf(wrapped: Schema, text: TextOf): Input[] {
  const schema = unwrapped(wrapped);
  const def = defOf(schema);
  if (isFreeText(schema)) return [right(text(lengthOf(schema)))];
  switch (def.type) {
    case 'object': {
      const all = Object.entries(def.shape).map(([name, part]) => [name, valuesOf(part, text)] as const);
      const first = all.flatMap(([name, [value]]) => (value ? [[name, value] as const] : []));
      const others = all.flatMap(([name, [, ...values]]) => values.map((value) => [name, value] as const));
      return [joined(first), ...others.map((other) => joined([...first.filter(([name]) => name !== other[0]), other]))];
    }
    case 'array':
      return valuesOf(def.element, text)
        .slice(0, 1)
        .map(({ value, wrong }) => ({ value: [value], wrong }));
    case 'tuple': {
      const items = def.items.map((item) => valuesOf(item, text)[0] ?? right(undefined));
      return [{ value: items.map(({ value }) => value), wrong: items.some(({ wrong }) => wrong) }];
    }
    case 'union': {
      const withText = def.options.filter(holdsText);
      return (withText.length > 0 ? withText : def.options.slice(0, 1)).flatMap((option) => valuesOf(option, text));
    }
    case 'record':
      return [right({})];
    case 'literal':
      return [right((def as unknown as { values: unknown[] }).values[0])];
    case 'enum':
      return Object.values((def as unknown as { entries: Record<string, unknown> }).entries)
        .slice(0, 1)
        .map(right);
    case 'pipe':
      // For instance an email address: one that is valid, so that the rest is read too, and any text instead of it.
      if (holdsText(def.in))
        return [
          ...sampleOf(schema).map(right),
          ...valuesOf(def.in, text).map(({ value }) => ({ value, wrong: !takes(schema, value) })),
        ];
  }
  return sampleOf(schema).map(right);
}

/** The number of texts in a value. */
const textsIn = (value: unknown): number =>
  typeof value === 'string'
    ? 1
    : typeof value === 'object' && value !== null
      ? Object.values(value).reduce<number>((sum, part) => sum + textsIn(part), 0)
      : 0;

/** Values of a schema with texts of this kind, each as long as its field and the body allow. */
export function inputsOf(schema: Schema, text: TextOf): Input[] {
  const share = (count: number): TextOf => {
    const bytes = Buffer.byteLength(text(1000)) / 1000;
    const most = Math.max(1, Math.floor(BYTES_MAX / bytes / Math.max(1, count)));
    return (length) => text(Math.min(length, most));
  };
  const count = Math.max(0, ...valuesOf(schema, () => 'x').map(({ value }) => textsIn(value)));
  return valuesOf(schema, share(count));
}

/** A day on which an event may take place. */
const inAMonth = dayPlus(new Date().toISOString().slice(0, 10), 30);

/** Values required by rules between fields, which are not in the schema. */
const ADJUSTED: ReadonlyMap<Endpoint, (body: Record<string, unknown>) => Record<string, unknown>> = new Map<
  Endpoint,
  (body: Record<string, unknown>) => Record<string, unknown>
>([
  [enterRoom, (body) => ({ joinLink: 'nobody-here', name: body['name'] })],
  [completeRegistration, (body) => ({ ...body, telephone: '+36 30 555 1234', entity: null })],
  ...[saveEvent, previewEvent].map(
    (call) =>
      [
        call,
        (body: Record<string, unknown>) => ({
          ...body,
          pictureFrom: undefined,
          ...{ dates: [inAMonth], startTime: '18:00', endTime: '19:30', isOnline: false, price: '45' },
        }),
      ] as const,
  ),
]);

/** One POST of a call. */
export interface TextInput {
  readonly endpoint: Endpoint;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Wrong on purpose, see `Input`. */
  readonly wrong: boolean;
}

/** The calls with free text. */
export const TEXT_CALLS: readonly Endpoint[] = CALLS.filter(({ params, query, body }) =>
  anyHoldsText([params, query, body].filter((part) => part !== null)),
);

const partOf = (schema: Schema | null, text: TextOf): Input =>
  (schema === null ? undefined : inputsOf(schema, text)[0]) ?? right({});

/** Inputs of the body of a call. A bug report is sent as JSON in a text, with the free text inside. */
function bodiesOf(endpoint: Endpoint, text: TextOf): Input[] {
  if (endpoint.body === null) return [right(undefined)];
  if (endpoint === saveBugReport) {
    const { value } = (saveBugReport.body as unknown as { shape: { value: Schema } }).shape;
    const report = (defOf(value) as unknown as { out: Schema }).out;
    return inputsOf(report, text).map((one) => ({ ...one, value: { value: JSON.stringify(one.value) } }));
  }
  const adjust = ADJUSTED.get(endpoint) ?? ((body: unknown) => body);
  return inputsOf(endpoint.body, text).map((body) => ({
    ...body,
    value: adjust(body.value as Record<string, unknown>),
  }));
}

/** Inputs of a call with free text. */
export function inputsOfCall(endpoint: Endpoint, text: TextOf): TextInput[] {
  const params = partOf(endpoint.params, text);
  const query = partOf(endpoint.query, text);
  return bodiesOf(endpoint, text).map((body) => ({
    endpoint,
    params: params.value as TextInput['params'],
    query: query.value as TextInput['query'],
    body: body.value,
    wrong: [params, query, body].some(({ wrong }) => wrong),
  }));
}

/** The readable name of a call. */
export const nameOf = (endpoint: Endpoint): string => CALL_NAMES.get(endpoint) ?? endpoint.path;
