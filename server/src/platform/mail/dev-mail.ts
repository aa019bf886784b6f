/**
 * `/dev/mail`: every email, for people who run the demo practice on their own machine (docs/product.md#2.7). It exists
 * only with DEMO=1 and answers only on this machine: loopback PUBLIC_URL and Host, no proxy in between.
 */
import { createHash } from 'node:crypto';
import { Problem } from '../problem.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { isFromThisMachine } from '../monitoring/health.ts';
import { createPage, escapeHtml } from '../http/page.ts';
import type { HttpServer } from '../http/http.ts';
import type { Email, Outbox } from './outbox.ts';

/** An email brings its own inline styles. It can only be read, and its links can be followed. */
const EMAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation";

const STYLE = `
ol{list-style:none;padding:0;margin:0}
li{background:#fff;border:1px solid #e4e1d8;border-radius:12px;padding:1rem 1.25rem;margin:0 0 1rem}
h2{font-size:1.1rem;margin:0 0 .25rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:.75rem 0}
`;

const linked = (text: string) =>
  escapeHtml(text).replace(/https?:\/\/[^\s<>"&]+(?:&amp;[^\s<>"&]+)*/g, (url) => `<a href="${url}">${url}</a>`);

/** Mounts the page, its JSON, the emails and their attachments; does nothing without DEMO. */
export function mountDevMail(http: HttpServer, outbox: Outbox, config: Pick<Config, 'demo' | 'publicUrl'>): void {
  if (!config.demo) return;
  const guarded =
    (
      answer: (
        request: FastifyRequest<{ Params: { id: string; number: string } }>,
        reply: FastifyReply,
      ) => Promise<FastifyReply>,
    ) =>
    async (request: FastifyRequest<{ Params: { id: string; number: string } }>, reply: FastifyReply) => {
      if (!isFromThisMachine(request, config.publicUrl)) throw new Problem('not_found');
      reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex');
      return answer(request, reply);
    };
  const found = async (id: string): Promise<Email> => {
    const email = await outbox.find(id);
    if (!email) throw new Problem('not_found');
    return email;
  };

  http.fastify.get(
    '/dev/mail.json',
    guarded(async (_request, reply) =>
      reply.send(
        (await outbox.list()).map(({ id, to, subject, text, html, attachments, createdAt }) => ({
          id,
          to,
          subject,
          text,
          html,
          attachments: attachments.map(({ filename, contentType }) => ({ filename, contentType })),
          createdAt: createdAt.toISOString(),
        })),
      ),
    ),
  );

  http.fastify.get(
    '/dev/mail',
    guarded(async (_request, reply) => {
      const emails = await outbox.list();
      const items = emails.map(
        ({
          id,
          to,
          subject,
          text,
          attachments,
          createdAt,
        }) => `<li><h2><a href="/dev/mail/${id}">${escapeHtml(subject)}</a></h2>
<div>${escapeHtml(to)} · <time datetime="${createdAt.toISOString()}">${createdAt.toISOString().replace('T', ' ').slice(0, 19)}</time></div>
<pre>${linked(text)}</pre>${attachments.map(({ filename }, number) => `<a href="/dev/mail/${id}/attachments/${number}">${escapeHtml(filename)}</a> `).join('')}</li>`,
      );
      const page = createPage({
        title: 'Emails',
        style: STYLE,
        body: `<h1>Emails</h1>${items.length === 0 ? '<p>No email was written yet.</p>' : `<ol>${items.join('')}</ol>`}`,
      });
      return reply.header('content-security-policy', page.policy).type('text/html; charset=utf-8').send(page.html);
    }),
  );

  http.fastify.get(
    '/dev/mail/:id',
    guarded(async (request, reply) =>
      reply
        .header('content-security-policy', EMAIL_POLICY)
        .type('text/html; charset=utf-8')
        .send((await found(request.params.id)).html),
    ),
  );

  http.fastify.get(
    '/dev/mail/:id/attachments/:number',
    guarded(async (request, reply) => {
      const attachment = (await found(request.params.id)).attachments[Number(request.params.number)];
      if (!attachment) throw new Problem('not_found');
      const bytes = await outbox.bytesOf(attachment);
      return reply
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(attachment.filename)}`)
        .header('etag', `"${createHash('sha256').update(bytes).digest('base64url')}"`)
        .type(attachment.contentType)
        .send(bytes);
    }),
  );
}
