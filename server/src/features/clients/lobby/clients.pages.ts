/** Writes into the document of the join page the therapist to whom it leads, so that its form is drawn before its
 * script has loaded. */
import { joinLink, type JoinPageData } from '@fieldroom/contract/clients';
import { CODE_PAGE, JOIN_PAGE } from '@fieldroom/contract/pages';
import { Problem } from '../../../platform/problem.ts';
import type { Http } from '../../../access.ts';
import { languageOf } from '../../../pages/pages.language.ts';
import type { Filling, Web } from '../../../pages/pages.ts';
import type { Clients } from '../clients.types.ts';

type Links = Pick<Clients, 'lookAtJoinLink'>;

/**
 * The data of a join link's page; null if the page's script has to ask and show what is wrong. A wrong link counts as a
 * wrong try.
 */
async function dataOf(clients: Links, link: string, ip: string): Promise<JoinPageData | null> {
  const { success, data } = joinLink.safeParse(link);
  if (!success) return { kind: 'unknown' };
  try {
    return { kind: 'form', host: await clients.lookAtJoinLink(data, ip) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.code === 'join_link_unknown' ? { kind: 'unknown' } : null;
  }
}

/** Mounts the pages for entering: by a join link, and with a code (docs/product.md#11.68). */
export function clientsPages(http: Http, web: Web, clients: Links): void {
  const page = (url: string, read: (link: string, ip: string) => Promise<JoinPageData | null>) =>
    http.fastify.route<{ Params: { joinLink?: string } }>({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) =>
        web.fill(request, reply, async (): Promise<Filling> => ({
          status: 200,
          language: languageOf(request.headers['accept-language']),
          head: null,
          data: await read(request.params.joinLink ?? '', request.ip),
        })),
    });
  page(`${JOIN_PAGE}/:joinLink`, (link, ip) => dataOf(clients, link, ip));
  page(CODE_PAGE, async () => ({ kind: 'form', host: null }));
}
