/**
 * The built web: its files, compressed beforehand, and its two pages. The light page of the door answers where clients
 * enter; the app answers every other address that a person may open.
 */
import { existsSync } from 'node:fs';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { pagePolicy } from './headers.ts';
import type { Http } from './http.ts';

export const WEB = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

/** Where clients enter: join.html, a page without the UI kit. `web/vite.config.ts` maps the same paths in development. */
const DOOR = /^\/user\/(?:join|code|waiting|bye)(?:\/|$)/;
/** Headers that tell a browser what a document may do. */
const DOCUMENT_HEADERS = ['content-security-policy', 'permissions-policy', 'x-frame-options', 'cross-origin-opener-policy', 'origin-agent-cluster', 'x-dns-prefetch-control', 'x-permitted-cross-domain-policies', 'referrer-policy', 'x-request-id'];
/** Never a page, whatever the browser says it accepts. */
const NO_PAGE = /^\/(?:api|logger_api|dev|socket|video|assets|healthz|readyz|metrics)(?:\/|$)/;
/** What search engines may list: the front page and public events. Rooms, doors and the app stay out (PRODUCT 11). */
const LISTED = /^\/(?:$|event(?:\/(?!confirm|booking)|$))/;

/** Mounts files, pages and robots.txt. In: the folder of the built web. Where it is missing, pages say so. */
export async function mountWeb(http: Http, config: Pick<Config, 'publicUrl'>, folder = WEB): Promise<void> {
  const policy = pagePolicy(config);
  const built = existsSync(path.join(folder, 'index.html'));
  const door = existsSync(path.join(folder, 'join.html')) ? 'join.html' : 'index.html';

  http.fastify.get('/robots.txt', async (_request, reply) =>
    // The doors are not shut out here: a search engine has to read their noindex.
    reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /api/\nDisallow: /dev/\n'));

  if (built) {
    await http.fastify.register(fastifyStatic, {
      root: folder,
      // Asked on the disk each time, so that a web built anew under a running server is whole.
      wildcard: true,
      index: false,
      dotfiles: 'ignore',
      // Pages go out by their own addresses alone, and nobody asks for the compressed forms by name.
      // Names of requests begin with a slash; ours below do not.
      allowedPath: (name) => isFile(name) || !name.startsWith('/'),
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, file) => {
        reply.header('vary', 'Accept-Encoding');
        if (file.startsWith(path.join(folder, 'assets') + path.sep)) {
          reply.header('cache-control', 'public, max-age=31536000, immutable');
          // A page loads dozens of these, and over a weak line a kilobyte of headers each is felt. What they say concerns
          // documents; nosniff and the resource policy, which concern scripts, styles and fonts, stay.
          if (/\.(?:js|css|woff2)(?:\.(?:br|gz))?$/.test(file)) for (const name of DOCUMENT_HEADERS) reply.removeHeader(name);
        } else reply.header('cache-control', 'no-cache');
      },
    });
  }

  const page = (request: FastifyRequest, reply: FastifyReply): FastifyReply | null => {
    const at = pathOf(request);
    if (!isPage(request, at)) return null;
    reply.header('content-security-policy', policy);
    if (!LISTED.test(at)) reply.header('x-robots-tag', 'noindex');
    if (!built) return reply.code(503).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('The web has not been built. Run "npm run build" (npm start does it) and start again.\n');
    return reply.code(200).sendFile(DOOR.test(at) ? door : 'index.html');
  };
  http.fallback(page);
  // Else the front page would be taken for the folder itself.
  http.fastify.route({ method: ['GET', 'HEAD'], url: '/', handler: (request, reply) => page(request, reply) ?? reply.callNotFound() });
}

const isFile = (name: string) => !/\.(?:html|br|gz|map)$/.test(name) && name !== '/robots.txt';

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0]!;

function isPage(request: FastifyRequest, at: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (NO_PAGE.test(at) || at.slice(at.lastIndexOf('/')).includes('.')) return false;
  const { accept = '*/*' } = request.headers;
  return /\btext\/html\b|\*\/\*/.test(accept);
}

