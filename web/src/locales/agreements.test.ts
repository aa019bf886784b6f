/** The agreements say what the product does: periods, where data is found, what is public (docs/product.md#12.4). */
import { BUG_REPORT_DAYS } from '@fieldroom/contract/bugReports';
import { LOGS_KEPT_DAYS } from '@fieldroom/contract/logs';
import { DELETION_DAYS } from '@fieldroom/contract/profile';
import { ATTENDANCE_MONTHS } from '@fieldroom/contract/retention';
import { expect, test } from 'vitest';
import deAccounts from './de/accounts.json';
import deBooking from './de/booking.json';
import enAccounts from './en/accounts.json';
import enBooking from './en/booking.json';
import huAccounts from './hu/accounts.json';
import huBooking from './hu/booking.json';
import roAccounts from './ro/accounts.json';
import roBooking from './ro/booking.json';

const WORDS = [
  ['en', enAccounts, enBooking, 'profile', 'public'],
  ['de', deAccounts, deBooking, 'profil', 'öffentlich'],
  ['hu', huAccounts, huBooking, 'profil', 'nyilvános'],
  ['ro', roAccounts, roBooking, 'profil', 'public'],
] as const;
/** Without capitals and what keeps a word on one line. */
const plain = (text: string) => text.toLowerCase().replaceAll('\u2060', '');
const numbersOf = (text: string) => [...text.matchAll(/\d+/g)].map(([number]) => Number(number));

test.each(WORDS)('in %s people who book read what is kept of them, and until when', (_, { data }, { finalize }) => {
  const { text } = data.parts[2]!;
  for (const field of [finalize.email, finalize.phone]) expect(plain(text)).toContain(plain(field).slice(0, 6));
  expect(numbersOf(text)).toEqual([30, ATTENDANCE_MONTHS.standard]);
});

test.each(WORDS)('in %s the agreement names the periods of emails, browser logs and bug reports', (_, { data }) =>
  expect(numbersOf(data.parts[3]!.text)).toEqual([30, LOGS_KEPT_DAYS, BUG_REPORT_DAYS]),
);

test.each(WORDS)(
  'in %s export and deletion are in the profile, with their days to change one’s mind',
  (_, { data, license }, __, profile) => {
    const { text } = data.parts.at(-1)!;
    expect(text.toLowerCase()).toContain(profile);
    expect(numbersOf(text)).toEqual([DELETION_DAYS]);
    expect(license.parts.at(-1)!.text.toLowerCase()).toContain(profile);
  },
);

test.each(WORDS)('in %s it is said which pictures everybody sees', (_, { data, license }, __, ___, isPublic) => {
  expect(license.parts[2]!.text).toContain(isPublic);
  expect(data.parts[5]!.text).toContain(isPublic);
});
