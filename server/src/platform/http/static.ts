/**
 * The built web: its files, compressed beforehand, and its three pages. The light page of the door answers where clients
 * enter, the public one at events and behind letters, the app at every other address that a person may open.
 */
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { pagePolicy } from './headers.ts';
import type { Http } from './http.ts';

export const WEB = fileURLToPath(new URL('../../../../web/dist', import.meta.url));

/** Where clients enter: join.html, a page without the UI kit. `web/vite.config.ts` maps the same paths in development. */
const DOOR = /^\/user\/(?:join|code|waiting|bye)(?:\/|$)/;
/** Headers that tell a browser what a document may do. */
const DOCUMENT_HEADERS = [
  'content-security-policy',
  'permissions-policy',
  'x-frame-options',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-permitted-cross-domain-policies',
  'referrer-policy',
  'x-request-id',
];
/** Never a page, whatever the browser says it accepts. */
const NO_PAGE = /^\/(?:api|logger_api|dev|socket|video|assets|healthz|readyz|metrics)(?:\/|$)/;
/** What search engines may list: the front page and public events. Rooms, doors and the app stay out (PRODUCT 11). */
const LISTED = /^\/(?:$|event(?:\/(?!(?:confirm|booking)(?:\/|$))|$))/;
/** The public document: a therapist's events, one event, and the pages behind letters. */
const PUBLIC = /^\/event\/[^/]+(?:\/[^/]+)?\/?$/;
/** Where the server writes into the public document. */
const HEAD_MARK = '<!--fieldroom:head-->';
const PAGE_MARK = '<!--fieldroom:page-->';
const DATA_MARK = '<!--fieldroom:data-->';
/** Squeezing less saves less than it costs. */
const WORTH_SQUEEZING_BYTES = 1400;

/** What the server writes into the public document. */
export interface Filling {
  readonly status: 200 | 404;
  readonly language: string;
  /** Markup for the head, title included; the caller escapes what comes from people. */
  readonly head: string;
  /** What the page draws itself from; it stands in the document as JSON under the id `page-data`. */
  readonly data: unknown;
}

export interface Web {
  /** Answers with the public document, or what is said where there is no page. In: what is to stand in it, asked for only when a page is wanted. */
  fill(request: FastifyRequest, reply: FastifyReply, filling: () => Promise<Filling>): Promise<FastifyReply>;
}

/** Mounts files, pages and robots.txt. In: the folder of the built web. Where it is missing, pages say so. */
export async function mountWeb(http: Http, config: Pick<Config, 'publicUrl'>, folder = WEB): Promise<Web> {
  const policy = pagePolicy(config);
  const built = existsSync(path.join(folder, 'index.html'));
  const orApp = (name: string) => (existsSync(path.join(folder, name)) ? name : 'index.html');
  const door = orApp('join.html');
  const publicPage = orApp('event.html');
  const drawing = createDrawing(folder, http.log);

  http.fastify.get('/robots.txt', async (_request, reply) =>
    // The doors are not shut out here: a search engine has to read their noindex. Pictures of public events are for everybody.
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send('User-agent: *\nAllow: /api/event/image/\nDisallow: /api/\nDisallow: /dev/\n'),
  );

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
          if (/\.(?:js|css|woff2)(?:\.(?:br|gz))?$/.test(file))
            for (const name of DOCUMENT_HEADERS) reply.removeHeader(name);
        } else reply.header('cache-control', 'no-cache');
      },
    });
  }

  const page = (request: FastifyRequest, reply: FastifyReply): FastifyReply | null => {
    const at = pathOf(request);
    if (!isPage(request, at)) return null;
    reply.header('content-security-policy', policy);
    if (!LISTED.test(at)) reply.header('x-robots-tag', 'noindex');
    if (!built)
      return reply
        .code(503)
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send('The web has not been built. Run "npm run build" (npm start does it) and start again.\n');
    return reply.code(200).sendFile(DOOR.test(at) ? door : PUBLIC.test(at) ? publicPage : 'index.html');
  };
  http.fallback(page);
  // Else the front page would be taken for the folder itself.
  http.fastify.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: (request, reply) => page(request, reply) ?? reply.callNotFound(),
  });

  return {
    async fill(request, reply, filling) {
      const at = pathOf(request);
      if (!built || !isPage(request, at)) {
        reply.callNotFound();
        return reply;
      }
      const [{ status, language, head, data }, document] = await Promise.all([
        filling(),
        readFile(path.join(folder, publicPage), 'utf8'),
      ]);
      const drawn = await drawing(request, { language, data });
      if (status !== 200 || !LISTED.test(at)) reply.header('x-robots-tag', 'noindex');
      reply
        .code(status)
        .header('content-security-policy', policy)
        .header('cache-control', 'no-store')
        .header('vary', 'Accept-Encoding, Accept-Language')
        .type('text/html; charset=utf-8');
      const bytes = Buffer.from(written(document, { language, head, data, page: drawn }));
      const coding = bytes.length < WORTH_SQUEEZING_BYTES ? null : codingFor(request.headers['accept-encoding']);
      if (coding === null) return reply.send(bytes);
      return reply.header('content-encoding', coding).send(await SQUEEZE[coding](bytes));
    },
  };
}

