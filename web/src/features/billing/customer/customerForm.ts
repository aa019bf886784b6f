/** The form of a customer's data: its values, its faults by the contract, and the draft of this tab. */
import { type Customer, CUSTOMER_KINDS, customerInput, type CustomerKind } from '@fieldroom/contract/billing';
import * as z from 'zod/mini';
import { onPersonForgotten, type TextStore, tabStore } from '../../../platform/storage.ts';

interface Place {
  country: string;
  city: string;
  zip: string;
  address: string;
}
export interface CustomerValues extends Place {
  kind: CustomerKind;
  name: string;
  telephone: string;
  contactPerson: string;
  /** Kept while "private person" is chosen, so that switching back loses nothing. */
  entity: Place & { name: string; taxNumber: string };
}

const PLACE = ['country', 'city', 'zip', 'address'] as const;
/** A field by the path that the contract and the server give it. */
export const FIELDS = [
  'kind',
  'name',
  ...PLACE,
  'telephone',
  'contactPerson',
  'entity.name',
  'entity.taxNumber',
  'entity.country',
  'entity.city',
  'entity.zip',
  'entity.address',
] as const;
export type Field = (typeof FIELDS)[number];
/** Whether a path names a field of the form. */
export const isField = (path: string): path is Field => (FIELDS as readonly string[]).includes(path);

const EMPTY_PLACE: Place = { country: '', city: '', zip: '', address: '' };

/** An empty form. Takes the suggested country; empty if there is none. */
export const blankValues = (country: string): CustomerValues => ({
  ...EMPTY_PLACE,
  country,
  kind: 'person',
  name: '',
  telephone: '',
  contactPerson: '',
  entity: { ...EMPTY_PLACE, name: '', taxNumber: '' },
});

/** The form filled with the stored data. */
export const valuesOf = ({ entity, ...customer }: Customer): CustomerValues => ({
  ...customer,
  entity: entity === null ? blankValues('').entity : { ...entity },
});

/** Faults by field, as stable keys. */
export type Faults = Partial<Record<Field, string>>;

const valueAt = (values: CustomerValues, field: string): unknown =>
  field.split('.').reduce<unknown>((found, name) => (found as Record<string, unknown> | undefined)?.[name], values);

/** Checks by the contract's own schema. Returns the customer as the server accepts it, or every field's first fault. */
export function checkCustomer(values: CustomerValues): { customer: Customer } | { customer: null; faults: Faults } {
  const checked = z.safeParse(customerInput, { ...values, entity: values.kind === 'entity' ? values.entity : null });
  if (checked.success) return { customer: checked.data };
  const faults: Faults = {};
  for (const { path, message } of checked.error.issues) {
    const field = path.join('.');
    if (!isField(field)) continue;
    const typed = valueAt(values, field);
    faults[field] ??= typeof typed === 'string' && typed.trim() === '' ? 'required' : message;
  }
  return { customer: null, faults };
}

// ---- the draft

const keyOf = (therapistId: number) => `customer_draft_${therapistId}`;
const kept = new Set<string>();
onPersonForgotten(() => {
  for (const key of kept) tabStore.remove(key);
});

/**
 * Keeps typed text only for this tab, because others may use the device: addresses are not written to its disk. Returns
 * whether the browser kept it.
 */
export function keepDraft(therapistId: number, values: CustomerValues, tab: TextStore = tabStore): boolean {
  kept.add(keyOf(therapistId));
  return tab.set(keyOf(therapistId), JSON.stringify(values));
}

/** Forgets the draft of this tab. */
export function dropDraft(therapistId: number, tab: TextStore = tabStore): void {
  tab.remove(keyOf(therapistId));
}

/** Reads only well-formed values from a draft. */
function over<T extends object>(start: T, found: unknown): T {
  if (typeof found !== 'object' || found === null) return start;
  const read = Object.entries(start).map(([name, value]: [string, unknown]) => {
    const other = (found as Record<string, unknown>)[name];
    if (typeof value === 'object' && value !== null) return [name, over(value, other)];
    return [name, typeof other === 'string' ? other : value];
  });
  return Object.fromEntries(read) as T;
}

/** The draft of a therapist applied to the form's initial values; null if there is none. */
export function findDraft(
  therapistId: number,
  start: CustomerValues,
  tab: TextStore = tabStore,
): CustomerValues | null {
  let found: unknown;
  try {
    found = JSON.parse(tab.get(keyOf(therapistId)) ?? 'null');
  } catch {
    return null;
  }
  if (typeof found !== 'object' || found === null) return null;
  kept.add(keyOf(therapistId));
  const values = over(start, found);
  return CUSTOMER_KINDS.includes(values.kind) ? values : { ...values, kind: start.kind };
}
