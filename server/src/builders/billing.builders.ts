/** Builders of customers and of the usage that bills count. */
import { eq, sql } from 'drizzle-orm';
import type { Customer } from '@fieldroom/contract/billing';
import type { Plan } from '@fieldroom/contract/usage';
import { billingCustomers, bills } from '../features/billing/billing.tables.ts';
import { liveSessions } from '../features/sessions/sessions.tables.ts';
import { usageAccounts, usageIntervals } from '../features/usage/usage.tables.ts';
import type { Queryable } from '../platform/db/db.ts';

/** A private person in Hungary. */
export const aPerson = (wish: Partial<Customer> = {}): Customer => ({
  kind: 'person',
  name: 'Győző Szűcs',
  country: 'HU',
  city: 'Budapest',
  zip: '1137',
  address: 'Pozsonyi út 12. III/4.',
  telephone: '+36 30 555 0178',
  entity: null,
  contactPerson: 'Győző Szűcs',
  ...wish,
});

/** A legal entity in Romania. */
export const anEntity = (wish: Partial<NonNullable<Customer['entity']>> = {}): Customer => ({
  ...aPerson({
    country: 'RO',
    name: 'Ștefania Țurcanu',
    city: 'Cluj-Napoca',
    zip: '400001',
    address: 'Strada Păcii 3',
  }),
  kind: 'entity',
  contactPerson: 'Ștefania Țurcanu',
  entity: {
    name: 'Așezământul Țurcanu SRL',
    taxNumber: 'RO18547290',
    country: 'RO',
    city: 'Cluj-Napoca',
    zip: '400001',
    address: 'Strada Păcii 3',
    ...wish,
  },
});

interface ProfessionalWish {
  therapistId: number;
  customer?: Customer;
  /** When the registration was completed; by default this many days ago. */
  since?: Date;
  daysAgo?: number;
}

/** Makes a therapist professional, as a completed registration does. */
export async function aProfessional(
  db: Queryable,
  { therapistId, customer = aPerson(), since, daysAgo = 0 }: ProfessionalWish,
): Promise<void> {
  const at =
    since === undefined
      ? sql`product_now() - make_interval(days => ${daysAgo}::int)`
      : sql`${since.toISOString()}::timestamptz`;
  await db.insert(billingCustomers).values({ therapistId, customer, createdAt: at, changedAt: at });
  await db
    .insert(usageAccounts)
    .values({ therapistId, plan: 'PROFESSIONAL', professionalSince: at })
    .onConflictDoUpdate({ target: usageAccounts.therapistId, set: { plan: 'PROFESSIONAL', professionalSince: at } });
}

export interface UsageWish {
  therapistId: number;
  from: Date;
  /** null while it runs. */
  until: Date | null;
  plan?: Plan;
  liveSessionId?: number;
}

/** Makes an interval in which the timer ran, and counts it. */
export async function someUsage(
  db: Queryable,
  { therapistId, from, until, plan = 'PROFESSIONAL', liveSessionId }: UsageWish,
): Promise<void> {
  await db
    .insert(usageIntervals)
    .values({ therapistId, liveSessionId: liveSessionId ?? null, plan, startedAt: from, endedAt: until });
  const countedMs = until === null ? 0 : until.getTime() - from.getTime();
  await db
    .insert(usageAccounts)
    .values({ therapistId, countedMs })
    .onConflictDoUpdate({
      target: usageAccounts.therapistId,
      set: { countedMs: sql`${usageAccounts.countedMs} + ${countedMs}` },
    });
}

/** Sets how many different clients a therapist has let in. */
export async function somePeopleHelped(
  db: Queryable,
  { therapistId, peopleHelped }: { therapistId: number; peopleHelped: number },
): Promise<void> {
  await db
    .insert(usageAccounts)
    .values({ therapistId, peopleHelped })
    .onConflictDoUpdate({ target: usageAccounts.therapistId, set: { peopleHelped } });
}

/** Counts a live session that has ended, from its beginning to its end. */
export async function usageOfLiveSession(
  db: Queryable,
  { liveSessionId, plan }: { liveSessionId: number; plan: Plan },
): Promise<void> {
  const [session] = await db.select().from(liveSessions).where(eq(liveSessions.id, liveSessionId));
  const { therapistId, startedAt, endedAt } = session!;
  await someUsage(db, { therapistId, from: startedAt, until: endedAt, plan, liveSessionId });
}

/** Makes a bill of five started hours for January 2020, numbered by the therapist. Returns its id. */
export async function aBill(db: Queryable, { therapistId }: { therapistId: number }): Promise<number> {
  const [row] = await db
    .insert(bills)
    .values({
      therapistId,
      year: 2020,
      sequence: therapistId,
      month: '2020-01-01',
      issuedOn: '2020-02-01',
      dueOn: '2020-02-11',
      seconds: 18_000,
      hours: 5,
      currency: 'HUF',
      hourPrice: 90_000,
      net: 450_000,
      taxPercent: 27,
      tax: 121_500,
      gross: 571_500,
      reverseCharge: false,
      customer: aPerson(),
      seller: { name: 'Seller', address: 'Street 1', taxNumber: '1', email: 'bills@seller.example', bank: 'HU42' },
      language: 'en',
      email: 'customer@practice.example',
      emailedAt: sql`product_now()`,
    })
    .returning({ id: bills.id });
  return row!.id;
}
