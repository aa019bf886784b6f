/**
 * Waiting at the door, without React: the line tells what happens, the server is asked where the line may have missed
 * something, and the end is told exactly once, whatever comes first.
 */
import type { Seat } from '@fieldroom/contract/clients';
import type { Change } from '@fieldroom/contract/realtime';
import type { Connection } from '../../platform/realtime/connection.ts';
import { askSeat, type ByeReason, byeReason, type SeatAnswer, seatRefused } from './entry.ts';

/** Real time between two questions while the line is not open, or where the last answer was no answer. */
export const ASK_EVERY_MS = 10_000;

export type News =
  | { kind: 'seat'; seat: Seat }
  /** The place in the room is lost for now: 24 are in. */
  | { kind: 'full' }
  | { kind: 'line'; lost: boolean }
  | { kind: 'in' }
  | { kind: 'bye'; why: ByeReason };

export interface Wait {
  /** Nothing is told any more; the line is closed. */
  stop(): void;
}

/**
 * Waits. In: the seat as known, how the line is opened (its code may come later), who is told. After `in` and `bye`
 * nothing more is told: an answer that was on its way when the word came is older than the word.
 */
export function waitAtDoor({
  seat,
  openLine,
  told,
  ask = askSeat,
  everyMs = ASK_EVERY_MS,
}: {
  seat: Seat;
  openLine: () => Promise<Connection>;
  told: (news: News) => void;
  ask?: (signal: AbortSignal) => Promise<SeatAnswer>;
  everyMs?: number;
}): Wait {
  const over = new AbortController();
  let channel: Connection | null = null;
  let standing = seat;
  /** Words heard so far: an answer asked for before the latest of them may be older than it. */
  let heard = 0;
  let asking = false;
  let askAgain = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const stop = () => {
    over.abort();
    clearTimeout(timer);
    channel?.close();
  };
  const end = (last: News) => {
    if (over.signal.aborted) return;
    // Whoever is let in keeps the line until the page is left, so that the therapist does not see it drop.
    if (last.kind === 'in') {
      over.abort();
      clearTimeout(timer);
    } else stop();
    told(last);
  };
  const tell = (news: News) => {
    if (!over.signal.aborted) told(news);
  };

  /** Out: whether the question is settled as long as the line is open. */
  function take(answer: SeatAnswer, wordsSince: boolean): boolean {
    switch (answer.kind) {
      case 'in':
        end({ kind: 'in' });
        return true;
      case 'gone':
        end({ kind: 'bye', why: answer.why });
        return true;
      case 'waiting':
        tell({ kind: 'line', lost: false });
        if (!wordsSince) standing = answer.seat;
        tell({ kind: 'seat', seat: standing });
        return true;
      case 'full':
        tell({ kind: 'line', lost: false });
        tell({ kind: 'full' });
        return false;
      case 'problem':
        tell({ kind: 'line', lost: answer.problem.code === 'offline' });
        return false;
    }
  }

  /** Asks where we stand; one question at a time, and once more when somebody wanted to know meanwhile. */
  async function look(): Promise<void> {
    if (over.signal.aborted) return;
    clearTimeout(timer);
    if (asking) {
      askAgain = true;
      return;
    }
    asking = true;
    askAgain = false;
    const before = heard;
    let settled = false;
    try {
      const answer = await ask(over.signal);
      if (!over.signal.aborted) settled = take(answer, heard !== before);
    } catch {
      // Ended meanwhile, or nothing that can be read: asked again below.
    }
    asking = false;
    if (over.signal.aborted) return;
    if (askAgain) void look();
    else if (!settled || channel?.state() !== 'open') timer = setTimeout(() => void look(), everyMs);
  }

  const hear = (change: Change) => {
    if (over.signal.aborted) return;
    heard += 1;
    switch (change.eventType) {
      case 'ADMISSION':
        end(change.contents.state === 'in' ? { kind: 'in' } : { kind: 'bye', why: change.contents.state });
        return;
      case 'SESSION_OUT':
        end({ kind: 'bye', why: byeReason(change.contents.reason) });
        return;
      case 'UNREGISTER_USER':
        standing = { ...standing, therapistHere: change.contents.therapistHere };
        tell({ kind: 'seat', seat: standing });
        return;
      default:
    }
  };

  openLine().then(
    (opened) => {
      if (over.signal.aborted) {
        opened.close();
        return;
      }
      channel = opened;
      opened.onChange(hear);
      opened.onState((line) => {
        tell({ kind: 'line', lost: line === 'lost' });
        // Whatever happened while the line was down, or ended it, is in the answer.
        if (line !== 'connecting') void look();
      });
      opened.onRefused((problem) => {
        const answer = seatRefused(problem);
        if (answer.kind === 'gone') end({ kind: 'bye', why: answer.why });
        else void look();
      });
      if (opened.state() === 'open') void look();
    },
    () => void look(),
  );
  timer = setTimeout(() => void look(), everyMs);

  return { stop };
}
