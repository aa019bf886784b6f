/** What the tests of the whole system share: two practices with people in every state, and all rows to compare. */
import { vi } from 'vitest';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { sql } from 'drizzle-orm';
import { getCaptcha } from '@fieldroom/contract/accounts';
import type { Figure } from '@fieldroom/contract/field';
import type { EventRow } from '../../../src/features/events/index.ts';
import type { Db } from '../../../src/platform/db/db.ts';
import { aTherapist, type BuiltAccount } from '../../../src/builders/accounts.builders.ts';
import { aBill } from '../../../src/builders/billing.builders.ts';
import { aClient, type BuiltClient, inRoom } from '../../../src/builders/clients.builders.ts';
import { aConstellation } from '../../../src/builders/constellations.builders.ts';
import { anEvent } from '../../../src/builders/events.builders.ts';
import { aFigure } from '../../../src/builders/field.builders.ts';
import { aMoment } from '../../../src/builders/moments.builders.ts';
import { aNotice } from '../../../src/builders/notices.builders.ts';
import type { TestApp } from '../test-app.ts';
import { openClientScreen, openTherapistScreen, type Screen } from './screen.ts';

/** Tables in which a refused call may leave a trace: counters, clocks, and the state of emails. */
const COUNTING = new Set([
  'limit_counters',
  'product_clock',
  'sign_in_delays',
  'spent_captchas',
  'outbox_emails',
  'usage_heartbeat',
]);

/**
 * Every row of the product as text, by table and in a fixed order, without the time at which a sign-in was last used.
 */
export async function everyRow(db: Db): Promise<Record<string, string[]>> {
  const tables = await db.execute<{ name: string }>(
    sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const all: Record<string, string[]> = {};
  for (const { name } of tables.rows) {
    if (COUNTING.has(name)) continue;
    const { rows } = await db.execute<{ row: string }>(
      sql`SELECT (to_jsonb(t) - 'last_used_at')::text AS row FROM ${sql.identifier(name)} t ORDER BY 1`,
    );
    all[name] = rows.map(({ row }) => row);
  }
  return all;
}

/**
 * How many stored acts of a room changed something. Each raises its revision by one, so an act that counts twice shows.
 */
export async function countActs(db: Db, therapistId: number): Promise<number> {
  const { rows } = await db.execute<{ changed: number }>(sql`
    SELECT count(*)::int AS changed FROM field_acts WHERE therapist_id = ${therapistId}
       AND (jsonb_array_length(trace->'figures') > 0 OR jsonb_array_length(trace->'roles') > 0 OR trace ? 'hands')`);
  return rows[0]!.changed;
}

export interface Practice {
  therapist: BuiltAccount;
  /** Has the role of `held`. */
  holder: BuiltClient;
  /** In the room without a role. */
  guest: BuiltClient;
  waiting: BuiltClient;
  held: Figure;
  free: Figure;
  /** Can be booked. */
  event: EventRow;
  /** An act of the therapist that can be undone. */
  therapistAct: string;
  /** A prepared constellation of the therapist. */
  constellationId: number;
  /** A bill of the therapist. */
  billId: number;
  /** An unread notice of the therapist. */
  noticeId: number;
  liveSessionId: number;
  /** A moment of the running live session. */
  momentId: number;
}

/** A practice in the middle of its work. */
export async function aPractice(t: TestApp): Promise<Practice> {
  const therapist = await aTherapist(t.db);
  const holder = await inRoom(t.app, therapist);
  const guest = await inRoom(t.app, therapist);
  const waiting = await aClient(t.app, therapist);
  const held = await aFigure(t.db, { therapistId: therapist.id, name: 'Held' });
  const free = await aFigure(t.db, { therapistId: therapist.id, name: 'Free', x: 100, y: 100 });
  const as = { as: 'therapist', therapistId: therapist.id, personId: therapist.id } as const;
  await t.app.field.act(as, crypto.randomUUID(), { kind: 'giveRole', clientId: holder.id, figureId: held.id });
  const therapistAct = crypto.randomUUID();
  await t.app.field.act(as, therapistAct, { kind: 'edit', figureId: free.id, name: 'Named' });
  const event = await anEvent(t.db, { therapistId: therapist.id });
  const { id: constellationId } = await aConstellation(t.db, { therapistId: therapist.id });
  const billId = await aBill(t.db, { therapistId: therapist.id });
  const noticeId = await aNotice(t.db, { therapistId: therapist.id, kind: 'bill', billId });
  const { id: liveSessionId } = (await t.app.sessions.running(therapist.id))!;
  const momentId = await aMoment(t.db, { liveSessionId });
  return {
    ...{ therapist, holder, guest, waiting, held, free, therapistAct, event, constellationId, billId, noticeId },
    ...{ liveSessionId, momentId },
  };
}

/** The connections of a practice: without them its seats would be freed after a minute. */
export async function linesOf(
  t: TestApp,
  { therapist, holder, guest, waiting }: Practice,
): Promise<{ screen: Screen; holder: Screen; guest: Screen; waiting: Screen }> {
  return {
    screen: await openTherapistScreen(t.url, therapist),
    holder: await openClientScreen(t.url, holder),
    guest: await openClientScreen(t.url, guest),
    waiting: await openClientScreen(t.url, waiting, { room: false }),
  };
}

/** A solved captcha, as the form sends it. */
export async function solvedCaptcha(t: Pick<TestApp, 'api'>): Promise<string> {
  const challenge = (await t.api(getCaptcha)) as unknown as Parameters<typeof solveChallenge>[0]['challenge'];
  return Buffer.from(JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })).toString(
    'base64',
  );
}

/** The token in the newest email to an address. */
export async function tokenTo(t: Pick<TestApp, 'emails'>, address: string): Promise<string> {
  // Registering and resetting write their email only after the answer, so that known and unknown addresses get the same
  // answer.
  const found = await vi.waitUntil(
    async () => /#token=([\w-]{43})/.exec((await t.emails(address)).at(-1)?.text ?? ''),
    { timeout: 60_000, interval: 20 },
  );
  return found[1]!;
}

export const COMMON_FORM = {
  firstName: 'Ildikó',
  lastName: 'Szabó-Varga',
  gender: 'female',
  language: 'hu',
  licenseAccepted: true,
  dataAccepted: true,
} as const;
