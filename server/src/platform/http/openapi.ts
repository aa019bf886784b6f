/** The calls as an OpenAPI 3.1 document, made from the contract that is mounted, and a page that shows it. */
import { CALL_NAMES, SHAPES } from '@fieldroom/contract/calls';
import { accessRule, type Endpoint, type Schema } from '@fieldroom/contract/http';
import { API_DOCS_PAGE } from '@fieldroom/contract/pages';
import { PROBLEMS } from '@fieldroom/contract/problems';
import type { ProblemCode } from '@fieldroom/contract/problems';
import * as z from 'zod/mini';
import type { HttpServer } from './http.ts';
import { createPage, escapeHtml } from './page.ts';

type Json = Record<string, unknown>;

const REF = '#/components/schemas/';
const pascal = (name: string) => `${name[0]!.toUpperCase()}${name.slice(1)}`;

/** Shapes that are shared under their names, collected while a document is made. */
function createShapes() {
  for (const [shape, name] of SHAPES)
    if (!z.globalRegistry.has(shape)) z.globalRegistry.add(shape, { id: pascal(name) });
  const shared: Record<string, Json> = {};
  const definitions = (schema: Schema, io: 'input' | 'output') =>
    z.toJSONSchema(z.object({ root: schema }), { io, unrepresentable: 'any' }) as unknown as {
      properties: { root: Json };
      $defs?: Record<string, Json>;
    };

  return {
    shared,
    /**
     * JSON Schema 2020-12, as OpenAPI 3.1 uses it. What JSON cannot express (our own checks) is left out. A shape that
     * differs between input and output has a separate name for the input.
     */
    schemaOf(schema: Schema, io: 'input' | 'output'): Json {
      const { properties, $defs = {} } = definitions(schema, io);
      const outgoing = io === 'input' ? (definitions(schema, 'output').$defs ?? {}) : $defs;
      const differs = (name: string) => JSON.stringify($defs[name]) !== JSON.stringify(outgoing[name]);
      const nameOf = (name: string) =>
        io === 'input' && !name.endsWith('Input') && Object.keys($defs).some(differs) ? `${name}Input` : name;
      const linked = (part: unknown): unknown => {
        if (Array.isArray(part)) return part.map(linked);
        if (typeof part !== 'object' || part === null) return part;
        return Object.fromEntries(
          Object.entries(part).map(([key, value]) => [
            key,
            key === '$ref' ? `${REF}${nameOf(String(value).split('/').at(-1)!)}` : linked(value),
          ]),
        );
      };
      for (const [name, definition] of Object.entries($defs)) shared[nameOf(name)] = linked(definition) as Json;
      return linked(properties.root) as Json;
    },
    /** The fields of an object's schema, written out if it is shared. */
    fieldsOf(schema: Schema): { properties?: Json; required?: string[] } {
      const root = definitions(schema, 'input');
      const { $ref } = root.properties.root;
      return $ref === undefined ? root.properties.root : root.$defs![String($ref).split('/').at(-1)!]!;
    },
  };
}

type Shapes = ReturnType<typeof createShapes>;

function parameters({ fieldsOf }: Shapes, schema: Schema | null, place: 'path' | 'query'): Json[] {
  if (schema === null) return [];
  const { properties = {}, required = [] } = fieldsOf(schema);
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: shape,
  }));
}

const headersOf = ({ headers }: Endpoint): Json[] =>
  Object.entries(headers).map(([name, { required, description }]) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  }));

function requestBodyOf({ schemaOf, fieldsOf }: Shapes, { body, upload }: Endpoint): Json | null {
  if (upload !== null) {
    const { properties = {}, required = [] } = body === null ? {} : fieldsOf(body);
    const { field = 'file', optional = false } = upload;
    const schema = {
      type: 'object',
      required: optional ? required : [...required, field],
      properties: {
        ...properties,
        [field]: { type: 'string', format: 'binary', description: `At most ${upload.maxBytes} bytes` },
      },
    };
    return { required: true, content: { 'multipart/form-data': { schema } } };
  }
  if (body === null) return null;
  return {
    required: !z.safeParse(body, undefined).success,
    content: { 'application/json': { schema: schemaOf(body, 'input') } },
  };
}

