/** Rows of customers and bills. */
import { and, asc, count, desc, eq, gt, inArray, isNull, max, min, sql } from 'drizzle-orm';
import type { Customer } from '@fieldroom/contract/billing';
import type { Language } from '@fieldroom/contract/text';
import type { Queryable, Tx } from '../../platform/db/db.ts';
import { productNow } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { billingCustomers, billNumbers, bills } from './billing.tables.ts';

export type BillRow = typeof bills.$inferSelect;
export type NewBill = Omit<typeof bills.$inferInsert, 'id' | 'emailedAt'>;

/** Somebody who gets a bill, with their current data. */
export interface Recipient {
  readonly therapistId: number;
  readonly customer: Customer;
  readonly email: string;
  readonly language: Language;
}

/** The customer's data for a therapist's bills; null before the registration was completed. */
export async function findCustomer(on: Queryable, therapistId: number): Promise<Customer | null> {
  const [row] = await on
    .select({ customer: billingCustomers.customer })
    .from(billingCustomers)
    .where(eq(billingCustomers.therapistId, therapistId));
  return row?.customer ?? null;
}

/** Writes the customer's data for future bills, in place of the data before. Bills that exist stay as they are. */
export async function saveCustomer(tx: Tx, therapistId: number, customer: Customer): Promise<void> {
  await tx
    .insert(billingCustomers)
    .values({ therapistId, customer })
    .onConflictDoUpdate({ target: billingCustomers.therapistId, set: { customer, changedAt: productNow } });
}

/** Returns the first day of the newest month that has a bill, and when the first customer came; null without. */
export async function findBeginning(on: Queryable): Promise<{ billed: string | null; customer: Date | null }> {
  const [billed] = await on.select({ month: max(bills.month) }).from(bills);
  const [first] = await on.select({ at: min(billingCustomers.createdAt) }).from(billingCustomers);
  return { billed: billed?.month ?? null, customer: first?.at ?? null };
}

/** Locks the numbers of a year until the transaction ends. Returns the last number used. */
export async function lockNumbers(tx: Tx, year: number): Promise<number> {
  await tx.insert(billNumbers).values({ year, last: 0 }).onConflictDoNothing();
  const [row] = await tx
    .select({ last: billNumbers.last })
    .from(billNumbers)
    .where(eq(billNumbers.year, year))
    .for('update');
  return row!.last;
}

/** Returns, by id, those of the therapists who are customers and have no bill for the month (its first day). */
export function findUnbilled(tx: Tx, month: string, therapistIds: readonly number[]): Promise<Recipient[]> {
  return tx
    .select({
      therapistId: billingCustomers.therapistId,
      customer: billingCustomers.customer,
      email: accounts.email,
      language: accounts.language,
    })
    .from(billingCustomers)
    .innerJoin(accounts, eq(accounts.id, billingCustomers.therapistId))
    .where(
      and(
        inArray(billingCustomers.therapistId, [...therapistIds]),
        sql`not exists (select from ${bills} where ${bills.therapistId} = ${billingCustomers.therapistId} and ${bills.month} = ${month})`,
      ),
    )
    .orderBy(asc(billingCustomers.therapistId));
}

/** Writes bills and the last number among them. The year's numbers are locked. Returns their owners, by id. */
export async function insertBills(tx: Tx, rows: readonly NewBill[]): Promise<Pick<BillRow, 'id' | 'therapistId'>[]> {
  const { year, sequence: last } = rows.at(-1)!;
  const made = await tx
    .insert(bills)
    .values([...rows])
    .returning({ id: bills.id, therapistId: bills.therapistId });
  await tx.update(billNumbers).set({ last }).where(eq(billNumbers.year, year));
  return made;
}

/** Returns bills after an id that wait for their email, by id. */
export function findNotEmailed(on: Queryable, afterId: number, most: number): Promise<BillRow[]> {
  return on
    .select()
    .from(bills)
    .where(and(isNull(bills.emailedAt), gt(bills.id, afterId)))
    .orderBy(asc(bills.id))
    .limit(most);
}

/**
 * Marks those of the bills that still wait for their email, and that no other run is handling. Returns their ids; the
 * caller writes their emails in the same transaction.
 */
export async function markEmailed(tx: Tx, billIds: readonly number[]): Promise<Set<number>> {
  const waiting = tx
    .select({ id: bills.id })
    .from(bills)
    .where(and(inArray(bills.id, [...billIds]), isNull(bills.emailedAt)))
    .orderBy(asc(bills.id))
    .for('update', { skipLocked: true });
  const rows = await tx
    .update(bills)
    .set({ emailedAt: productNow })
    .where(inArray(bills.id, waiting))
    .returning({ id: bills.id });
  return new Set(rows.map(({ id }) => id));
}

/** Returns one page of a therapist's bills, the newest first. */
export async function findBills(
  on: Queryable,
  therapistId: number,
  { page, size }: { page: number; size: number },
): Promise<{ rows: BillRow[]; total: number }> {
  const own = eq(bills.therapistId, therapistId);
  const rows = await on
    .select()
    .from(bills)
    .where(own)
    .orderBy(desc(bills.issuedOn), desc(bills.id))
    .limit(size)
    .offset(page * size);
  const [counted] = await on.select({ total: count() }).from(bills).where(own);
  return { rows, total: counted!.total };
}

/** One of the therapist's own bills; null for others' and unknown ones. */
export async function findBill(on: Queryable, therapistId: number, billId: number): Promise<BillRow | null> {
  const [row] = await on
    .select()
    .from(bills)
    .where(and(eq(bills.id, billId), eq(bills.therapistId, therapistId)));
  return row ?? null;
}

/** Throws if there is no such bill: bills are never deleted. */
export async function getBill(on: Queryable, billId: number): Promise<BillRow> {
  const [row] = await on.select().from(bills).where(eq(bills.id, billId));
  if (row === undefined) throw new Error(`there is no bill ${billId}`);
  return row;
}
