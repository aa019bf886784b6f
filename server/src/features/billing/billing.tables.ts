/** Customers and their bills (docs/product.md#8). Bills outlive the account, so they point to no other table. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, check, date, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { BillCurrency, Customer } from '@fieldroom/contract/billing';
import type { Language } from '@fieldroom/contract/text';
import { at, productNow } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';

export const billingCustomers = pgTable('billing_customers', {
  therapistId: bigint('therapist_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  customer: jsonb('customer').$type<Customer>().notNull(),
  createdAt: at('created_at').notNull().default(productNow),
  changedAt: at('changed_at').notNull().default(productNow),
});

/** The seller, as it was when the bill was made. */
export interface Seller {
  readonly name: string;
  readonly address: string;
  readonly taxNumber: string;
  readonly email: string;
  readonly bank: string;
}

export const bills = pgTable(
  'bills',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** No foreign key: the law requires bills to be kept after the account is deleted. */
    therapistId: bigint('therapist_id', { mode: 'number' }).notNull(),
    /** Year of issue and the number in it, which has no gaps. */
    year: integer('year').notNull(),
    sequence: integer('sequence').notNull(),
    /** First day of the month that is billed. */
    month: date('month', { mode: 'string' }).notNull(),
    issuedOn: date('issued_on', { mode: 'string' }).notNull(),
    dueOn: date('due_on', { mode: 'string' }).notNull(),
    seconds: integer('seconds').notNull(),
    hours: integer('hours').notNull(),
    currency: text('currency').$type<BillCurrency>().notNull(),
    /** Amounts in the currency's smallest unit. */
    hourPrice: integer('hour_price').notNull(),
    net: bigint('net', { mode: 'number' }).notNull(),
    taxPercent: integer('tax_percent').notNull(),
    tax: bigint('tax', { mode: 'number' }).notNull(),
    gross: bigint('gross', { mode: 'number' }).notNull(),
    reverseCharge: boolean('reverse_charge').notNull(),
    customer: jsonb('customer').$type<Customer>().notNull(),
    seller: jsonb('seller').$type<Seller>().notNull(),
    /** Of the email and the PDF. */
    language: text('language').$type<Language>().notNull(),
    email: text('email').notNull(),
    /** When the email was put into the outbox; null until then. */
    emailedAt: at('emailed_at'),
  },
  (t) => [
    uniqueIndex('bills_one_a_month').on(t.therapistId, t.month),
    uniqueIndex('bills_number').on(t.year, t.sequence),
    index('bills_not_emailed')
      .on(t.id)
      .where(sql`emailed_at is null`),
    check('bills_amounts', sql`${t.gross} = ${t.net} + ${t.tax} and ${t.net} = ${t.hours} * ${t.hourPrice}`),
  ],
);

/** The last number used in each year. The row is locked while numbers are taken, so that none is lost or used twice. */
export const billNumbers = pgTable('bill_numbers', {
  year: integer('year').primaryKey(),
  last: integer('last').notNull(),
});
