/** The demo practice has attendees at its events, as its pages show them. */
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { listBookings } from '@fieldroom/contract/bookings';
import { login } from '@fieldroom/contract/accounts';
import { myEvents, upcomingEvents } from '@fieldroom/contract/events';
import { testApp } from '../../tests/support/test-app.ts';

test('some confirmed, one held, one event full, and never more than there are places', async () => {
  const t = await testApp({ env: { DEMO: '1' } });
  try {
    const { token } = await t.api(login, { body: { email: 'anna@demo.example', password: 'constellation' } });
    const { content } = await t.api(myEvents, { body: {} }, { token });
    expect(content.some(({ held }) => held === 1)).toBe(true);
    const full = content.filter(({ held, confirmed, maximumParticipant }) => held + confirmed === maximumParticipant);
    expect(full.some(({ maximumParticipant }) => maximumParticipant === 4)).toBe(true);
    const booked = await t.api(
      listBookings,
      { params: { eventId: content.find(({ confirmed }) => confirmed === 5)!.id } },
      { token },
    );
    expect(booked.map(({ participant }) => participant.email)).toContain('reka.balogh@mail.example');
    expect(
      (await t.api(upcomingEvents, { params: { therapistName: 'anna' } })).content.every(
        ({ currentParticipantsInfo }) => currentParticipantsInfo.length === 0,
      ),
    ).toBe(true);
    const { rows } = await t.db.execute(
      sql`SELECT e.id FROM events e, booking_counts(e.id) c WHERE c.held + c.confirmed > e.places`,
    );
    expect(rows).toEqual([]);
  } finally {
    await t.close();
  }
});

test('what a storm of the weekend cancels is on a weekend', async () => {
  const t = await testApp({ env: { DEMO: '1' } });
  try {
    const { rows } = await t.db.execute<{ weekday: number }>(
      sql`SELECT extract(isodow FROM starts_at AT TIME ZONE time_zone)::int AS weekday FROM events WHERE cancel_reason LIKE '%weekend%'`,
    );
    expect(rows).toEqual([{ weekday: 7 }]);
  } finally {
    await t.close();
  }
});
