/**
 * The usage of the demo practice: Anna tried the room for five hours, completed her registration, and has worked in it
 * since, 43 hours in all. So her bills and her weeks have something to show.
 */
import { aPerson, aProfessional, somePeopleHelped, usageOfLiveSession } from '../builders/billing.builders.ts';
import { aPastLiveSession, type PastWish } from '../builders/sessions.builders.ts';
import type { Queryable } from '../platform/db/db.ts';

type Past = Omit<PastWish, 'therapistId'>;

/** Before those that the list of live sessions shows first; the first two are the trial. */
const EARLIER: readonly Past[] = [
  { daysAgo: 75, minutes: 120, names: ['Karim'] },
  { daysAgo: 72, minutes: 180, names: ['Jonas', 'Hanna', 'Réka'] },
  ...[70, 66, 63, 61, 59, 56, 54, 52, 49, 47, 45, 42, 40, 38, 35, 33, 31, 28, 26, 24, 21, 19, 17, 14, 12].map(
    (daysAgo, nth) => ({
      daysAgo,
      // 79 minutes on average.
      minutes: [55, 110, 70, 50, 110][nth % 5]!,
      names: ['Hanna', 'Réka', 'Mirela', 'Levente', 'Ioana', 'Jonas'].slice(0, 1 + (nth % 5)),
    }),
  ),
];
const TRIAL_SESSIONS = 2;

/** Writes live sessions, their usage and the customer. Takes also the newest live sessions, the latest first. */
export async function fillDemoUsage(db: Queryable, therapistId: number, newest: readonly Past[]): Promise<void> {
  await aProfessional(db, {
    therapistId,
    customer: aPerson({ name: 'Anna Demo', contactPerson: 'Anna Demo' }),
    daysAgo: 71,
  });
  for (const [nth, past] of [...EARLIER, ...newest.toReversed()].entries()) {
    const liveSessionId = await aPastLiveSession(db, { therapistId, ...past });
    await usageOfLiveSession(db, { liveSessionId, plan: nth < TRIAL_SESSIONS ? 'TRIAL' : 'PROFESSIONAL' });
  }
  const people = new Set([...EARLIER, ...newest].flatMap(({ names = [] }) => names));
  await somePeopleHelped(db, { therapistId, peopleHelped: people.size });
}
