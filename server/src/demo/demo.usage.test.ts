/** The demo practice has usage, and bills of the months that are over. */
import { login } from '@fieldroom/contract/accounts';
import { findBills, getBilling } from '@fieldroom/contract/billing';
import { findSessionDetails } from '@fieldroom/contract/sessions';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testApp } from '../../tests/support/test-app.ts';

test('Anna is professional, has used the room for 43 hours, and has bills that were emailed', async () => {
  const t = await testApp({ env: { DEMO: '1' } });
  try {
    const { token } = await t.api(login, { body: { email: 'anna@demo.example', password: 'constellation' } });
    expect(await t.api(getBilling, {}, { token })).toMatchObject({
      plan: 'PROFESSIONAL',
      customer: { name: 'Anna Demo', country: 'HU' },
    });
    const { content } = await t.api(findBills, {}, { token });
    expect(content.length).toBeGreaterThanOrEqual(2);
    expect((await t.emails('anna@demo.example')).filter(({ kind }) => kind === 'billing.bill')).toHaveLength(
      content.length,
    );
    const details = await t.api(findSessionDetails, { body: {}, query: { page: 0, size: 4 } }, { token });
    expect(details.content.map(({ field }) => field?.figures.length)).toEqual([9, 3, 6, undefined]);
    const {
      rows: [used],
    } = await t.db.execute<{ hours: number; counted: number }>(sql`
      SELECT round(sum(extract(epoch FROM ended_at - started_at)) / 3600)::int AS hours,
             round(max(counted_ms) / 3600000.0)::int AS counted
        FROM usage_intervals JOIN usage_accounts USING (therapist_id)`);
    expect(used).toEqual({ hours: 43, counted: 43 });
  } finally {
    await t.close();
  }
});
