/**
 * When moves of a room go out. Every node sends those of one room at the same moments of the machine's clock, and tells
 * the other nodes shortly before: then a person gets one message a tick, whatever nodes the others are on. A message
 * costs the same with one position or ten.
 */
import { TICK_MS } from '@fieldroom/contract/field';
import type { Scheduler } from './field.lane.scheduler.ts';

/** Rooms do not all send at the same moment, so that other work comes in between. */
const GROUPS = 4;
/** How long before the tick the other nodes are told: the way over Redis, with some room. */
const LEAD_MS = 3;

export interface Ticks {
  /** Calls `send` at the room's next tick. */
  sendSoon(therapistId: number): void;
  /** Calls `tell` shortly before the room's next tick. */
  tellSoon(therapistId: number): void;
  /** Does at once what was to come. */
  finish(therapistId: number): void;
  stop(): void;
}

export interface TicksParts {
  readonly scheduler: Pick<Scheduler, 'clock' | 'after'>;
  /** To the people on this node. */
  send(therapistId: number): void;
  /** To the other nodes. */
  tell(therapistId: number): void;
}

/** Makes the ticks of all rooms. */
export function createTicks({ scheduler, send, tell }: TicksParts): Ticks {
  const sending = createRhythm(scheduler, 0, send);
  const telling = createRhythm(scheduler, LEAD_MS, tell);
  return {
    sendSoon: sending.soon,
    tellSoon: telling.soon,
    finish(therapistId) {
      telling.finish(therapistId);
      sending.finish(therapistId);
    },
    stop() {
      sending.stop();
      telling.stop();
    },
  };
}

/** Work for rooms, each time this long before a tick. */
function createRhythm(
  scheduler: TicksParts['scheduler'],
  leadMs: number,
  work: (therapistId: number) => void,
): { soon(therapistId: number): void; finish(therapistId: number): void; stop(): void } {
  /** How to take back what is due, by room. */
  const due = new Map<number, () => void>();
  /** By group: the latest moment that was served. A timer of a busy process may be early. */
  const served = Array<number>(GROUPS).fill(-Infinity);

  function nextMoment(now: number, group: number): number {
    const shiftMs = (group * TICK_MS) / GROUPS - leadMs;
    const at = (Math.floor((now - shiftMs) / TICK_MS) + 1) * TICK_MS + shiftMs;
    // Further ahead means that the clock was set back.
    const isServed = at <= served[group]! && served[group]! - at < TICK_MS;
    return isServed ? at + TICK_MS : at;
  }

  return {
    soon(therapistId) {
      if (due.has(therapistId)) return;
      const group = therapistId % GROUPS;
      const now = scheduler.clock();
      const at = nextMoment(now, group);
      const cancel = scheduler.after(at - now, () => {
        due.delete(therapistId);
        served[group] = at;
        work(therapistId);
      });
      due.set(therapistId, cancel);
    },
    finish(therapistId) {
      const cancel = due.get(therapistId);
      if (cancel === undefined) return;
      cancel();
      due.delete(therapistId);
      work(therapistId);
    },
    stop() {
      for (const cancel of due.values()) cancel();
      due.clear();
    },
  };
}
