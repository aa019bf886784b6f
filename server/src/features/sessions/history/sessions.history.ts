/**
 * The therapist's past and running live sessions: pages, details, and an email about one. Rules: docs/product.md#6.3.
 */
import type { PageQuery } from '@fieldroom/contract/lists';
import { dateFormat } from '../../../platform/formats.ts';
import { Problem } from '../../../platform/problem.ts';
import type { LiveSession, LiveSessionDetails } from '@fieldroom/contract/sessions';
import { type Language, normalizeEmail } from '@fieldroom/contract/text';
import { HISTORY_PAGE } from '@fieldroom/contract/pages';
import { composeEmail } from '../../../emails/emails.ts';
import type { Config } from '../../../platform/config.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Limits } from '../../../platform/limits.ts';
import { actEmailsTo, mailboxOf } from '../../../platform/mail/mailbox.ts';
import type { Outbox } from '../../../platform/mail/outbox.ts';
import { patternOf } from '../../../platform/db/search-text.ts';
import * as store from './sessions.history.store.ts';
import { WORDS } from './sessions.emails.words.ts';

export interface SessionHistoryParts {
  db: Db;
  outbox: Pick<Outbox, 'put'>;
  limits: Pick<Limits, 'counter' | 'takeTogether'>;
  config: Pick<Config, 'limits' | 'publicUrl'>;
}

/** A therapist's own address gets this many times as many emails as another one. */
const OWN_TIMES = 20;

/** The filter of the contract, unchanged. */
interface Filter {
  id?: number | null | undefined;
  startDate?: string | null | undefined;
  endDate?: string | null | undefined;
  keyword?: string | null | undefined;
}

const toLiveSession = (row: store.ListedSession): LiveSession => ({
  id: row.id,
  startedOn: row.startedAt.toISOString(),
  endedOn: row.endedAt?.toISOString() ?? null,
  endReason: row.endReason,
  countedSeconds: row.countedSeconds,
  clients: row.clients,
});

export type History = ReturnType<typeof createHistory>;

/** Makes the list of live sessions. Takes database, outbox, limits and settings. */
export function createHistory({ db, outbox, limits, config }: SessionHistoryParts) {
  async function pageOf(therapistId: number, filter: Filter | undefined, { page, size }: PageQuery) {
    const wanted: store.SessionsWanted = {
      therapistId,
      id: filter?.id ?? null,
      startDate: filter?.startDate ?? null,
      endDate: filter?.endDate ?? null,
      pattern: patternOf(filter?.keyword),
    };
    const content = await store.readSessions(db, wanted, { limit: size, offset: page * size });
    return { content: content.map(toLiveSession), page, size, totalElements: await store.countSessions(db, wanted) };
  }

  return {
    find: pageOf,

    async findDetails(therapistId: number, filter: Filter | undefined, query: PageQuery) {
      const found = await pageOf(therapistId, filter, query);
      const parts = await store.readParts(
        db,
        found.content.map(({ id }) => id),
      );
      const content: LiveSessionDetails[] = found.content.map((one) => ({
        ...one,
        attendance: parts.get(one.id)?.attendance ?? [],
        field: parts.get(one.id)?.field ?? null,
      }));
      return { ...found, content };
    },

    /**
     * Sends an email about one live session, to the therapist's own address or to another. Problems: `not_found`,
     * `too_many_requests`.
     */
    async sendEmail(therapistId: number, { id, email }: { id: number; email?: string | null | undefined }) {
      const wanted = { therapistId, id, startDate: null, endDate: null, pattern: null };
      const [found] = await store.readSessions(db, wanted, { limit: 1, offset: 0 });
      if (found === undefined) throw new Problem('not_found');
      const therapist = await store.findTherapist(db, therapistId);
      const to = email ?? therapist.email;
      const isOwn = normalizeEmail(to) === normalizeEmail(therapist.email);
      const { sessionEmails, formEmails, addressEmails } = config.limits;
      const mailbox = mailboxOf(to);
      const counters = await Promise.all(
        isOwn
          ? [
              limits.counter(`own session emails ${therapistId}`, {
                ...sessionEmails,
                max: sessionEmails.max * OWN_TIMES,
              }),
            ]
          : [
              limits.counter(`session emails ${therapistId}`, sessionEmails),
              limits.counter(`session emails to ${mailbox}`, formEmails),
              limits.counter(actEmailsTo(mailbox), addressEmails),
            ],
      );
      const language = therapist.language as Language;
      const words = WORDS[language];
      const date = dateFormat(language, {
        dateStyle: 'full',
        timeStyle: 'short',
        timeZone: therapist.timeZone,
      });
      const minutes = Math.floor(found.countedSeconds / 60);
      const composed = composeEmail({
        kind: 'sessions.summary',
        language,
        words: words.summary,
        facts: [
          {
            rows: [
              { label: words.started, lines: [date.format(found.startedAt)] },
              { label: words.ended, lines: [found.endedAt === null ? words.running : date.format(found.endedAt)] },
              { label: words.counted, lines: [words.duration(Math.floor(minutes / 60), minutes % 60)] },
            ],
          },
        ],
        url: `${config.publicUrl}${HISTORY_PAGE}?session=${id}`,
      });
      await db.transaction(async (tx) => {
        await limits.takeTogether(tx, counters);
        await outbox.put(tx, { ...composed, to });
      });
    },
  };
}
