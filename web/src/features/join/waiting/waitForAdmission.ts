/**
 * The waiting room without React. The connection reports events, requests cover what the connection may have missed,
 * and the end is reported exactly once, whatever comes first.
 */
import type { Seat } from '@fieldroom/contract/clients';
import type { Change } from '@fieldroom/contract/realtime';
import type { Connection } from '../../../platform/realtime/connection.ts';
import { type GoodbyeReason, goodbyeReason } from '../joinAddress.ts';
import { answerToRefusal, fetchSeat, type SeatAnswer } from '../seat.ts';

/** Real time between two requests while the connection is not open, or after one without a usable answer. */
export const ASK_EVERY_MS = 10_000;

export type WaitingNews =
  | { kind: 'seat'; seat: Seat }
  /** The seat is lost for now: 24 people are in the room. */
  | { kind: 'full' }
  | { kind: 'connection'; lost: boolean }
  | { kind: 'in' }
  | { kind: 'goodbye'; why: GoodbyeReason };

export interface Wait {
  /** Closes the connection; no more reports. */
  stop(): void;
  /** Hands over the open connection, which `stop` then leaves alone. Returns null if none is open. */
  giveConnection(): Connection | null;
}

/**
 * Waits until the therapist decides. Takes the known seat, a function that opens the connection (its code may load
 * later), and the callbacks. After `in` and `goodbye` nothing is reported: a pending answer is older.
 */
export function waitForAdmission({
  seat,
  openConnection,
  onNews,
  ask = fetchSeat,
  everyMs = ASK_EVERY_MS,
}: {
  seat: Seat;
  openConnection: () => Promise<Connection>;
  onNews: (news: WaitingNews) => void;
  ask?: (signal: AbortSignal) => Promise<SeatAnswer>;
  everyMs?: number;
}): Wait {
  const over = new AbortController();
  let connection: Connection | null = null;
  let latestSeat = seat;
  /** Number of messages so far: an answer requested before the latest one may be older than it. */
  let messages = 0;
  let asking = false;
  let askAgain = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    over.abort();
    clearTimeout(timer);
    connection?.close();
  };
  const end = (last: WaitingNews) => {
    if (over.signal.aborted) return;
    // An admitted client keeps the connection until the page is left, so that the therapist does not see it drop.
    if (last.kind === 'in') {
      over.abort();
      clearTimeout(timer);
    } else stop();
    onNews(last);
  };
  const tell = (news: WaitingNews) => {
    if (!over.signal.aborted) onNews(news);
  };

  /** Returns whether nothing needs to be requested again while the connection is open. */
  function handleAnswer(answer: SeatAnswer, messageSince: boolean): boolean {
    switch (answer.kind) {
      case 'in':
        end({ kind: 'in' });
        return true;
      case 'gone':
        end({ kind: 'goodbye', why: answer.why });
        return true;
      case 'waiting':
        tell({ kind: 'connection', lost: false });
        if (!messageSince) latestSeat = answer.seat;
        tell({ kind: 'seat', seat: latestSeat });
        return true;
      case 'full':
        tell({ kind: 'connection', lost: false });
        tell({ kind: 'full' });
        return false;
      case 'problem':
        tell({ kind: 'connection', lost: answer.problem.code === 'offline' });
        return false;
    }
  }

  /** Requests the seat: one request at a time, and once more if another was wanted in between. */
  async function askServer(): Promise<void> {
    if (over.signal.aborted) return;
    clearTimeout(timer);
    if (asking) {
      askAgain = true;
      return;
    }
    asking = true;
    askAgain = false;
    const before = messages;
    let settled = false;
    try {
      const answer = await ask(over.signal);
      if (!over.signal.aborted) settled = handleAnswer(answer, messages !== before);
    } catch {
      // It has ended, or the answer cannot be read: requested again below.
    }
    asking = false;
    if (over.signal.aborted) return;
    if (askAgain) void askServer();
    else if (!settled || connection?.state() !== 'open') timer = setTimeout(() => void askServer(), everyMs);
  }

  const onChange = (change: Change) => {
    if (over.signal.aborted) return;
    messages += 1;
    switch (change.eventType) {
      case 'ADMISSION':
        end(change.contents.state === 'in' ? { kind: 'in' } : { kind: 'goodbye', why: change.contents.state });
        return;
      case 'SESSION_OUT':
        end({ kind: 'goodbye', why: goodbyeReason(change.contents.reason) });
        return;
      case 'UNREGISTER_USER':
        latestSeat = { ...latestSeat, therapistHere: change.contents.therapistHere };
        tell({ kind: 'seat', seat: latestSeat });
        return;
      default:
    }
  };

  openConnection().then(
    (opened) => {
      if (over.signal.aborted) {
        opened.close();
        return;
      }
      connection = opened;
      opened.onChange(onChange);
      opened.onState((state) => {
        tell({ kind: 'connection', lost: state === 'lost' });
        // The answer includes whatever happened while the connection was lost, or what ended it.
        if (state !== 'connecting') void askServer();
      });
      opened.onRefused((problem) => {
        const answer = answerToRefusal(problem);
        if (answer.kind === 'gone') end({ kind: 'goodbye', why: answer.why });
        else void askServer();
      });
      if (opened.state() === 'open') void askServer();
    },
    () => void askServer(),
  );
  timer = setTimeout(() => void askServer(), everyMs);

  return {
    stop,
    giveConnection() {
      if (connection?.state() !== 'open') return null;
      const given = connection;
      connection = null;
      return given;
    },
  };
}
