/**
 * `/dev`: for people who work on Fieldroom itself (docs/product.md#2.8): sign in as anyone of the demo, read the
 * emails, move the clock. It exists only under `npm run dev` and answers only on this machine: loopback Host, no proxy
 * in between.
 */
import { Problem } from '../platform/problem.ts';
import { login } from '@fieldroom/contract/accounts';
import { DASHBOARD_PAGE, joinPage } from '@fieldroom/contract/pages';
import type { FastifyReply } from 'fastify';
import { DEMO_PEOPLE } from './demo.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { isFromThisMachine } from '../platform/monitoring/health.ts';
import type { HttpServer } from '../platform/http/http.ts';
import { createPage, escapeHtml, scriptJson } from '../platform/http/page.ts';

const UNIT_SECONDS = { minutes: 60, hours: 3600, days: 86_400 } as const;
const AMOUNT_MAX = 1000;
const FORM_BYTES = 1024;

const STYLE = `
section{margin:2rem 0}
form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:.75rem 0}
button,input,select{font:inherit;min-height:2.75rem;padding:0 .9rem;border-radius:10px;border:1px solid #8a8f94;background:transparent;color:inherit}
input{width:6rem}
time{font-variant-numeric:tabular-nums}
`;

/**
 * Stores the sign-in under the fixed storage keys (docs/product.md#3.10), as the web's own form does
 * (web/src/platform/storage.ts), and opens the app.
 */
const KEEP_SCRIPT = `'use strict';
const { token, user } = JSON.parse(document.getElementById('sign-in').textContent);
for (const key of ['client', 'secret_code']) localStorage.removeItem(key);
localStorage.setItem('token', token);
localStorage.setItem('user', JSON.stringify(user));
localStorage.setItem('therapist', JSON.stringify({ id: user.id, roles: user.roles, joinLink: user.joinLink }));
location.replace('${DASHBOARD_PAGE}');
`;

type Form = Readonly<Record<string, string>>;

/** Mounts the page; does nothing outside `npm run dev`. Takes HTTP, the clock, the settings. */
export async function mountDevPage(
  http: HttpServer,
  { clock, config }: { clock: Clock; config: Pick<Config, 'dev' | 'publicUrl'> },
): Promise<void> {
  if (!config.dev) return;
  const show = (reply: FastifyReply, page: Parameters<typeof createPage>[0]) => {
    const { html, policy } = createPage({ style: STYLE, ...page });
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html);
  };

  await http.fastify.register(async (scope) => {
    // Comes before a body is read or a form is checked: for anybody else there is nothing here.
    scope.addHook('onRequest', async (request, reply) => {
      if (!isFromThisMachine(request, config.publicUrl)) throw new Problem('not_found');
      // Without a referrer, browsers name no origin when they send a form, and the server would refuse it as one of a
      // foreign page.
      reply
        .header('cache-control', 'no-store')
        .header('x-robots-tag', 'noindex')
        .header('referrer-policy', 'same-origin');
    });
    // Only these pages read forms; everywhere else a body is JSON.
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(text as string))),
    );

    scope.get('/dev', async (_request, reply) => {
      const [now, { speed }] = [await clock.now(), await clock.describe()];
      const people = DEMO_PEOPLE.map(
        ({ name, what }, number) =>
          `<form method="post" action="/dev/sign-in"><input type="hidden" name="person" value="${number}"><button>Sign in as ${escapeHtml(name)}</button> ${escapeHtml(what)}</form>`,
      );
      const units = Object.keys(UNIT_SECONDS).map((unit) => `<option>${unit}</option>`);
      return show(reply, {
        title: 'Development',
        forms: true,
        body: `<main><h1>Development</h1>
<section><h2>People of the demo</h2>${people.join('')}<p><a href="${joinPage('anna')}">Enter Anna’s room as a client</a> (in another browser or a private window)</p></section>
<section><h2>Emails</h2><p><a href="/dev/mail">All emails</a></p></section>
<section><h2>Clock</h2><p>It is <time datetime="${now.toISOString()}">${now.toISOString().replace('T', ' ').slice(0, 19)}</time> UTC in the product, which runs ${speed} times as fast as real time. It only goes forward.</p>
<form method="post" action="/dev/clock"><label for="amount">Forward by</label><input id="amount" name="amount" type="number" min="1" max="${AMOUNT_MAX}" value="1" required><select name="unit" aria-label="Unit">${units.join('')}</select><button>Move the clock</button></form></section></main>`,
      });
    });

    scope.post('/dev/clock', async (request, reply) => {
      const { amount = '', unit = '' } = (request.body ?? {}) as Form;
      if (!/^[1-9]\d{0,3}$/.test(amount) || Number(amount) > AMOUNT_MAX)
        throw new Problem('invalid_input', { fields: [{ path: 'amount', code: 'invalid_value' }] });
      if (!Object.hasOwn(UNIT_SECONDS, unit))
        throw new Problem('invalid_input', { fields: [{ path: 'unit', code: 'invalid_value' }] });
      await clock.move(Number(amount) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS]);
      return reply.redirect('/dev', 303);
    });

    scope.post('/dev/sign-in', async (request, reply) => {
      const person = DEMO_PEOPLE[Number(((request.body ?? {}) as Form).person ?? NaN)];
      if (!person) throw new Problem('not_found');
      // Uses the same call as everybody, with the demo's known password.
      const answer = await scope.inject({
        method: login.method,
        url: login.path,
        remoteAddress: request.ip,
        payload: { email: person.email, password: person.password },
      });
      if (answer.statusCode !== 200)
        return reply.code(answer.statusCode).type('application/problem+json').send(answer.rawPayload);
      return show(reply, {
        title: 'Signing in',
        scripts: true,
        body: `<main><p>Signing in …</p></main><script type="application/json" id="sign-in">${scriptJson(answer.json())}</script><script src="/dev/keep-sign-in.js"></script>`,
      });
    });

    scope.get('/dev/keep-sign-in.js', async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(KEEP_SCRIPT),
    );
  });
}