/** What the built web brings to draw a public page with, before its script has come (web's first-sight.tsx). In: the path, and what is written into the document. Out: markup. */
type Draw = (path: string, language: string, data: unknown) => string;

/** In: the folder of the built web. Out: how a page is drawn by it; to nothing where the web brings no drawing or where it fails, as the page's script draws too. */
function createDrawing(
  folder: string,
  log: Log,
): (request: FastifyRequest, page: Pick<Filling, 'language' | 'data'>) => Promise<string> {
  const file = path.join(folder, '.server', 'first-sight.mjs');
  let known: { at: number; draw: Promise<Draw> } | null = null;
  return async (request, { language, data }) => {
    const found = await stat(file).catch(() => null);
    if (!found) return '';
    // A web that was built anew is another program; by its old name the old one would come.
    if (known?.at !== found.mtimeMs)
      known = {
        at: found.mtimeMs,
        draw: import(`${pathToFileURL(file).href}?${found.mtimeMs}`).then(({ draw }: { draw: Draw }) => draw),
      };
    try {
      return (await known.draw)(pathOf(request), language, data);
    } catch (error) {
      log.error({ err: error, requestId: request.id }, 'a public page could not be drawn');
      return '';
    }
  };
}

/** The document with its marks filled; its own title and description give way to what is said in the head. */
function written(document: string, { language, head, data, page }: Omit<Filling, 'status'> & { page: string }): string {
  const bare = document
    .replace(/<html lang="[^"]*"/, `<html lang="${language}"`)
    .replace(/\s*<title>[^<]*<\/title>|\s*<meta name="description"[^>]*>/g, '');
  return bare
    .replace(HEAD_MARK, () => head)
    .replace(PAGE_MARK, () => page)
    .replace(DATA_MARK, () => `<script type="application/json" id="page-data">${scriptJson(data)}</script>`);
}

/** JSON that can't end the script element around it, begin a comment there, or break a line of a script. */
export const scriptJson = (data: unknown): string =>
  JSON.stringify(data).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const SQUEEZE = {
  br: (bytes: Buffer) =>
    promisify(zlib.brotliCompress)(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes: Buffer) => promisify(zlib.gzip)(bytes),
};

/** In: Accept-Encoding. Out: the coding we would use, null for none. */
function codingFor(accepted: string | string[] | undefined): keyof typeof SQUEEZE | null {
  const wanted = String(accepted ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase());
  const takes = (coding: string) =>
    wanted.some((part) => part.split(';')[0]!.trim() === coding && !/;\s*q=0(?:\.0+)?$/.test(part));
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null;
}

const isFile = (name: string) => !/\.(?:html|br|gz|map)$/.test(name) && name !== '/robots.txt';

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0]!;

function isPage(request: FastifyRequest, at: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (NO_PAGE.test(at) || at.slice(at.lastIndexOf('/')).includes('.')) return false;
  const { accept = '*/*' } = request.headers;
  return /\btext\/html\b|\*\/\*/.test(accept);
}
