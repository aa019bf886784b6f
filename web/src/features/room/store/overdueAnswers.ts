/** Notices when the answer to a sent act is late. */
import { ANSWER_EXPECTED_MS } from '@fieldroom/contract/realtime';

export interface OverdueAnswers {
  /** An act was sent on this connection. */
  sent(actId: string): void;
  /** Whether an act was sent on this connection and is unanswered. */
  isSent(actId: string): boolean;
  /** Number of unanswered acts on this connection. */
  waiting(): number;
  /** The act will be sent again later. */
  forget(actId: string): void;
  /** The connection was lost or opened again: earlier messages may not have arrived. */
  forgetAll(): void;
  /** Some acts were answered; takes the ids of the unanswered ones. */
  settle(pending: readonly string[]): void;
  /** Whether an answer is late. */
  overdue(): boolean;
  stop(): void;
}

/** Takes a function to call when an answer becomes late. */
export function createOverdueAnswers(onOverdue: () => void): OverdueAnswers {
  /** When each act was sent, in ms of real time. */
  const sentAt = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let overdue = false;

  const watch = () => {
    clearTimeout(timer);
    const leftMs = Math.min(...sentAt.values()) + ANSWER_EXPECTED_MS - performance.now();
    overdue = leftMs <= 0;
    if (overdue || leftMs === Infinity) return;
    timer = setTimeout(() => {
      watch();
      onOverdue();
    }, leftMs);
  };

  return {
    sent(actId) {
      sentAt.set(actId, performance.now());
      watch();
    },
    isSent: (actId) => sentAt.has(actId),
    waiting: () => sentAt.size,
    forget(actId) {
      sentAt.delete(actId);
      watch();
    },
    forgetAll() {
      sentAt.clear();
      watch();
    },
    settle(pending) {
      const waiting = new Set(pending);
      for (const actId of sentAt.keys()) if (!waiting.has(actId)) sentAt.delete(actId);
      watch();
    },
    overdue: () => overdue,
    stop: () => clearTimeout(timer),
  };
}
