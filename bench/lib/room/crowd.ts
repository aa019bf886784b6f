/**
 * The load of the fan-out benchmark: people who each move one figure 30 times a second and measure when the others'
 * positions arrive. All servers get the same load, through the interface `Contender`.
 *
 * The coordinates of a position encode its number (with half units, so that they are as long as a browser's); a ring
 * buffer for each figure keeps the time of sending. One clock measures sending and arrival, because all people are in
 * this process.
 */
import { createHistogram, type Histogram } from '../numbers.ts';
import { sleep, until } from '../service/processes.ts';

export const PEOPLE = 25;
export const PER_SECOND = 30;
const RING = 4096;
export const STEP_MS = 1000 / PER_SECOND;

/** The position of a figure. */
export interface Place {
  x: number;
  y: number;
}

/** One person's connection to a contender's server. */
export interface Member {
  /** Sends a position that need not be stored. */
  drag(x: number, y: number): void;
  /** Sends a last position, which the server stores if it stores anything. */
  drop(x: number, y: number): void;
  /** The last dropped position of each figure of the room, as this person received it, by figure number 0 to 24. */
  readonly dropped: Map<number, Place>;
}

export interface Room {
  readonly members: Member[];
  /** The dropped positions as the server has stored them; null when it stores none. */
  stored(): Promise<Map<number, Place> | null>;
  /** Called for each position that arrives: the numbers of receiver and figure (0 to 24), and the position. */
  onPosition: ((seenBy: number, figure: number, x: number, y: number) => void) | null;
}

export interface Contender {
  readonly name: string;
  readonly keepsActs: boolean;
  readonly pid: number;
  /** Creates rooms until there are this many, and returns them. */
  rooms(count: number): Promise<Room[]>;
  /** Descriptions of closed connections and refused messages since the last call; empty when there were none. */
  complaints(): string[];
  stop(): Promise<void>;
}

export interface Measured {
  sent: number;
  delivered: number;
  /** The share of positions that were delivered. A position that a newer one replaced within a tick is not. */
  share: number;
  p50: number;
  p99: number;
  seconds: number;
  /** CPU of the server's process, ms. */
  cpuMs: number;
  /** Share of one core. */
  serverLoad: number;
  generatorLoad: number;
  microsPerDelivery: number;
  /** How late the generator sent, p99 in ms. */
  lateP99: number;
  /** Drops that did not arrive within 10 s, summed over all people. */
  actsMissing: number;
  /** Whether everybody's field equals the server's. */
  equal: boolean;
  complaints: string[];
}

/**
 * The first number of the next run. If every run began at the same position, two runs could drop all figures where they
 * already are; our server does not announce an act that changes nothing, and the comparison would wait for it.
 */
let nextRun = 0;

/** The position of a number, up to 1,350,000. */
export const placeOf = (number: number): Place => ({
  x: (number % 1500) + 50.5,
  y: (Math.floor(number / 1500) % 900) + 50.5,
});
/** The number that a position stands for; the inverse of `placeOf`. */
export const numberOf = (x: number, y: number): number => Math.round(y - 50.5) * 1500 + Math.round(x - 50.5);

/**
 * Everybody in the rooms drags for `seconds`, after `warmSeconds` that do not count, and then drops. Returns what was
 * measured.
 */
