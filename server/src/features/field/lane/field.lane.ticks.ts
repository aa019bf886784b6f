/**
 * When moves of a room are sent. The first after a pause is sent at once. Moves soon after a message wait for more,
 * because a message costs the same with one position or ten.
 *
 * Nodes that share a room then send at the same moments of the machine's clock, and tell each other shortly before. So
 * a person gets one message per tick, whichever nodes the others are on. A room whose people are all on this node needs
 * no such moments.
 */
import { TICK_MS } from '@fieldroom/contract/field';
import type { Scheduler } from './field.lane.scheduler.ts';

/** After this many milliseconds without a message of its room a move is sent at once. */
const PAUSE_MS = 18;
/** Shared rooms do not all send at the same moment, so that other work can run in between. */
const GROUPS = 4;
/** How long before the tick the other nodes are told: the way over Redis, with some room. */
const LEAD_MS = 3;

export interface Ticks {
  /** Calls `send` at the room's next tick. */
  sendSoon(therapistId: number): void;
  /** Calls `tell` at the next tick of a shared room, or shortly before. */
  tellSoon(therapistId: number): void;
  /** Sends and tells at once what is waiting, and forgets the room. */
  finish(therapistId: number): void;
  stop(): void;
}

export interface TicksParts {
  readonly scheduler: Scheduler;
  /** Whether no person of this room is on another node. */
  isAlone(therapistId: number): boolean;
  /** To the people on this node. */
  send(therapistId: number): void;
  /** To the other nodes. */
  tell(therapistId: number): void;
}

/** When a room that had no pause has its next tick. */
interface NextTick {
  /** Milliseconds from now. */
  inMs: number;
  /** Call it when the tick has come. */
  onTick?(): void;
}

/** Makes the ticks of all rooms. */
export function createTicks({ scheduler, isAlone, send, tell }: TicksParts): Ticks {
  const nextShared = createSharedTicks(scheduler, 0);
  const sending = createRoomTimers(
    scheduler,
    (therapistId, sinceMs) => (isAlone(therapistId) ? nextUnshared(sinceMs) : nextShared(therapistId)),
    send,
  );
  const telling = createRoomTimers(scheduler, createSharedTicks(scheduler, LEAD_MS), tell);
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

/** The next tick of a room whose people are all on this node, and which sent this many milliseconds ago. */
const nextUnshared = (sinceMs: number): NextTick => ({
  // Whole milliseconds: Node keeps a list of timers for each length, and many lists cost more than they save.
  inMs: Math.min(Math.round(PAUSE_MS - sinceMs), TICK_MS),
});

/** Finds moments of the machine's clock, this long before each tick of a shared room. */
function createSharedTicks(scheduler: Scheduler, leadMs: number): (therapistId: number) => NextTick {
  /** By group: the latest moment that was served. A timer of a busy process may be early. */
  const served = Array<number>(GROUPS).fill(-Infinity);
  return (therapistId) => {
    const group = therapistId % GROUPS;
    const now = scheduler.clock();
    const shiftMs = (group * TICK_MS) / GROUPS - leadMs;
    const next = (Math.floor((now - shiftMs) / TICK_MS) + 1) * TICK_MS + shiftMs;
    // Further ahead means that the clock was set back.
    const isServed = next <= served[group]! && served[group]! - next < TICK_MS;
    const at = isServed ? next + TICK_MS : next;
    return { inMs: at - now, onTick: () => void (served[group] = at) };
  };
}

/**
 * Does work for rooms: at once after a pause, otherwise at the room's next tick. `next` finds that tick; it gets the
 * milliseconds since the last time.
 */
function createRoomTimers(
  scheduler: Scheduler,
  next: (therapistId: number, sinceMs: number) => NextTick,
  work: (therapistId: number) => void,
): { soon(therapistId: number): void; finish(therapistId: number): void; stop(): void } {
  /** Cancels the timer of a room. */
  const due = new Map<number, () => void>();
  /** When the work was last done, by `scheduler.now`. */
  const doneAt = new Map<number, number>();
  return {
    soon(therapistId) {
      if (due.has(therapistId)) return;
      const sinceMs = scheduler.now() - (doneAt.get(therapistId) ?? -Infinity);
      const { inMs, onTick }: NextTick = sinceMs >= PAUSE_MS ? { inMs: 0 } : next(therapistId, sinceMs);
      const cancel = scheduler.after(inMs, () => {
        due.delete(therapistId);
        doneAt.set(therapistId, scheduler.now());
        onTick?.();
        work(therapistId);
      });
      due.set(therapistId, cancel);
    },
    finish(therapistId) {
      doneAt.delete(therapistId);
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
