import { expect, test } from 'vitest';
import { FIND_BOOKING_PAGE, looksForBooking } from './findBooking.ts';

test('the linked page asks for a booking, also with parameters that a mail program added', () => {
  const { search } = new URL(FIND_BOOKING_PAGE, 'https://field.example');
  expect(looksForBooking(search)).toBe(true);
  expect(looksForBooking(`${search}=&utm_source=mail`)).toBe(true);
  expect(looksForBooking('?utm_source=mail&find')).toBe(true);
});

test.each(['', '?', '?finder', '?utm_source=find'])('the query "%s" does not', (query) =>
  expect(looksForBooking(query)).toBe(false),
);
