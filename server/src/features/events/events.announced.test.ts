/**
 * A preview announces exactly what the change sends: as a property over series whose occurrences differ. Rule 8.
 */
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/events';
import { dayPlus } from '@fieldroom/contract/events';
import { outboxEmails } from '../../platform/platform.tables.ts';
import { aTherapist } from '../../builders/accounts.builders.ts';
import { aSeries, eventAgain, eventInput } from '../../builders/events.builders.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { bookings } from '../bookings/bookings.tables.ts';
import type { EventRow } from './index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

type Input = Record<string, unknown>;

/** A manual change; `days` moves the days, the others replace values. */
type Wish = {
  days?: number;
  startTime?: string;
  endTime?: string;
  description?: string;
  price?: string;
  maximumParticipant?: number;
  place?: string;
};
const aWish: fc.Arbitrary<Wish> = fc.record(
  {
    days: fc.integer({ min: 1, max: 3 }),
    startTime: fc.constantFrom('17:00', '18:00', '18:30'),
    endTime: fc.constantFrom('20:30', '21:00'),
    description: fc.constantFrom('You bring one question.', 'Other words'),
    price: fc.constantFrom('45.00', '50.00'),
    maximumParticipant: fc.integer({ min: 8, max: 12 }),
    place: fc.constantFrom('', 'Elm Yard', 'Oak Yard'),
  },
  { requiredKeys: [] },
);
const wished = (row: EventRow, { days, place, ...rest }: Wish): Input => ({
  ...rest,
  ...(days === undefined ? {} : { dates: row.dates.map((day) => dayPlus(day, days)) }),
  ...(place === undefined
    ? {}
    : { isOnline: place === '', eventLocation: place, address: place === '' ? '' : `${place} 1` }),
});

const STATES = ['HELD', 'CONFIRMED', 'CONFIRMED', 'OVER', 'CANCELLED', 'DECLINED'] as const;
const anOccurrence = fc.record({
  people: fc.array(fc.constantFrom(...STATES), { minLength: 1, maxLength: 4 }),
  own: fc.option(aWish, { nil: null }),
  fate: fc.constantFrom('stands', 'stands', 'stands', 'cancelled', 'deleted'),
});
let people = 0;

test(
  '8. the emails that a preview and a save announce are those that are written, and go to nobody else',
  { timeout: 180_000 },
  async () => {
    let sentInAll = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anOccurrence, { minLength: 1, maxLength: 4 }),
        fc.nat({ max: 3 }),
        fc.constantFrom('this', 'later'),
        aWish,
        fc.constantFrom(false, false, true),
        async (occurrences, which, scope, wish, begun) => {
          const { id: therapistId, token } = await aTherapist(t.db);
          // If it has begun, its first day is over.
          const rows = await aSeries(t.db, {
            therapistId,
            daysAhead: begun ? -3 : 14,
            further: occurrences.slice(1).map((_, index) => 7 * (index + 1)),
          });
          for (const [index, { people: booked, own, fate }] of occurrences.entries()) {
            const row = rows[index]!;
            if (own !== null && row.endsAt > (await t.clock.now()))
              await t.api(calls.saveEvent, { body: eventInput(row, wished(row, own)) as never }, { token });
            for (const state of booked) {
              people += 1;
              const email = `announced-${people}@mail.example`;
              const held = state === 'HELD' || state === 'OVER';
              await t.db.insert(bookings).values({
                eventId: row.id,
                state: state === 'OVER' ? 'HELD' : state,
                firstName: 'Ana',
                lastName: 'Pop',
                email,
                emailNormalized: email,
                phone: '',
                language: 'en',
                heldUntil: held ? sql`product_now() + make_interval(secs => ${state === 'OVER' ? -1 : 600})` : null,
              });
            }
            if (fate !== 'stands')
              await t.db.execute(
                fate === 'cancelled'
                  ? sql`UPDATE events SET status = 'CANCELLED', cancel_reason = 'x' WHERE id = ${row.id}`
                  : sql`UPDATE events SET deleted_at = product_now() WHERE id = ${row.id}`,
              );
          }
          const target = await eventAgain(t.db, rows[which % rows.length]!.id);
          const body = eventInput(target, { ...wished(target, wish), scope }) as never;
          const written = () =>
            t.db
              .select({ id: outboxEmails.id, about: outboxEmails.about })
              .from(outboxEmails)
              .where(eq(outboxEmails.kind, 'bookings.eventChanged'));
          const before = new Set((await written()).map(({ id }) => id));
          const announced = await t.api(calls.previewEvent, { body }, { token }).then(
            ({ told }) => ({ told }),
            ({ code }: { code: string }) => ({ code }),
          );
          const saved = await t.api(calls.saveEvent, { body }, { token }).then(
            ({ emails }) => ({ emails }),
            ({ code }: { code: string }) => ({ code }),
          );
          const sent = (await written()).filter(({ id }) => !before.has(id));
          if ('code' in saved) {
            expect(announced).toEqual(saved);
            expect(sent).toEqual([]);
            return;
          }
          const told = 'told' in announced ? announced.told : [];
          expect(told.reduce((sum, one) => sum + one.held + one.confirmed, 0)).toBe(sent.length);
          expect(saved.emails).toBe(sent.length);
          // Nobody at an occurrence that was not announced gets an email.
          for (const { about } of sent) {
            const [row] = await t.db
              .select()
              .from(bookings)
              .where(eq(bookings.id, Number(about!.split(' ')[1])));
            expect(told.map(({ id }) => id)).toContain(row!.eventId);
          }
          sentInAll += sent.length;
        },
      ),
      { numRuns: 60 },
    );
    expect(sentInAll, 'the cases send something').toBeGreaterThan(0);
  },
);
