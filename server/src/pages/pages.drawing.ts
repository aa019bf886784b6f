/** Draws public pages on the server, with the program that the web's build makes. */
import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FastifyRequest } from 'fastify';
import type { HttpServer } from '../platform/http/http.ts';
import type { Filling } from './pages.ts';

/**
 * Draws a public page before its script has loaded. The web's build makes it. Takes the path, and the data in the
 * document. Returns markup.
 */
type Draw = (path: string, language: string, data: unknown) => string;

/**
 * Makes the function that draws a page. Takes the folder of the built web. It returns '' if the web has no drawing
 * program or drawing fails: the page's script draws too.
 */
export function createDrawing(
  folder: string,
  { log, idsOf }: Pick<HttpServer, 'log' | 'idsOf'>,
): (request: FastifyRequest, page: Pick<Filling, 'language' | 'data'>) => Promise<string> {
  const file = path.join(folder, '.server', 'drawOnServer.mjs');
  let known: { at: number; draw: Promise<Draw> } | null = null;
  return async (request, { language, data }) => {
    const found = await stat(file).catch(() => null);
    if (!found) return '';
    // A web that was built again is another program; its old name would import the old one.
    if (known?.at !== found.mtimeMs)
      known = {
        at: found.mtimeMs,
        draw: import(`${pathToFileURL(file).href}?${found.mtimeMs}`).then(({ draw }: { draw: Draw }) => draw),
      };
    try {
      return (await known.draw)(pathOf(request), language, data);
    } catch (error) {
      log.error({ err: error, ...idsOf(request) }, 'a public page could not be drawn');
      return '';
    }
  };
}

/** The path of a request without its query. */
export const pathOf = (request: FastifyRequest): string => request.url.split('?', 1)[0]!;
