/**
 * The built web: its files, compressed beforehand, robots.txt, and the document that answers each path that a person
 * may open. `contract/src/pages.ts` says which one.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pageAt, type PageDocument, SIGN_IN_PAGE } from '@fieldroom/contract/pages';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Blobs } from '../platform/blobs/blobs.ts';
import type { Config } from '../platform/config.ts';
import { isDatabaseUnavailable } from '../platform/db/db.ts';
import { sendCompressed } from '../platform/http/compression.ts';
import { pagePolicy } from '../platform/http/headers.ts';
import type { HttpServer } from '../platform/http/http.ts';
import { scriptJson } from '../platform/http/page.ts';
import { sparing } from '../platform/monitoring/log.ts';
import { createDrawing, pathOf } from './pages.drawing.ts';
import { DAY_MS, keepAssets } from './pages.kept.ts';
import { languageOf } from './pages.language.ts';
import { createSharedAssets, LOOK_EVERY_SECONDS } from './pages.shared.ts';

const WEB = fileURLToPath(new URL('../../../web/dist', import.meta.url));

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
/** The files of the sign-in page, which the web's build draws for each language (docs/product.md#11.69). */
const drawnFile = (language: string) => `signIn.${language}.html`;
const isDrawn = (file: string) => file.startsWith('signIn.');
/** Where the server writes into the documents of light pages. */
const HEAD_MARK = '<!--fieldroom:head-->';
const PAGE_MARK = '<!--fieldroom:page-->';
const DATA_MARK = '<!--fieldroom:data-->';
/** What the server writes into the document of a light page. */
export interface Filling {
  readonly status: 200 | 404 | 503;
  readonly language: string;
  /** Markup for the head, including the title; the caller escapes what people typed. Null: the document's own stays. */
  readonly head: string | null;
  /**
   * What the page draws itself from; in the document it is JSON under the id `page-data`. Null: the page's script has
   * to ask for it, and draws alone.
   */
  readonly data: unknown;
}

/** The page has moved to this path. */
export interface Redirect {
  readonly redirect: string;
}

export interface Web {
  /**
   * Answers with the path's document, filled, with another address, or as if there were no page. Takes a function for
   * the contents, which is called only if a page is wanted. While the database does not answer, the document is bare.
   */
  fill(request: FastifyRequest, reply: FastifyReply, filling: () => Promise<Filling | Redirect>): Promise<FastifyReply>;
  /** Tells the other nodes that this one still has its scripts and styles. Call it every `keepEverySeconds`. */
  keepAssets(): Promise<void>;
  /** How often `keepAssets` is called. */
  readonly keepEverySeconds: number;
}

/** Which webs a server has. */
interface WebFolders {
  /** The built web; if it is missing, pages say so. */
  readonly folder?: string;
  /** The folder of scripts and styles of other versions; null for a service of one node. */
  readonly kept?: string | null;
  /** Where all nodes have them; null if they share that folder. */
  readonly shared?: Blobs | null;
}