export async function drag(
  contender: Contender,
  rooms: Room[],
  seconds: number,
  cpuOf: (pid: number) => number,
  warmSeconds = 2,
): Promise<Measured> {
  const latency: Histogram = createHistogram();
  const lateness: Histogram = createHistogram();
  let counting = false;
  let sent = 0;
  let delivered = 0;

  interface Hand {
    member: Member;
    due: number;
    next: number;
    times: Float64Array;
    done: boolean;
  }
  const hands: Hand[] = [];
  for (const room of rooms) {
    const own = room.members.map((member): Hand => ({
      member,
      due: 0,
      next: nextRun,
      times: new Float64Array(RING),
      done: false,
    }));
    hands.push(...own);
    room.onPosition = (seenBy, figure, x, y) => {
      if (seenBy === figure || !counting) return;
      const at = own[figure]!.times[numberOf(x, y) % RING]!;
      if (at === 0) return;
      delivered++;
      latency.add(performance.now() - at);
    };
    for (const member of room.members) member.dropped.clear();
  }
  // A connection that closed before this run would look like a run without deliveries, so report it.
  const before = contender.complaints().map((complaint) => `${complaint} before the run`);

  // People do not move at the same instant: each has its own phase within the 33 ms.
  const begin = performance.now() + 50;
  hands.forEach((hand, index) => {
    hand.due = begin + ((index * 0.618_033_988_7) % 1) * STEP_MS;
  });
  const order = hands.toSorted((a, b) => a.due - b.due);
  let at = 0;
  let stopped = false;
  const move = () => {
    if (stopped) return;
    const now = performance.now();
    for (let steps = 0; steps < order.length; steps++) {
      const hand = order[at]!;
      if (hand.due > now) break;
      at = (at + 1) % order.length;
      const late = now - hand.due;
      // Missed positions are not sent later, because a browser sends only the newest one.
      do hand.due += STEP_MS;
      while (hand.due <= now);
      if (hand.done) continue;
      const number = hand.next++;
      const { x, y } = placeOf(number);
      const time = performance.now();
      hand.times[number % RING] = time;
      hand.member.drag(x, y);
      if (counting) {
        sent++;
        lateness.add(late);
      }
    }
    setTimeout(move, 1);
  };
  setTimeout(move, 1);

  await sleep(warmSeconds * 1000);
  counting = true;
  const cpuBefore = cpuOf(contender.pid);
  const ownBefore = process.cpuUsage();
  const startedAt = performance.now();
  await sleep(seconds * 1000);
  counting = false;
  const measuredMs = performance.now() - startedAt;
  const cpuMs = cpuOf(contender.pid) - cpuBefore;
  const own = process.cpuUsage(ownBefore);

  // Everybody drops within a second, while the others still drag.
  const dropGap = 1000 / PEOPLE;
  const last = new Map<Room, Map<number, Place>>();
  for (const room of rooms) last.set(room, new Map());
  for (let index = 0; index < PEOPLE; index++) {
    rooms.forEach((room, number) => {
      const hand = hands[number * PEOPLE + index]!;
      hand.done = true;
      const place = placeOf(hand.next + 7);
      last.get(room)!.set(index, place);
      hand.member.drop(place.x, place.y);
    });
    await sleep(dropGap);
  }
  nextRun = Math.max(...hands.map(({ next }) => next)) + 100;
  const same = (a: Place | undefined, b: Place | undefined) =>
    a !== undefined && b !== undefined && a.x === b.x && a.y === b.y;
  const missing = () => {
    let count = 0;
    for (const room of rooms)
      for (const member of room.members)
        for (const [figure, place] of last.get(room)!) if (!same(member.dropped.get(figure), place)) count++;
    return count;
  };
  await until('all drops', () => missing() === 0, 10_000, 50).catch(() => undefined);
  stopped = true;
  const actsMissing = missing();
  let equal = actsMissing === 0;
  for (const room of rooms) {
    room.onPosition = null;
    const stored = (await room.stored()) ?? room.members[0]!.dropped;
    for (const member of room.members)
      for (let figure = 0; figure < PEOPLE; figure++)
        if (!same(member.dropped.get(figure), stored.get(figure))) equal = false;
  }

  return {
    sent,
    delivered,
    share: delivered / (sent * (PEOPLE - 1)),
    p50: latency.at(0.5),
    p99: latency.at(0.99),
    seconds: measuredMs / 1000,
    cpuMs,
    serverLoad: cpuMs / measuredMs,
    generatorLoad: (own.user + own.system) / 1000 / measuredMs,
    microsPerDelivery: (cpuMs * 1000) / delivered,
    lateP99: lateness.at(0.99),
    actsMissing,
    equal,
    complaints: [...before, ...contender.complaints()],
  };
}
