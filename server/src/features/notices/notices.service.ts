/** Notices: written together with their events, read and marked by their therapist. The numbered rules are in
 * README.md. */
import type { findNotices, Notice, NoticesState } from '@fieldroom/contract/notices';
import type { QueryOf, ReplyOf } from '@fieldroom/contract/http';
import { Problem } from '../../platform/problem.ts';
import { ownDestination } from '@fieldroom/contract/realtime';
import { type AfterCommit, transactionThen } from '../../platform/db/after-commit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { billNumber } from '../billing/index.ts';
import type { Publish } from '../room/index.ts';
import * as store from './notices.store.ts';

export interface Notices {
  /** Writes notices, at most one for each therapist, in the transaction of their event. */
  write(tx: Tx, rows: readonly store.NewNotice[], afterCommit: AfterCommit): Promise<void>;
  /**
   * Writes that somebody arrived, or adds them to an unread notice of an arrival. Somebody who arrives `again` is in
   * that one already (rule 4).
   */
  writeArrival(
    tx: Tx,
    arrival: { therapistId: number; clientId: number; again: boolean },
    afterCommit: AfterCommit,
  ): Promise<void>;
  find(therapistId: number, query: QueryOf<typeof findNotices>): Promise<ReplyOf<typeof findNotices>>;
  /** Marks one as read. Problem: `not_found`. */
  read(therapistId: number, noticeId: number): Promise<NoticesState>;
  /** Marks all up to a revision as read. */
  readAll(therapistId: number, upTo: number): Promise<NoticesState>;
}

/** Makes the notices. Takes the database, and a function that sends to browsers. */
export function createNoticesService({ db, publish }: { db: Db; publish: Publish }): Notices {
  /** Sends the state of the list after a change to all pages of a therapist, and returns it. */
  async function announce(tx: Tx, therapistId: number, afterCommit: AfterCommit): Promise<NoticesState> {
    const contents = await store.readState(tx, therapistId);
    afterCommit(() => publish(ownDestination(therapistId), { eventType: 'NOTICES', contents }, { lane: 'stored' }));
    return contents;
  }

  const write: Notices['write'] = async (tx, rows, afterCommit) => {
    const therapistIds = rows.map(({ therapistId }) => therapistId);
    const revisions = await store.raiseRevisions(tx, therapistIds);
    await store.insertNotices(tx, rows, revisions);
    for (const therapistId of therapistIds) await announce(tx, therapistId, afterCommit);
  };

  function mark(therapistId: number, which: Parameters<typeof store.markRead>[2]): Promise<NoticesState> {
    return transactionThen(db, async (tx, afterCommit) => {
      await store.lockList(tx, therapistId);
      const marked = await store.markRead(tx, therapistId, which);
      if (marked === null) throw new Problem('not_found');
      if (marked === 0) return store.readState(tx, therapistId);
      await store.raiseRevisions(tx, [therapistId]);
      return announce(tx, therapistId, afterCommit);
    });
  }

  return {
    write,

    async writeArrival(tx, { therapistId, clientId, again }, afterCommit) {
      await store.lockList(tx, therapistId);
      const open = await store.findOpenArrival(tx, therapistId);
      if (open === null) return write(tx, [{ therapistId, kind: 'arrival', clientId }], afterCommit);
      if (again) return;
      const revisions = await store.raiseRevisions(tx, [therapistId]);
      await store.joinArrival(tx, open, revisions.get(therapistId)!);
      await announce(tx, therapistId, afterCommit);
    },

    async find(therapistId, { before, size }) {
      // The state first: a notice that arrives in between is in the list, and its message makes the browser ask again.
      const state = await store.readState(db, therapistId);
      const rows = await store.findNotices(db, therapistId, { before, most: size + 1 });
      return { ...state, content: rows.slice(0, size).map(toNotice), more: rows.length > size };
    },

    read: (therapistId, noticeId) => mark(therapistId, { noticeId }),
    readAll: (therapistId, upTo) => mark(therapistId, { upTo }),
  };
}

function toNotice({ notice: row, booking, event, client, bill }: store.NoticeRow): Notice {
  const common = { id: row.id, revision: row.revision, at: row.at.toISOString(), read: row.readAt !== null };
  switch (row.kind) {
    case 'booked':
    case 'cancelled': {
      const { id, name, startsAt, timeZone } = event!;
      return {
        ...common,
        kind: row.kind,
        // Empty once the booking's personal data was erased.
        person: booking!.firstName === '' ? null : booking,
        event: { id, name, startsOn: startsAt.toISOString(), timeZone },
      };
    }
    case 'arrival':
      return { ...common, kind: row.kind, name: client?.name ?? null, others: row.others };
    case 'bill':
      return { ...common, kind: row.kind, billId: bill!.id, number: billNumber(bill!), month: bill!.month.slice(0, 7) };
  }
}
