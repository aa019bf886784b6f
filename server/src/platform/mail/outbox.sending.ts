/**
 * Sends what is due, several emails at once: when the queue pauses, which email tries a mail server again, and what is
 * logged. `delivery.ts` decides what follows from a failure, `outbox.queue.store.ts` writes it down.
 */
import type { Log } from '../monitoring/log.ts';
import { setBounded } from '../small.ts';
import { failureKind, type MailFault, pauseSeconds, retryDelay, SERVER_RETRY_SECONDS } from './delivery.ts';
import { CONNECTIONS, type MailServer } from './mail-server.ts';
import type { OutboxQueue } from './outbox.queue.store.ts';
import type { Email } from './outbox.store.ts';

export interface OutboxSending {
  /** Sends what is due, several at once. Returns how many the mail server took. Runs by itself every second. */
  sendDue(): Promise<number>;
  /** Takes no further email; those that the mail server has are finished. `sendDue` resolves soon afterwards. */
  stopSending(): void;
}

/**
 * Emails of which it is remembered that they met a mail server that could not be used. Some are withdrawn, or another
 * node sends them, and nobody says so here. One that is forgotten costs the queue one more pause.
 */
const FAILED_REMEMBERED = 1_000;

interface SendingParts {
  readonly queue: OutboxQueue;
  readonly mailServer: Pick<MailServer, 'take'>;
  readonly log: Log;
}

/** Makes what sends the emails of a queue. */
export function createOutboxSending({ queue, mailServer, log }: SendingParts) {
  /** While the mail server cannot be used: how often in a row that happened, and until when nobody tries. */
  let pauses = 0;
  let pausedUntil = new Date(0);
  /** Whether emails wait for a later try because an earlier one failed; after a restart this is unknown. */
  let othersWait = true;
  let failedTries = 0;
  let sentCount = 0;
  /** How many emails had been sent when one last met a mail server that could not be used. */
  const sentAtFailure = new Map<string, number>();
  /** Emails that the mail server has taken and whose rows do not say so yet. */
  const unmarked = new Set<string>();
  let stopping = false;

  /** One at a time, so that each sees what the others have taken. */
  let taking: Promise<unknown> = Promise.resolve();
  function take(): Promise<Email | undefined> {
    const taken = taking.then(() => (stopping ? undefined : queue.takeNext(pausedUntil)));
    taking = taken.catch(() => {});
    return taken;
  }

  async function send(email: Email): Promise<boolean> {
    try {
      await mailServer.take(email);
    } catch (error) {
      await onFailure(email, error as MailFault);
      return false;
    }
    pauses = 0;
    sentCount += 1;
    sentAtFailure.delete(email.id);
    unmarked.add(email.id);
    await markSent([email.id]);
    if (othersWait) {
      othersWait = false;
      try {
        await queue.wakeOthers();
      } catch (error) {
        othersWait = true;
        throw error;
      }
    }
    return true;
  }

  /** Marks emails as sent; where that fails, the next `sendDue` begins with it, so that none is sent twice. */
  async function markSent(ids: readonly string[]): Promise<void> {
    await queue.markSent(ids);
    for (const id of ids) unmarked.delete(id);
  }

  async function onFailure(email: Email, fault: MailFault): Promise<void> {
    failedTries += 1;
    const kind = failureKind(fault);
    // Others were sent since this one met the same fault: so it is this email that breaks the connection.
    const isItsOwn = kind === 'server' && (sentAtFailure.get(email.id) ?? sentCount) < sentCount;
    if (kind === 'server' && !isItsOwn) return onServerFailure(email, fault);
    const failures = email.failures + 1;
    const delay = retryDelay(kind === 'refused' ? 'refused' : 'deferred', failures, email.about !== null);
    if (delay === null) return giveUp(email, fault);
    othersWait = true;
    await queue.putOff(email.id, failures, delay);
    logFailure(email, fault, delay);
  }

  async function onServerFailure(email: Email, fault: MailFault): Promise<void> {
    setBounded(sentAtFailure, FAILED_REMEMBERED, email.id, sentCount);
    const waiting = await queue.putOffForServer(email.id);
    if (waiting === null) return;
    const { at, isOld } = waiting;
    if (isOld) await giveUp(email, fault);
    // Workers that met the same fault together make one pause.
    if (at >= pausedUntil) {
      pauses += 1;
      pausedUntil = new Date(at.getTime() + pauseSeconds(pauses) * 1000);
    }
    logFailure(email, fault, SERVER_RETRY_SECONDS);
  }

  async function giveUp(email: Email, { code, responseCode }: MailFault): Promise<void> {
    sentAtFailure.delete(email.id);
    if (!(await queue.giveUp(email.id))) return;
    log.error(
      { emailId: email.id, kind: email.kind, attempts: email.attempts, fault: code, responseCode },
      'an email was given up',
    );
  }

  function logFailure(
    { id, kind, attempts }: Email,
    { code, responseCode, command }: MailFault,
    nextTrySeconds: number,
  ): void {
    log.warn(
      { emailId: id, kind, attempts, fault: code, responseCode, command, nextTrySeconds },
      'an email could not be sent',
    );
  }

  const sending: OutboxSending = {
    async sendDue() {
      if (unmarked.size > 0) await markSent([...unmarked]);
      let sent = 0;
      const worker = async (most: number) => {
        for (let number = 0; number < most; number++) {
          const email = await take();
          if (email === undefined) return;
          if (await send(email)) sent += 1;
        }
      };
      // After a fault one email goes first, so that a server that is still away costs one try and not many.
      if (pauses > 0) await worker(1);
      if (pauses === 0) await Promise.all(Array.from({ length: CONNECTIONS }, () => worker(Infinity)));
      return sent;
    },

    stopSending() {
      stopping = true;
    },
  };
  return { ...sending, failedTries: () => failedTries, sent: () => sentCount };
}
