/**
 * The contact form (`support/contact`, docs/product.md#9.16): a message to a therapist, or to the operator; and the
 * feedback of people who are signed in, to the operator. This module decides who gets it, never an address in the call,
 * so that the forms cannot be used as a relay. The message is plain text, and replies go to the address of the writer.
 */
import { contact } from '@fieldroom/contract/bookings';
import { THERAPIST_HEADER } from '@fieldroom/contract/http';
import { Problem } from '../../platform/problem.ts';
import type { Language } from '@fieldroom/contract/text';
import { sendFeedbackEmail } from '@fieldroom/contract/usage';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Feature } from '../../feature.ts';
import type { Limits } from '../../platform/limits.ts';
import { composeEmail } from '../../emails/emails.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import { unlinked } from '../../platform/mail/unlinked.ts';
import type { Events } from '../events/index.ts';
import { WORDS } from './support.emails.words.ts';

/** One mailbox may get this many times the limit of one sender, from all senders together. */
const SENDERS_A_RECIPIENT = 10;
/**
 * This many tries for each message that may be sent: failed tries do not count as messages, and a flood is refused
 * before any work is done for it.
 */
const TRIES_A_MESSAGE = 10;

interface Recipient {
  readonly email: string;
  readonly language: Language;
}

export interface SupportParts {
  db: Db;
  outbox: Pick<Outbox, 'put'>;
  limits: Pick<Limits, 'take' | 'counter' | 'takeTogether' | 'addressBlock'>;
  config: Pick<Config, 'limits' | 'mailFrom'>;
  events: Pick<Events, 'host'>;
  /** Address and name of an account. */
  contactOf: (accountId: number) => Promise<{ email: string; firstName: string; lastName: string } | null>;
}

export type Support = Required<Pick<Feature, 'routes'>>;

/**
 * Makes both forms. Takes the platform's parts, the events, which know the therapists that can get a message, and a
 * look-up of an account's owner.
 */
export function createSupport({ db, outbox, limits, config, events, contactOf }: SupportParts): Support {
  const operator: Recipient = { email: /<([^<>]+)>$/.exec(config.mailFrom)?.[1] ?? config.mailFrom, language: 'en' };

  /** The therapist in the header, if the names match; otherwise null. */
  async function therapistOf(
    header: string | string[],
    { firstName, lastName }: { firstName: string; lastName: string },
  ): Promise<Recipient | null> {
    const id = typeof header === 'string' && /^[1-9]\d{0,14}$/.test(header) ? Number(header) : null;
    const host = id === null ? null : await events.host(id);
    const isMeant =
      host !== null &&
      comparable(host.firstName) === comparable(firstName) &&
      comparable(host.lastName) === comparable(lastName);
    return isMeant ? host : null;
  }

  return {
    routes(http) {
      http.handle(contact, async ({ body, ip, request }) => {
        const { max, windowSeconds } = config.limits.contact;
        const block = limits.addressBlock(ip);
        await limits.take(`contact tries ${block}`, { max: max * TRIES_A_MESSAGE, windowSeconds });
        const sender = `contact ${block}`;
        const header = request.headers[THERAPIST_HEADER];
        const to = header === undefined ? operator : await therapistOf(header, body);
        if (to === null) {
          // Guesses count like messages. An unknown therapist gets the same answer as one with another name.
          await limits.take(sender, config.limits.contact);
          throw new Problem('therapist_mismatch');
        }
        const counters = await Promise.all([
          limits.counter(sender, config.limits.contact),
          limits.counter(`contact to ${to.email}`, { max: max * SENDERS_A_RECIPIENT, windowSeconds }),
        ]);
        const words = WORDS[to.language];
        const email = composeEmail({
          kind: 'support.contact',
          language: to.language,
          words: {
            subject: words.subject,
            before: [header === undefined ? words.toOperator : words.toTherapist],
            after: [words.answer],
          },
          quote: { label: words.message, text: unlinked(body.message) },
          facts: [{ rows: [{ label: words.from, lines: [body.email] }] }],
        });
        await db.transaction(async (tx) => {
          await limits.takeTogether(tx, counters);
          await outbox.put(tx, { ...email, to: to.email, replyTo: body.email });
        });
      });

      http.handle(sendFeedbackEmail, async ({ access, body, ip }) => {
        const { max, windowSeconds } = config.limits.contact;
        await limits.take(`feedback tries ${access.id}`, { max: max * TRIES_A_MESSAGE, windowSeconds });
        const counters = await Promise.all([
          limits.counter(`feedback ${limits.addressBlock(ip)}`, { max, windowSeconds }),
          limits.counter(`feedback account ${access.id}`, { max, windowSeconds }),
          limits.counter('feedback', { max: max * SENDERS_A_RECIPIENT, windowSeconds }),
        ]);
        // Address and name in the body are a claim; those of the account count.
        const writer = await contactOf(access.id);
        if (writer === null) throw new Problem('session_expired');
        const words = WORDS[operator.language];
        const name = unlinked(`${writer.firstName} ${writer.lastName}`.trim());
        const email = composeEmail({
          kind: 'support.feedback',
          language: operator.language,
          words: {
            subject: words.subjects[body.topic ?? 'feedback'],
            before: [words.feedback],
            after: [words.answerFeedback],
          },
          quote: { label: words.message, text: unlinked(body.text) },
          facts: [{ rows: [{ label: words.writer, lines: [name, writer.email] }] }],
        });
        await db.transaction(async (tx) => {
          await limits.takeTogether(tx, counters);
          await outbox.put(tx, { ...email, to: operator.email, replyTo: writer.email });
        });
      });
    },
  };
}

/** Makes names comparable: case and accents do not count. */
const comparable = (name: string) =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').replace(/\s+/gu, ' ').trim().toLowerCase();
