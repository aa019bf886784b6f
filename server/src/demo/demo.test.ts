/** The demo's accounts have known passwords, so production refuses them. */
import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { testApp } from '../../tests/support/test-app.ts';
import { aTherapist } from '../builders/accounts.builders.ts';
import { createApp } from '../app.ts';
import { explainStartFault } from '../start-faults.ts';

/** Starts a server with settings of its own on the database of another one, and says in a sentence why it did not. */
async function refusalOf(t: Awaited<ReturnType<typeof testApp>>, production: boolean): Promise<string | null> {
  const config = { ...t.app.config, production, demo: false };
  const second = await createApp(config, { longRunning: false, log: t.logged.log });
  try {
    await second.listen();
    return null;
  } catch (error) {
    return explainStartFault(error, config);
  } finally {
    await second.close();
  }
}

const MANUAL = new URL('../../../docs/operate.md', import.meta.url);

test('production refuses a database that the demo filled, until what the manual says was done; others take it', async () => {
  const t = await testApp({ env: { DEMO: '1' } });
  try {
    expect(await refusalOf(t, true)).toMatch(/anna@demo\.example, admin@demo\.example.+empty DATA_DIR/);
    expect(await refusalOf(t, false)).toBeNull();
    const [, commands] = /(DELETE FROM figures[\s\S]+?)```/.exec(await readFile(MANUAL, 'utf8'))!;
    for (const command of commands!.trim().split(';\n')) await t.db.execute(sql.raw(command));
    expect(await refusalOf(t, true)).toBeNull();
  } finally {
    await t.close();
  }
});

test('an address of the demo that somebody registers without ever confirming it keeps nobody from starting', async () => {
  const t = await testApp();
  try {
    await aTherapist(t.db, { email: 'admin@demo.example', verified: false });
    expect(await refusalOf(t, true)).toBeNull();
  } finally {
    await t.close();
  }
});
