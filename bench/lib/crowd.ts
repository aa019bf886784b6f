/**
 * The load of the fan-out bench: people with one figure each, who move it 30 times a second and note when the others'
 * positions arrive. It knows the contenders by `Contender` alone, and gives all of them the same work.
 *
 * A position carries its number in its place (x and y with half steps, so that the numbers are as long as in a
 * browser); the time of sending is in a ring buffer beside the figure. Sending and arriving are read from one clock, as
 * all people live in this process.
 */
import { createHistogram, type Histogram } from './numbers.ts';
import { sleep, until } from './processes.ts';

export const PEOPLE = 25;
export const PER_SECOND = 30;
const RING = 4096;
const STEP_MS = 1000 / PER_SECOND;

/** What one person sees of a figure at the end. */
export interface Place {
  x: number;
  y: number;
}

/** One person's connection to a contender's server. */
export interface Member {
  /** Sends a position that need not be kept. */
  drag(x: number, y: number): void;
  /** Sends a last position, to be kept where the contender keeps anything. */
  drop(x: number, y: number): void;
  /** Places of all figures of the room that were dropped, as this person knows them, by figure number 0 to 24. */
  readonly dropped: Map<number, Place>;
}

export interface Room {
  readonly members: Member[];
  /** The dropped places as the server has them; null when it keeps none. */
  truth(): Promise<Map<number, Place> | null>;
  /** Called for each position that arrives: who saw it (0 to 24), whose figure it is, and where. */
  onPosition: ((seenBy: number, figure: number, x: number, y: number) => void) | null;
}

export interface Contender {
  readonly name: string;
  readonly keepsActs: boolean;
  readonly pid: number;
  /** Creates rooms until there are this many, and returns them. */
  rooms(count: number): Promise<Room[]>;
  /** What ended connections or refused work since the last look, in words; empty when all is well. */
  complaints(): string[];
  stop(): Promise<void>;
}

export interface Measured {
  sent: number;
  delivered: number;
  /**
   * Delivered of what everybody else should have seen; a position that a newer one overtook within a tick is not
   * delivered.
   */
  share: number;
  p50: number;
  p99: number;
  seconds: number;
  /** CPU of the server's process, ms. */
  cpuMs: number;
  /** Of one core. */
  serverLoad: number;
  generatorLoad: number;
  microsPerDelivery: number;
  /** How late the generator itself was with sending, p99 ms. */
  lateP99: number;
  /** Dropped places that did not arrive at everybody within 10 s, over all people. */
  actsMissing: number;
  /** Everybody's field equals the others' and the server's. */
  equal: boolean;
  complaints: string[];
}

/**
 * The number that the next run begins with: places go on from run to run. If each began at the same place, two runs of
 * a quiet machine could drop all figures where they lie already; our server tells nobody of what changed nothing, and
 * the comparison would wait for it in vain.
 */
let nextRun = 0;

const placeOf = (number: number): Place => ({ x: (number % 1500) + 50.5, y: (Math.floor(number / 1500) % 900) + 50.5 });
const numberOf = (x: number, y: number): number => Math.round(y - 50.5) * 1500 + Math.round(x - 50.5);

/** Lets everybody in the rooms drag for `seconds` (after `warmSeconds` that don't count), then drop, and compares. */
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
  // What ended lines while others had their turn would show as a run without deliveries: then the table has to say so.
  const before = contender.complaints().map((complaint) => `${complaint} before the run`);

  // Hands don't move in step: each has its own place in the 33 ms.
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
      // What was missed is not sent after: a browser sends the newest place only.
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

  // All let go within a second while the others still drag.
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
    const truth = (await room.truth()) ?? room.members[0]!.dropped;
    for (const member of room.members)
      for (let figure = 0; figure < PEOPLE; figure++)
        if (!same(member.dropped.get(figure), truth.get(figure))) equal = false;
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
