/**
 * What the tests of billing share: an app in a month of their choice, and therapists on the professional plan who used
 * their room.
 */
import type { Customer } from '@fieldroom/contract/billing';
import { sql } from 'drizzle-orm';
import { extractText, getDocumentProxy } from 'unpdf';
import { type AccountWish, aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { aProfessional, someUsage } from '../../builders/billing.builders.ts';
import { testApp, type TestApp, type TestAppOptions } from '../../../tests/support/test-app.ts';

interface BillRow extends Record<string, unknown> {
  id: number;
  therapist_id: number;
  year: number;
  sequence: number;
  month: string;
  issued_on: string;
  due_on: string;
  seconds: number;
  hours: number;
  gross: number;
  email: string;
  emailed_at: string | null;
}

export interface BillingApp extends TestApp {
  /** Sets product time forward to an instant. */
  moveTo(instant: string): Promise<void>;
  /** A professional therapist since the beginning of the year, who used the room at these times. */
  professional(usage?: readonly Span[], wish?: AccountWish & { customer?: Customer }): Promise<BuiltAccount>;
  /** All bills, in the order in which they were made. */
  bills(): Promise<BillRow[]>;
}

/** Two instants. */
type Span = readonly [from: string, until: string | null];

/**
 * The tests live in the year after this one, because product time only goes forward. Sign-ins last for days: people
 * come after the move.
 */
export const YEAR = new Date().getUTCFullYear() + 1;
const BEGINNING = `${YEAR}-01-01T00:00:00Z`;

/** A whole app whose clock is set to an instant of that year or later. */
export async function billingApp(at: string, options: TestAppOptions = {}): Promise<BillingApp> {
  const t = await testApp(options);
  const moveTo = async (instant: string) => {
    const now = await t.clock.now();
    await t.move((Date.parse(instant) - now.getTime()) / 1000);
  };
  await moveTo(at);
  return {
    ...t,
    moveTo,
    async professional(usage = [], { customer, ...wish } = {}) {
      const therapist = await aTherapist(t.db, wish);
      await aProfessional(t.db, {
        therapistId: therapist.id,
        since: new Date(BEGINNING),
        ...(customer ? { customer } : {}),
      });
      for (const [from, until] of usage)
        await someUsage(t.db, {
          therapistId: therapist.id,
          from: new Date(from),
          until: until === null ? null : new Date(until),
        });
      return therapist;
    },
    async bills() {
      const { rows } = await t.db.execute<BillRow>(
        sql`SELECT *, month::text, issued_on::text, due_on::text FROM bills ORDER BY year, sequence`,
      );
      return rows;
    },
  };
}

/** The text of a PDF, with single spaces, and how many pages it has. */
export async function readPdf(bytes: Uint8Array): Promise<{ text: string; pages: number }> {
  const { text, totalPages } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return { text: text.replace(/\s+/gu, ' '), pages: totalPages };
}

/** Suspends an account only in the database, without ending anything. */
export async function suspend(db: TestApp['db'], accountId: number): Promise<void> {
  await db.execute(sql`UPDATE accounts SET suspended_at = product_now() WHERE id = ${accountId}`);
}
