/** The four fields of a booking and the two of a message, as they are checked before anything is sent. The server looks closer. */
export interface Person {
  firstName: string;
  familyName: string;
  email: string;
  phone: string;
}
export const NO_PERSON: Person = { firstName: '', familyName: '', email: '', phone: '' };
export const PERSON_FIELDS = ['firstName', 'familyName', 'email', 'phone'] as const;
export type PersonField = (typeof PERSON_FIELDS)[number];

export const NAME_MAX = 60;
export const EMAIL_MAX = 254;
export const PHONE_MAX = 40;
export const MESSAGE_MAX = 5000;

function nameFault(text: string): string | null {
  const length = text.trim().length;
  if (length === 0) return 'required';
  return length > NAME_MAX ? 'too_long' : null;
}
/** Looser than the contract's rule, so that no good address is ever stopped here. */
export function emailFault(text: string): string | null {
  const email = text.trim();
  if (email === '') return 'required';
  if (email.length > EMAIL_MAX) return 'too_long';
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/u.test(email) ? null : 'invalid_format';
}
/** As the contract's `phone`, and required; a test compares the two. */
export function phoneFault(text: string): string | null {
  const phone = text.normalize('NFC').replace(/\s+/gu, ' ').trim();
  if (phone === '') return 'required';
  if (phone.length > PHONE_MAX) return 'too_long';
  return /^[+()\d\s./-]+$/u.test(phone) && phone.replace(/\D/gu, '').length >= 5 ? null : 'invalid_format';
}
export function messageFault(text: string): string | null {
  if (text.trim() === '') return 'required';
  return text.trim().length > MESSAGE_MAX ? 'too_long' : null;
}

/** Stable keys of what is wrong, by field; null where it can be sent. */
export function personFaults(person: Person): Record<PersonField, string | null> {
  return {
    firstName: nameFault(person.firstName),
    familyName: nameFault(person.familyName),
    email: emailFault(person.email),
    phone: phoneFault(person.phone),
  };
}

/** The form's place of a server's fault: the wire says lastName and phoneNumber. */
export function personField(path: string): PersonField | null {
  const field = { lastName: 'familyName', phoneNumber: 'phone' }[path] ?? path;
  return PERSON_FIELDS.find((known) => known === field) ?? null;
}
