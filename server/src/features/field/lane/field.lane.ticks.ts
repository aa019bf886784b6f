/**
 * When moves of a room go out. A message costs the same with one position or ten, so moves wait a little for others.
 *
 * A room whose people are all on this node is unshared. Its first move after a pause goes out at once; moves that come
 * soon after a message wait.
 *
 * Nodes that share a room send at the same moments of the machine's clock, and tell each other shortly before: then a
 * person gets one message a tick, whatever nodes the others are on.
 */
import { TICK_MS } from '@fieldroom/contract/field';
import type { Scheduler } from './field.lane.scheduler.ts';

/** The least time between two messages of an unshared room, in milliseconds. No move waits longer than `TICK_MS`. */
const PAUSE_MS = 18;
/** Shared rooms do not all send at the same moment, so that other work comes in between. */
const GROUPS = 4;
/** How long before the tick the other nodes are told: the way over Redis, with some room. */
const LEAD_MS = 3;

export interface Ticks {
  /** Calls `send` at the room's next tick. */
  sendSoon(therapistId: number): void;
  /** Calls `tell` shortly before the next tick of a shared room. */
  tellSoon(therapistId: number): void;
  /** Sends and tells at once what is waiting, and forgets the room. */
  finish(therapistId: number): void;
  stop(): void;
}

export interface TicksParts {
  readonly scheduler: Scheduler;
  /** Whether nobody of this room is on another node. */
  isAlone(therapistId: number): boolean;
  /** To the people on this node. */
  send(therapistId: number): void;
  /** To the other nodes. */
  tell(therapistId: number): void;
}

/** The next tick of a room. */
interface NextTick {
  /** Milliseconds from now. */
  inMs: number;
  /** Has to be called when it has come. */
  onTick(): void;
}

/** Makes the ticks of all rooms. */
export function createTicks({ scheduler, isAlone, send, tell }: TicksParts): Ticks {
  const unshared = createUnsharedTicks(scheduler);
  const shared = createSharedTicks(scheduler, 0);
  const sending = createRoomTimers(
    scheduler,
    (therapistId) => (isAlone(therapistId) ? unshared : shared).next(therapistId),
    send,
  );
  const telling = createRoomTimers(scheduler, createSharedTicks(scheduler, LEAD_MS).next, tell);
  return {
    sendSoon: sending.soon,
    tellSoon: telling.soon,
    finish(therapistId) {
      telling.finish(therapistId);
      sending.finish(therapistId);
      unshared.forget(therapistId);
    },
    stop() {
      sending.stop();
      telling.stop();
    },
  };
}

/** The ticks of rooms whose people are all on this node. */
function createUnsharedTicks(scheduler: Scheduler): {
  next(therapistId: number): NextTick;
  forget(therapistId: number): void;
} {
  /** When each room sent last, by `scheduler.now`. */
  const sentAt = new Map<number, number>();
  return {
    next(therapistId) {
      const pauseMs = (sentAt.get(therapistId) ?? -Infinity) + PAUSE_MS - scheduler.now();
      return {
        // Whole milliseconds: Node keeps a list of timers for each length, and many lists cost more than they save.
        inMs: Math.round(Math.max(0, Math.min(pauseMs, TICK_MS))),
        onTick: () => void sentAt.set(therapistId, scheduler.now()),
      };
    },
    forget: (therapistId) => void sentAt.delete(therapistId),
  };
}

/** Moments of the machine's clock, this long before each tick of a shared room. */
function createSharedTicks(scheduler: Scheduler, leadMs: number): { next(therapistId: number): NextTick } {
  /** By group: the latest moment that was served. A timer of a busy process may be early. */
  const served = Array<number>(GROUPS).fill(-Infinity);
  return {
    next(therapistId) {
      const group = therapistId % GROUPS;
      const now = scheduler.clock();
      const shiftMs = (group * TICK_MS) / GROUPS - leadMs;
      const next = (Math.floor((now - shiftMs) / TICK_MS) + 1) * TICK_MS + shiftMs;
      // Further ahead means that the clock was set back.
      const isServed = next <= served[group]! && served[group]! - next < TICK_MS;
      const at = isServed ? next + TICK_MS : next;
      return { inMs: at - now, onTick: () => void (served[group] = at) };
    },
  };
}

/** Does work for rooms at their next ticks: one timer for each room. */
function createRoomTimers(
  scheduler: Scheduler,
  next: (therapistId: number) => NextTick,
  work: (therapistId: number) => void,
): { soon(therapistId: number): void; finish(therapistId: number): void; stop(): void } {
  /** Cancels the timer of a room. */
  const due = new Map<number, () => void>();
  return {
    soon(therapistId) {
      if (due.has(therapistId)) return;
      const { inMs, onTick } = next(therapistId);
      const cancel = scheduler.after(inMs, () => {
        due.delete(therapistId);
        onTick();
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
