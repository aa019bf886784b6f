/** The fields of a booking, as the form names them, and their faults by the contract. */
import { bookingInput } from '@fieldroom/contract/bookings';
import { formFault } from '../../../platform/forms/formFault.ts';

export interface Person {
  firstName: string;
  familyName: string;
  email: string;
  phone: string;
  /** For themselves and those who come along. */
  places: number;
}
export const NO_PERSON: Person = { firstName: '', familyName: '', email: '', phone: '', places: 1 };
export const PERSON_FIELDS = ['firstName', 'familyName', 'email', 'phone'] as const;
export type PersonField = (typeof PERSON_FIELDS)[number];

/** Stable keys of the faults, by field; null if the form can be sent. */
export function personFaults(person: Person): Record<PersonField, string | null> {
  const { firstName, lastName, email, phoneNumber } = bookingInput.shape;
  return {
    firstName: formFault(firstName, person.firstName),
    familyName: formFault(lastName, person.familyName),
    email: formFault(email, person.email),
    phone: formFault(phoneNumber, person.phone),
  };
}

/** The form's field for a server's fault: the wire says lastName and phoneNumber. */
export function personField(path: string): PersonField | null {
  const field = { lastName: 'familyName', phoneNumber: 'phone' }[path] ?? path;
  return PERSON_FIELDS.find((known) => known === field) ?? null;
}
