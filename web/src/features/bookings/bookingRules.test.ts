// @vitest-environment happy-dom
/** What the public pages decide without React: addresses, therapists' words, times in two zones, fields. */
import { afterEach, describe, expect, test } from 'vitest';
import { writePageData } from './testing/publicPages.testing.ts';
import { totalText } from './event/EventFacts.tsx';
import { NO_PERSON, personFaults, personField } from './event/bookingForm.ts';
import { pageFromPath, readPageData } from './pageFromPath.ts';
import { timeAt, whenOf } from './event/eventTimes.ts';

describe('addresses', () => {
  afterEach(() => document.body.replaceChildren());
  test.each([
    ['/event/anna', { page: 'therapist', slug: 'anna' }],
    ['/event/anna/', { page: 'therapist', slug: 'anna' }],
    ['/event/anna/31', { page: 'event', slug: 'anna', eventId: 31 }],
    ['/event/confirm', { page: 'confirm' }],
    ['/event/booking/', { page: 'booking' }],
    ['/event/anna/0', { page: 'unknown' }],
    ['/event/anna/31x', { page: 'unknown' }],
    ['/event/anna/31/more', { page: 'unknown' }],
    ['/event/%E0%A4%A', { page: 'unknown' }],
    ['/event', { page: 'unknown' }],
  ])('%s', (path, address) => expect(pageFromPath(path)).toEqual(address));

  test('data from the server is used only on its own page', () => {
    const address = pageFromPath('/event/anna/31');
    expect(readPageData(address)).toBeNull();
    writePageData({ kind: 'therapist' });
    expect(readPageData(address)).toBeNull();
    expect(readPageData(pageFromPath('/event/anna'))).toEqual({ kind: 'therapist' });
    document.body.replaceChildren();
    writePageData({ kind: 'unknown' });
    expect(readPageData(address)).toEqual({ kind: 'unknown' });
    document.getElementById('page-data')!.textContent = '{"kind":';
    expect(readPageData(address)).toBeNull();
  });
});

describe('9.21 the price of several places', () => {
  const total = (price: string, places: number) =>
    totalText({ price, currency: 'EUR' }, places, 'en', (key, values) => `${key} ${String(values?.price)}`);
  test('is shown for several places', () => expect(total('120.00', 3)).toBe('price.total €360'));
  test('is not shown for one place, whose price is already there', () => expect(total('120.00', 1)).toBeNull());
  test('is not shown if the event is free of charge', () => expect(total('0.00', 3)).toBeNull());
});

describe('when', () => {
  const vienna = { dates: ['2026-12-12'], startTime: '09:30', endTime: '17:00', timeZone: 'Europe/Vienna' };
  test('if both clocks agree, the time is shown once', () => {
    expect(whenOf(vienna, 'Europe/Budapest')).toMatchObject({ yours: null, same: true });
  });
  test('another time zone has its own times and days', () => {
    expect(whenOf(vienna, 'Europe/Bucharest').yours).toEqual({
      days: ['2026-12-12'],
      from: '10:30',
      to: '18:00',
      zone: 'Europe/Bucharest',
    });
    expect(whenOf({ ...vienna, startTime: '18:00', endTime: '20:00' }, 'Asia/Tokyo').yours).toEqual({
      days: ['2026-12-13'],
      from: '02:00',
      to: '04:00',
      zone: 'Asia/Tokyo',
    });
  });
  test('times that differ between the days are not shown in one line', () => {
    const weeks = { ...vienna, dates: ['2026-10-22', '2026-10-29'] };
    expect(whenOf(weeks, 'America/New_York')).toMatchObject({ yours: null, same: false });
    expect(whenOf(weeks, 'Europe/Bucharest').yours).toMatchObject({ from: '10:30' });
  });
  test('times have two digits and midnight is 00:00', () => {
    expect(timeAt(Date.parse('2026-12-11T23:05:00Z'), 'Europe/Vienna')).toBe('00:05');
  });
});

describe('fields', () => {
  test('all four are required, and the phone number needs digits', () => {
    expect(personFaults(NO_PERSON)).toEqual({
      firstName: 'required',
      familyName: 'required',
      email: 'required',
      phone: 'required',
    });
    expect(
      personFaults({ firstName: 'Hanna', familyName: 'x'.repeat(61), email: 'a@b', phone: 'call me', places: 1 }),
    ).toEqual({
      firstName: null,
      familyName: 'too_long',
      email: 'invalid_format',
      phone: 'invalid_format',
    });
  });
  test('the form accepts the same addresses and numbers as the contract', () => {
    const faults = (email: string, phone: string) => {
      const found = personFaults({ ...NO_PERSON, email, phone });
      return [found.email, found.phone];
    };
    expect([' a+b@c.example ', 'x@sub.domain.co.uk', "o'neil@d.example"].map((email) => faults(email, '')[0])).toEqual([
      null,
      null,
      null,
    ]);
    expect(['', ' ', 'a', 'a@b', 'a @b.c', 'a@b.'].map((email) => faults(email, '')[0])).toEqual([
      'required',
      'required',
      'invalid_format',
      'invalid_format',
      'invalid_format',
      'invalid_format',
    ]);
    expect(['', ' ', '12345', '+43 (0)1/234-5', '1234', '1'.repeat(41)].map((phone) => faults('', phone)[1])).toEqual([
      'required',
      'required',
      null,
      null,
      'invalid_format',
      'too_long',
    ]);
  });
  test('the wire names of two fields lead to the form’s fields', () => {
    expect(['firstName', 'lastName', 'email', 'phoneNumber', 'language'].map(personField)).toEqual([
      'firstName',
      'familyName',
      'email',
      'phone',
      null,
    ]);
  });
});
