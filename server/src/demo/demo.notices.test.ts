/** The demo practice has notices of each kind, in order of time, with three that are unread. */
import { login } from '@fieldroom/contract/accounts';
import { findNotices, NOTICE_KINDS } from '@fieldroom/contract/notices';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { someUsage } from '../builders/billing.builders.ts';
import { testApp } from '../../tests/support/test-app.ts';
import { fillDemoNotices } from './demo.notices.ts';

test('Anna has notices of each kind, the newest first and unread', async () => {
  const t = await testApp({ env: { DEMO: '1' } });
  try {
    const { token } = await t.api(login, { body: { email: 'anna@demo.example', password: 'constellation' } });
    const { content, unread } = await t.api(findNotices, { query: { size: 50 } }, { token });
    expect(new Set(content.map(({ kind }) => kind))).toEqual(new Set(NOTICE_KINDS));
    const times = content.map(({ at }) => Date.parse(at));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect([unread, content.slice(0, 4).map(({ read }) => read)]).toEqual([3, [false, false, false, true]]);
  } finally {
    await t.close();
  }
});

test('a bill that is made after midnight in Budapest, and before it in UTC, is not in the future', async () => {
  const t = await testApp({ env: { DEMO: '1' } });
  try {
    const { user } = await t.api(login, { body: { email: 'anna@demo.example', password: 'constellation' } });
    const now = await t.clock.now();
    // 15 July of next year: a month that is over at 22:00 UTC.
    const inJuly = new Date(Date.UTC(now.getUTCFullYear() + 1, 6, 15));
    const from = inJuly.getTime();
    await someUsage(t.db, { therapistId: user.id, from: inJuly, until: new Date(from + 3_600_000) });
    const firstOfAugust = Date.UTC(inJuly.getUTCFullYear(), 7, 1);
    await t.move((firstOfAugust - 3_600_000 - now.getTime()) / 1000);
    await t.app.billing.makeMonthlyBills();
    await fillDemoNotices(t.db, user.id);
    const { rows } = await t.db.execute<{ kind: string; future: boolean }>(
      sql`SELECT kind, at > product_now() AS future FROM notices ORDER BY at DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ kind: 'bill', future: false }]);
  } finally {
    await t.close();
  }
});
