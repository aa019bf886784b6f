/** The demo practice has notices of each kind, in order of time, with three that are unread. */
import { login } from '@fieldroom/contract/accounts';
import { findNotices, NOTICE_KINDS } from '@fieldroom/contract/notices';
import { expect, test } from 'vitest';
import { testApp } from '../../tests/support/test-app.ts';

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
