/** What is remembered between tries, with a queue and a mail server that the test decides. */
import { expect, test } from 'vitest';
import { logSpy } from '../../../tests/support/test-app.ts';
import { createOutboxSending } from './outbox.sending.ts';
import type { Email } from './outbox.store.ts';

/** More than are remembered. */
const MANY = 1_100;

test('emails that met a mail server that was away are not remembered for ever', async () => {
  // Nobody says so here when they are withdrawn, or when another node sends them.
  const due: string[] = [];
  const counted: string[] = [];
  let isUp = false;
  const sending = createOutboxSending({
    queue: {
      takeNext: async () => due.splice(0, 1).map((id) => ({ id, failures: 0 }) as Email)[0],
      putOffForServer: async () => ({ at: new Date(), isOld: false }),
      putOff: async (id: string) => void counted.push(id),
      markSent: async () => {},
      wakeOthers: async () => {},
      giveUp: async () => true,
      endLeases: async () => {},
    },
    mailServer: {
      async take({ id }) {
        if (!isUp || id.startsWith('breaks')) throw Object.assign(new Error('cut'), { code: 'ECONNECTION' });
      },
    },
    log: logSpy().log,
  });
  const ids = ['breaks first', ...Array.from({ length: MANY }, (_, number) => `other ${number}`), 'breaks last'];
  for (const id of ids) {
    due.push(id);
    await sending.sendDue();
  }
  isUp = true;
  due.push('is sent', 'breaks first', 'breaks last');
  await sending.sendDue();
  expect(due).toEqual([]);
  // It has met nothing else while others were sent, as far as is known: so it is not yet its own fault.
  expect(counted).toEqual(['breaks last']);
});
