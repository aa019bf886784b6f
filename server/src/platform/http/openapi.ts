/** The calls as an OpenAPI 3.1 document, made from the contract that is mounted, and a page that shows it. */
import type { Endpoint } from '@fieldroom/contract/http';
import { PROBLEMS } from '@fieldroom/contract/problems';
import type { ProblemCode } from '@fieldroom/contract/problems';
import { z } from 'zod';
import type { Http } from './http.ts';
import { createPage, escapeHtml } from './page.ts';

type Json = Record<string, unknown>;

/** JSON Schema 2020-12, which is what OpenAPI 3.1 speaks. What JSON can't say (own checks) is left out. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}

const OPEN_ACCESS = ['anyone', 'token', 'self in full; anyone the public part (name, picture)'];

function parameters(schema: z.ZodType | null, place: 'path' | 'query'): Json[] {
  if (schema === null) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Json; required?: string[] };
  return Object.entries(properties).map(([name, shape]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: shape,
  }));
}

function operation(endpoint: Endpoint): Json {
  const general: ProblemCode[] = [
    'invalid_input',
    ...(OPEN_ACCESS.includes(endpoint.access) ? [] : (['not_signed_in', 'session_expired', 'forbidden'] as const)),
    'too_many_requests',
    'unknown_fault',
  ];
  const problems = Map.groupBy([...new Set([...endpoint.problems, ...general])], (code) => PROBLEMS[code].status);
  const success: Json = endpoint.bytes
    ? {
        200: {
          description: 'The bytes',
          content: Object.fromEntries(
            endpoint.bytes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
          ),
        },
      }
    : endpoint.reply
      ? {
          200: { description: 'Done', content: { 'application/json': { schema: schemaOf(endpoint.reply, 'output') } } },
        }
      : { 204: { description: 'Done' } };
  return {
    summary: endpoint.summary,
    description: `Who may call: ${endpoint.access}.`,
    'x-access': endpoint.access,
    tags: [endpoint.path.split('/')[2] ?? 'api'],
    ...(OPEN_ACCESS.includes(endpoint.access) ? {} : { security: [{ bearer: [] }] }),
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...(endpoint.body
      ? {
          requestBody: {
            required: !endpoint.body.safeParse(undefined).success,
            content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
          },
        }
      : {}),
    responses: {
      ...success,
      ...Object.fromEntries(
        [...problems].map(([status, codes]) => [
          status,
          {
            description: codes.join(', '),
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        ]),
      ),
    },
  };
}

/** Makes the document. In: the calls, and the address they are at. */
export function openApiDocument(calls: readonly Endpoint[], publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of calls.toSorted((a, b) => a.path.localeCompare(b.path)))
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fieldroom',
      version: '1',
      description:
        'Every call there is, who may make it, and what it answers. Refusals are problem details (RFC 9457) with a stable code.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
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

/** Mounts `/api/openapi.json` and `/api/docs`. Made at the first question, when all calls are mounted. */
export function mountOpenApi(http: Http, publicUrl: string): void {
  let document: Json | undefined;
  let page: { html: string; policy: string } | undefined;
  const made = () => (document ??= openApiDocument(http.mounted, publicUrl));
  http.fastify.get('/api/openapi.json', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').send(made()),
  );
  http.fastify.get('/api/docs', async (_request, reply) => {
    page ??= pageOf(made());
    return reply
      .header('content-security-policy', page.policy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page.html);
  });
}