function successOf({ schemaOf }: Shapes, { bytes, reply }: Endpoint): Json {
  if (bytes !== null)
    return {
      200: {
        description: 'The bytes',
        content: Object.fromEntries(bytes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
      },
    };
  if (reply === null) return { 204: { description: 'Done' } };
  return { 200: { description: 'Done', content: { 'application/json': { schema: schemaOf(reply, 'output') } } } };
}

/** With `{}` a call without a token is allowed too. */
const SECURITY = { required: [{ bearer: [] }], optional: [{}, { bearer: [] }], ignored: [] } as const;
const tagOf = (path: string) => path.split('/')[2] ?? 'api';

function operation(shapes: Shapes, endpoint: Endpoint): Json {
  const { signIn, who } = accessRule(endpoint.access);
  const signInProblems: ProblemCode[] = signIn === 'required' ? ['not_signed_in', 'session_expired', 'forbidden'] : [];
  const headerProblems: ProblemCode[] = Object.values(endpoint.headers).some(({ required }) => required)
    ? ['forbidden']
    : [];
  const general: ProblemCode[] = [
    'invalid_input',
    ...signInProblems,
    ...headerProblems,
    'too_many_requests',
    'unknown_fault',
    'unavailable',
  ];
  const problems = Map.groupBy([...new Set([...endpoint.problems, ...general])], (code) => PROBLEMS[code].status);
  const requestBody = requestBodyOf(shapes, endpoint);
  return {
    operationId: CALL_NAMES.get(endpoint) ?? endpoint.path.replaceAll(/\W/g, '_'),
    summary: endpoint.summary,
    description: `Who may call: ${who}.`,
    'x-access': who,
    tags: [tagOf(endpoint.path)],
    security: SECURITY[signIn],
    parameters: [
      ...parameters(shapes, endpoint.params, 'path'),
      ...parameters(shapes, endpoint.query, 'query'),
      ...headersOf(endpoint),
    ],
    ...(requestBody === null ? {} : { requestBody }),
    responses: {
      ...successOf(shapes, endpoint),
      ...Object.fromEntries(
        [...problems].map(([status, codes]) => [
          status,
          {
            description: codes.join(', '),
            content: { 'application/problem+json': { schema: { $ref: `${REF}Problem` } } },
          },
        ]),
      ),
    },
  };
}

/** Makes the document. Takes the calls, and their public address. */
function openApiDocument(calls: readonly Endpoint[], publicUrl: string): Json {
  const shapes = createShapes();
  const paths: Record<string, Json> = {};
  for (const endpoint of calls.toSorted((a, b) => a.path.localeCompare(b.path)))
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(shapes, endpoint);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fieldroom',
      version: '1',
      description:
        'Every call there is, who may make it, and what it answers. Refusals are problem details (RFC 9457) with a stable code.',
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(calls.map(({ path }) => tagOf(path)))].toSorted().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...Object.fromEntries(Object.entries(shapes.shared).toSorted(([a], [b]) => a.localeCompare(b))),
        Problem: {
          type: 'object',
          required: ['type', 'title', 'status', 'code'],
          properties: {
            type: { type: 'string' },
            title: { type: 'string' },
            status: { type: 'integer' },
            code: { type: 'string', enum: Object.keys(PROBLEMS) },
            detail: { type: 'string' },
            fields: {
              type: 'array',
              items: {
                type: 'object',
                required: ['path', 'code'],
                properties: { path: { type: 'string' }, code: { type: 'string' } },
              },
            },
            retryAfterSeconds: { type: 'number' },
            reference: { type: 'string' },
          },
        },
      },
    },
  };
}

const STYLE = `
details{background:#fff;border:1px solid #e4e1d8;border-radius:8px;padding:.5rem 1rem;margin:0 0 .5rem}
summary{cursor:pointer}
code,pre{font:14px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
pre{white-space:pre-wrap}
`;

function pageOf(document: Json): { html: string; policy: string } {
  const items = Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary, 'x-access': access, ...rest }]) =>
        `<details><summary><code>${method.toUpperCase()} ${escapeHtml(path)}</code><br>${escapeHtml(String(summary))}</summary><p>Who may call: ${escapeHtml(String(access))}</p><pre>${escapeHtml(JSON.stringify({ parameters: rest.parameters, requestBody: rest.requestBody, responses: rest.responses }, null, 2))}</pre></details>`,
    ),
  );
  return createPage({
    title: 'Fieldroom: calls',
    style: STYLE,
    body: `<h1>Fieldroom: calls</h1><p>${items.length} calls, also as <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>${items.join('')}`,
  });
}

/** Mounts `/api/openapi.json` and `/api/docs`. Made at the first request, when all calls are mounted. */
export function mountOpenApi(http: HttpServer, publicUrl: string): void {
  let document: Json | undefined;
  let page: { html: string; policy: string } | undefined;
  const made = () => (document ??= openApiDocument(http.mounted, publicUrl));
  http.fastify.get('/api/openapi.json', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(made()),
  );
  http.fastify.get(API_DOCS_PAGE, async (_request, reply) => {
    page ??= pageOf(made());
    return reply
      .header('content-security-policy', page.policy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page.html);
  });
}