/** Mounts files, pages and robots.txt. */
export async function mountWeb(
  http: HttpServer,
  config: Pick<Config, 'publicUrl'>,
  { folder = WEB, kept = null, shared = null }: WebFolders = {},
): Promise<Web> {
  const policy = pagePolicy(config);
  const built = existsSync(path.join(folder, 'index.html'));
  const orApp = (name: string) => (existsSync(path.join(folder, name)) ? name : 'index.html');
  const files: Record<PageDocument, string> = {
    app: 'index.html',
    room: orApp('room.html'),
    join: orApp('join.html'),
    event: orApp('event.html'),
  };
  const drawing = createDrawing(folder, http);
  const unavailable = sparing((fields, message) => http.log.warn(fields, message));
  const hasDrawn = existsSync(path.join(folder, drawnFile('en')));

  http.fastify.get('/robots.txt', async (_request, reply) =>
    // robots.txt does not exclude pages where clients enter: a search engine must read their noindex. Pictures of
    // public events are for everybody.
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send('User-agent: *\nAllow: /api/event/image/\nDisallow: /api/\nDisallow: /dev/\n'),
  );

  const sharedAssets =
    built && kept !== null && shared !== null ? createSharedAssets({ blobs: shared, web: folder, kept }) : null;
  const keep = async () => {
    if (sharedAssets !== null) await sharedAssets.keep();
    else if (built && kept !== null) await keepAssets(folder, kept);
  };
  await keep().catch((error: unknown) =>
    http.log.warn({ err: error }, 'the files of the web could not be kept for pages of other nodes'),
  );

  if (sharedAssets !== null) http.fastify.addHook('onRequest', async (request) => sharedAssets.bring(request.url));
  if (built) {
    const assets = [folder, ...(kept === null ? [] : [kept])].map((root) => path.join(root, 'assets') + path.sep);
    await http.fastify.register(fastifyStatic, {
      root: kept === null ? folder : [folder, kept],
      // Checked on the disk each time, so that a web that is built again under a running server is complete.
      wildcard: true,
      index: false,
      dotfiles: 'ignore',
      // Pages have their own addresses only, and nobody asks for the compressed forms by name. Names of requests begin
      // with a slash; the names below do not.
      allowedPath: (name, root) =>
        isFile(name) ? root !== kept || name.startsWith('/assets/') : !name.startsWith('/'),
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, file) => {
        reply.header('vary', isDrawn(path.basename(file)) ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding');
        if (assets.some((beginning) => file.startsWith(beginning))) {
          reply.header('cache-control', 'public, max-age=31536000, immutable');
          // A page loads dozens of these, and over a weak connection a kilobyte of headers for each is noticeable.
          // These headers concern documents; nosniff and the resource policy, which concern scripts, styles and fonts,
          // stay.
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
    const { document, listed } = pageAt(at);
    if (!listed) reply.header('x-robots-tag', 'noindex');
    if (!built)
      return reply
        .code(503)
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send('The web has not been built. Run "npm run build" (npm start does it) and start again.\n');
    const isDrawnPage = hasDrawn && at === SIGN_IN_PAGE;
    return reply
      .code(200)
      .sendFile(isDrawnPage ? drawnFile(languageOf(request.headers['accept-language'])) : files[document]);
  };
  http.fallback(page);
  // Without a separate route the front page would count as a folder.
  http.fastify.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: (request, reply) => page(request, reply) ?? reply.callNotFound(),
  });

  return {
    keepAssets: keep,
    keepEverySeconds: sharedAssets === null ? DAY_MS / 1000 : LOOK_EVERY_SECONDS,
    async fill(request, reply, filling) {
      const at = pathOf(request);
      if (!built || !isPage(request, at)) {
        reply.callNotFound();
        return reply;
      }
      const [filled, document] = await Promise.all([
        filling().catch((error: unknown): Filling => {
          if (!isDatabaseUnavailable(error)) throw error;
          unavailable({ err: error, ...http.idsOf(request) }, 'the database could not serve a page');
          // The page's script asks again, and says what is wrong in words (docs/product.md#12.30).
          return { status: 503, language: languageOf(request.headers['accept-language']), head: null, data: null };
        }),
        readFile(path.join(folder, files[pageAt(at).document]), 'utf8'),
      ]);
      // Found, not moved for good: its owner may take the old address back, and browsers would keep the way.
      if ('redirect' in filled) return reply.header('cache-control', 'no-store').redirect(filled.redirect, 302);
      const { status, language, head, data } = filled;
      const drawn = data === null ? '' : await drawing(request, { language, data });
      if (status === 404 || !pageAt(at).listed) reply.header('x-robots-tag', 'noindex');
      reply
        .code(status)
        .header('content-security-policy', policy)
        .header('cache-control', 'no-store')
        .header('vary', 'Accept-Encoding, Accept-Language')
        .type('text/html; charset=utf-8');
      return sendCompressed(request, reply, written(document, { language, head, data, page: drawn }));
    },
  };
}

/**
 * Returns the document with its marks filled. A head brings its own title and description, so the document's are
 * removed.
 */
function written(document: string, { language, head, data, page }: Omit<Filling, 'status'> & { page: string }): string {
  const spoken = document.replace(/<html lang="[^"]*"/, `<html lang="${language}"`);
  const bare = head === null ? spoken : spoken.replace(/<title>[^<]*<\/title>|<meta name="description"[^<>]*>/g, '');
  return bare
    .replace(HEAD_MARK, () => head ?? '')
    .replace(PAGE_MARK, () => page)
    .replace(DATA_MARK, () =>
      data === null ? '' : `<script type="application/json" id="page-data">${scriptJson(data)}</script>`,
    );
}

const isFile = (name: string) => !/\.(?:html|br|gz|map)$/.test(name) && name !== '/robots.txt';

function isPage(request: FastifyRequest, at: string): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (NO_PAGE.test(at) || at.slice(at.lastIndexOf('/')).includes('.')) return false;
  const { accept = '*/*' } = request.headers;
  return /\btext\/html\b|\*\/\*/.test(accept);
}
