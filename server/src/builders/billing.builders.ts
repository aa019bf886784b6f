/** Builders of customers and of the usage that bills count. */
import { sql } from 'drizzle-orm';
import type { Customer } from '@fieldroom/contract/billing';
import type { Plan } from '@fieldroom/contract/usage';
import { billingCustomers } from '../features/billing/billing.tables.ts';
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

/** Makes a therapist professional, as a completed registration does. `since` is an instant; now, if left out. */
export async function aProfessional(
  db: Queryable,
  { therapistId, customer = aPerson(), since }: { therapistId: number; customer?: Customer; since?: Date },
): Promise<void> {
  const at = since === undefined ? sql`product_now()` : sql`${since.toISOString()}::timestamptz`;
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
