/**
 * When moves of a room go out. A message costs the same with one position or ten, so they are gathered for a tick.
 *
 * A room whose people are all on this node goes by itself: after a rest its first move goes out at once; what comes
 * soon after a message waits for more.
 *
 * The nodes that share a room send at the same moments of the machine's clock, and tell each other shortly before: then
 * a person gets one message a tick, whatever nodes the others are on.
 */
import { TICK_MS } from '@fieldroom/contract/field';
import type { Scheduler } from './field.lane.scheduler.ts';

/** The least time between two messages of a room that this node has for itself, in milliseconds. */
const REST_MS = 18;
/** Shared rooms do not all send at the same moment, so that other work comes in between. */
const GROUPS = 4;
/** How long before the tick the other nodes are told: the way over Redis, with some room. */
const LEAD_MS = 3;

export interface Ticks {
  /** Calls `send` at the room's next tick, which is at most `TICK_MS` away. */
  sendSoon(therapistId: number): void;
  /** Calls `tell` shortly before the shared room's next tick. */
  tellSoon(therapistId: number): void;
  /** Does at once what was to come, and forgets the room. */
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

/** How long something waits, in milliseconds, and what to call when it is done. */
interface Wait {
  ms: number;
  over(): void;
}

/** Makes the ticks of all rooms. */
export function createTicks({ scheduler, isAlone, send, tell }: TicksParts): Ticks {
  const rests = createRests(scheduler);
  const sendGrid = createGrid(scheduler, 0);
  const sending = createDue(
    scheduler,
    (therapistId) => (isAlone(therapistId) ? rests.next(therapistId) : sendGrid.next(therapistId)),
    send,
  );
  const telling = createDue(scheduler, createGrid(scheduler, LEAD_MS).next, tell);
  return {
    sendSoon: sending.soon,
    tellSoon: telling.soon,
    finish(therapistId) {
      telling.finish(therapistId);
      sending.finish(therapistId);
      rests.forget(therapistId);
    },
    stop() {
      sending.stop();
      telling.stop();
    },
  };
}

/** The ticks of rooms that this node has for itself. */
function createRests(scheduler: Scheduler): { next(therapistId: number): Wait; forget(therapistId: number): void } {
  /** When each room has sent last, as `scheduler.now`. */
  const sent = new Map<number, number>();
  return {
    next(therapistId) {
      const now = scheduler.now();
      const restMs = (sent.get(therapistId) ?? -Infinity) + REST_MS - now;
      // Whole milliseconds: Node keeps a list of timers for each length.
      const ms = Math.round(Math.max(0, Math.min(restMs, TICK_MS)));
      return { ms, over: () => void sent.set(therapistId, scheduler.now()) };
    },
    forget: (therapistId) => void sent.delete(therapistId),
  };
}

/** Moments of the machine's clock, this long before each tick of a shared room. */
function createGrid(scheduler: Scheduler, leadMs: number): { next(therapistId: number): Wait } {
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
      return { ms: at - now, over: () => void (served[group] = at) };
    },
  };
}

/** Work that is due for rooms, at most once for each. */
function createDue(
  scheduler: Scheduler,
  next: (therapistId: number) => Wait,
  work: (therapistId: number) => void,
): { soon(therapistId: number): void; finish(therapistId: number): void; stop(): void } {
  /** How to take it back, by room. */
  const due = new Map<number, () => void>();
  return {
    soon(therapistId) {
      if (due.has(therapistId)) return;
      const wait = next(therapistId);
      const cancel = scheduler.after(wait.ms, () => {
        due.delete(therapistId);
        wait.over();
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
