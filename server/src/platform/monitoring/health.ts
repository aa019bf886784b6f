/** `/healthz` (alive, and not leaving), `/readyz` (the parts it needs answer) and `/metrics` (docs/product.md#2.6). */
import { timingSafeEqual } from 'node:crypto';
import { Problem } from '../problem.ts';
import type { FastifyRequest } from 'fastify';
import { isLoopback, type Config } from '../config.ts';
import { withoutWaits } from '../db/waits.ts';
import type { HttpServer } from '../http/http.ts';
import type { Metrics } from './metrics.ts';

/** How long one part may take to answer. */
const PATIENCE_MS = 1500;

export interface HealthParts {
  readonly http: HttpServer;
  readonly metrics: Metrics;
  readonly config: Pick<Config, 'metricsToken' | 'publicUrl'>;
  /** By name; each rejects when its part cannot be used. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** Whether people are being sent to other nodes, and the proxy should do so too. */
  readonly isLeaving?: () => boolean;
}

/** Mounts the three. They name the part that failed; the log of that part has the reason. */
export function mountHealth({ http, metrics, config, checks, isLeaving = () => false }: HealthParts): void {
  const quiet = { config: { rateLimit: false } };
  http.fastify.get('/healthz', quiet, async (_request, reply) =>
    reply
      .code(isLeaving() ? 503 : 200)
      .header('cache-control', 'no-store')
      .send({ status: isLeaving() ? 'leaving' : 'ok' }),
  );

  async function checkAll(): Promise<Record<string, 'ok' | 'failed'>> {
    return Object.fromEntries(
      await Promise.all(
        Object.entries(checks).map(async ([name, check]) => {
          let timer: NodeJS.Timeout | undefined;
          const late = new Promise<never>((_resolve, reject) => {
            timer = setTimeout(() => reject(new Error('late')), PATIENCE_MS);
          });
          const ok = await Promise.race([check(), late]).then(
            () => true,
            () => false,
          );
          clearTimeout(timer);
          return [name, ok ? 'ok' : 'failed'] as const;
        }),
      ),
    );
  }
  /**
   * One for all who ask at the same time: anybody may ask as often as they like, and it takes connections of the
   * database.
   */
  let checking: ReturnType<typeof checkAll> | null = null;
  http.fastify.get('/readyz', quiet, async (_request, reply) => {
    const parts = await (checking ??= withoutWaits(checkAll).finally(() => {
      checking = null;
    }));
    const ready = Object.values(parts).every((state) => state === 'ok');
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ok' : 'failed', parts });
  });

  http.fastify.get('/metrics', quiet, async (request, reply) => {
    if (!mayRead(request, config)) throw new Problem('not_found');
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text());
  });
}

function mayRead(request: FastifyRequest, { metricsToken: token, publicUrl }: HealthParts['config']): boolean {
  const shown = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token !== null && shown !== undefined) {
    const a = Buffer.from(shown);
    const b = Buffer.from(token);
    return a.length === b.length && timingSafeEqual(a, b);
  }
  return isFromThisMachine(request, publicUrl);
}

/**
 * Whether the request comes directly from this machine: loopback socket and Host, no proxy in between. A service with a
 * public address usually has a proxy on the same machine, and a plain one does not show itself. So there nobody counts
 * as local.
 */
export function isFromThisMachine(request: FastifyRequest, publicUrl: string): boolean {
  if (!isLoopback(new URL(publicUrl).hostname)) return false;
  const { headers, socket } = request.raw;
  const forwarded = Object.keys(headers).some(
    (name) => name === 'forwarded' || name === 'via' || name.startsWith('x-forwarded') || name === 'x-real-ip',
  );
  const host = URL.canParse(`http://${headers.host ?? ''}`) ? new URL(`http://${headers.host}`).hostname : '';
  return !forwarded && isLoopback(host) && isLoopback(socket.remoteAddress ?? '');
}
