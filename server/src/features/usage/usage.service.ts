/**
 * The timer of each therapist: when it runs, what ends it, the trial, and warnings. The database is the truth; every
 * change is part of an act on the room, under the lock of its row. The numbered rules are in README.md.
 */
import { THERAPIST_AWAY_MINUTES } from '@fieldroom/contract/clients';
import type { DialogName, Plan, Timer, Usage } from '@fieldroom/contract/usage';
import { Problem } from '../../platform/problem.ts';
import { roomDestination } from '@fieldroom/contract/realtime';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Queryable, Tx } from '../../platform/db/db.ts';
import { createLoneNode, type Nodes } from '../../platform/nodes/nodes.ts';
import { createSharedReads } from '../../platform/scheduling/shared-reads.ts';
import type { Clients } from '../clients/index.ts';
import {
  type AfterCommit,
  NO_OTHER_NODES,
  type Publish,
  type Room,
  type RoomNodes,
  type RoomRow,
} from '../room/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { createCounters } from './timer/usage.counters.ts';
import type { UsageEmails } from './emails/usage.emails.ts';
import * as rules from './timer/usage.rules.ts';
import type { Counter, Due } from './timer/usage.rules.ts';
import * as store from './usage.store.ts';
import { createTabs } from './timer/usage.tabs.ts';

/** The live session ends this long after the therapist has gone. */
const AWAY_MS = THERAPIST_AWAY_MINUTES * 60_000;
/** A page that is loaded again, or a connection that was lost for a moment, is back by then. */
const RELOAD_MS = 60_000;
/** How long a counter is used that another node may have changed. */
const SHARED_COUNTER_MS = 2_000;
/** The sign of life is written this often while a timer runs, in real and in product time. */
const HEARTBEAT_MS = 20_000;

export interface UsageParts {
  db: Db;
  room: Pick<Room, 'act' | 'lock' | 'lockAll' | 'tell' | 'row'>;
  clock: Pick<Clock, 'moment' | 'refresh'>;
  sessions: Pick<
    Sessions,
    'running' | 'endWithin' | 'isConnected' | 'setCountedSeconds' | 'onOpening' | 'onEnding' | 'onFirstAttended'
  >;
  clients: Pick<Clients, 'people' | 'onPeopleChanged'>;
  /** Whether somebody in the room sends sound or picture. */
  mediaFlows: (therapistId: number, on: Queryable) => boolean | Promise<boolean>;
  publish: Publish;
  mail: UsageEmails;
  nodes?: Pick<Nodes, 'isShared' | 'hasOthers' | 'lastTimes'>;
  roomNodes?: RoomNodes;
  log: { error(fields: object, message: string): void };
}

export interface UsageService {
  /** The timer as it is now, from memory if it was asked for before. */
  timerOf(therapistId: number): Promise<Timer>;
  isCounting(therapistId: number): boolean;
  /** Plan, timer and figures of the overview. */
  usageOf(therapistId: number): Promise<Usage>;
  /** Problems: `no_live_session`, `trial_over`. */
  start(therapistId: number, tab?: string): Promise<void>;
  stop(therapistId: number): Promise<void>;
  /** Schedules the stop that a tab wants, this many seconds from now. */
  scheduleStop(therapistId: number, seconds: number, tab?: string): Promise<void>;
  /** Writes the email about the fourth hour, if it is due. */
  sendFourHourMail(therapistId: number): Promise<void>;
  /** Whether the caller shows the dialog about the fourth hour: true once. */
  claimFourHours(therapistId: number): Promise<boolean>;
  /** For `field.onAct`: something changed on a field. */
  acted(therapistId: number): void;
  /** For `sessions.onHere`: remembers that a therapist is away, and goes on counting after a restart. */
  therapistHere(therapistId: number, here: boolean, how?: { elsewhere: boolean }): void;
  planOf(on: Queryable, therapistId: number): Promise<{ plan: Plan; professionalSince: Date | null }>;
  /**
   * Ends the trial, in a transaction of the caller: the only way to do so (docs/product.md#7.9). A running interval is
   * split. Does nothing the second time. Takes the lock of the room's row.
   */
  becomeProfessional(tx: Tx, therapistId: number): Promise<void>;
  /** Whole seconds of professional use in a span, by therapist. */
  billedSeconds: typeof store.billedSeconds;
  /** Does everything that is due now. */
  settle(): Promise<void>;
  /** Every second: does what is due, and writes the sign of life. */
  sweep(): Promise<void>;
  /** Ends intervals without a running live session, and those whose stop is overdue. */
  stopForgotten(): Promise<{ stopped: number }>;
  /**
   * At the start of the server, before anybody connects: ends what a crash left running. `isAlone`: no other node
   * counts.
   */
  afterStart(how: { isAlone: boolean }): Promise<void>;
  /** Ends all intervals at this moment. */
  stopAll(): Promise<void>;
}

/** A change of one counter, in a transaction that holds the lock of the room's row. */
interface Turn {
  readonly tx: Tx;
  readonly therapistId: number;
  /** The moment of the change. */
  readonly nowMs: number;
  readonly person: store.UsageRow['person'];
  readonly before: Counter;
  readonly dueBeforeMs: number | null;
  counter: Counter;
  running: store.UsageRow['running'];
  /** Dialogs to open after the commit. */
  dialogs: { dialog: DialogName; until: string | null }[];
  /** Why the live session ends in this transaction; null if it goes on. */
  ending: 'trial_over' | 'timed_out' | null;
}

/** Makes the timers of all therapists. */
export function createUsageService({
  db,
  room,
  clock,
  sessions,
  clients,
  mediaFlows,
  publish,
  mail,
  nodes = createLoneNode(),
  roomNodes = NO_OTHER_NODES,
  log,
}: UsageParts): UsageService {
  const { isShared } = nodes;
  const freshTimers = createSharedReads<Timer>();
  const counters = createCounters(
    async (therapistId) => (await store.readUsageRow(db, therapistId))?.counter ?? rules.NEW_COUNTER,
    isShared ? SHARED_COUNTER_MS : Infinity,
  );
  const tabs = createTabs();
  /** Product time in ms at which somebody else was in the room or acted last, by therapist with a live session. */
  const lastStirs = new Map<number, number>();
  /** The same for acts on the field alone. */
  const lastActs = new Map<number, number>();
  /** Product time in ms since which a therapist in a live session has no connection. */
  const awaySince = new Map<number, number>();
  /** What other nodes have to know of the two, roughly. */
  const times = { stir: nodes.lastTimes('usage stirred'), act: nodes.lastTimes('usage acted') };
  let heartbeat = { realMs: -Infinity, productMs: -Infinity };

  const quietSince = (therapistId: number) => lastStirs.get(therapistId) ?? -Infinity;
  const faulty = (error: unknown) => log.error({ err: error }, 'a timer could not be changed');

  /** Until when a therapist is taken to be in the room. After a restart only a connection tells. */
  const hereUntil = async ({ tx, therapistId }: Turn) =>
    (await sessions.isConnected(tx, therapistId)) ? Infinity : (awaySince.get(therapistId) ?? -Infinity) + RELOAD_MS;

  /** When the live session ends without its therapist; Infinity while they are here. */
  const awayEnd = (therapistId: number) => (awaySince.get(therapistId) ?? Infinity) + AWAY_MS;

  /** What is told of a counter now. It holds where the live session is about to end without its therapist. */
  function timerNow(therapistId: number, counter: Counter): Timer {
    const stopMs = Math.min(counter.stopMs ?? Infinity, awayEnd(therapistId));
    return rules.timerAt(stopMs === Infinity ? counter : { ...counter, stopMs }, clock.moment());
  }

  // ---- one change

  async function begin(tx: Tx, therapistId: number, untilMs = Infinity): Promise<Turn | null> {
    const row = await store.readUsageRow(tx, therapistId);
    if (row === null) return null;
    if (isShared) await catchUp(tx, therapistId);
    return {
      tx,
      therapistId,
      nowMs: Math.min(row.nowMs, untilMs),
      person: row.person,
      before: row.counter,
      dueBeforeMs: row.dueMs,
      counter: row.counter,
      running: row.running,
      dialogs: [],
      ending: null,
    };
  }

  /**
   * Brings to memory what other nodes know. The lock of the room's row keeps it true until the end of the transaction.
   */
  async function catchUp(tx: Tx, therapistId: number): Promise<void> {
    tabs.read(therapistId, await store.readTabs(tx, therapistId));
    for (const [known, shared] of [
      [lastStirs, times.stir],
      [lastActs, times.act],
    ] as const) {
      const atMs = (await shared.read(tx, [therapistId])).get(therapistId);
      if (atMs !== undefined) known.set(therapistId, Math.max(atMs, known.get(therapistId) ?? -Infinity));
    }
  }

  function setAway(therapistId: number, since: Date | null): void {
    if (since === null) awaySince.delete(therapistId);
    else awaySince.set(therapistId, since.getTime());
  }

  async function startAt(turn: Turn, liveSessionId: number | null): Promise<void> {
    const { tx, therapistId, nowMs } = turn;
    counters.changing(therapistId);
    const { id, startedMs } = await store.startInterval(tx, {
      therapistId,
      liveSessionId,
      plan: turn.counter.plan,
      nowMs,
    });
    turn.running = { id, liveSessionId };
    turn.counter = { ...turn.counter, startedMs, stopMs: null, warningMs: null };
  }

  async function stopAt(turn: Turn, atMs: number): Promise<void> {
    const { tx, running } = turn;
    if (running === null) return;
    counters.changing(turn.therapistId);
    const { endedMs, ...counter } = rules.stopped(turn.counter, Math.min(atMs, turn.nowMs));
    await store.endInterval(tx, running.id, endedMs);
    if (running.liveSessionId !== null)
      await sessions.setCountedSeconds(tx, await store.countedIn(tx, [running.liveSessionId]));
    turn.counter = counter;
    turn.running = null;
    // What the end is about is told instead.
    turn.dialogs = turn.dialogs.filter(({ dialog }) => dialog !== 'timeoutwarning');
  }

  const hasClients = async ({ therapistId, tx }: Turn) => (await clients.people(therapistId, tx)).length > 0;

  const carryOut: { readonly [W in Due['what']]: (turn: Turn, atMs: number) => Promise<void> } = {
    async fourHours(turn) {
      await mail.fourHours(turn.tx, turn.person);
      turn.counter = { ...turn.counter, isMailed: true };
      turn.dialogs.push({ dialog: 'fourhours', until: null });
    },
    async trialOver(turn, atMs) {
      await stopAt(turn, atMs);
      turn.counter = { ...turn.counter, isTrialEnded: true };
      turn.dialogs = [{ dialog: 'trialover', until: null }];
      turn.ending = 'trial_over';
    },
    async warningOver(turn, atMs) {
      await stopAt(turn, atMs);
      turn.dialogs.push({ dialog: 'timedout', until: null });
      turn.ending = 'timed_out';
    },
    async stop(turn, atMs) {
      const { therapistId, nowMs } = turn;
      const spanMs = tabs.latest(therapistId)?.spanMs;
      const hereUntilMs = await hereUntil(turn);
      const again =
        spanMs === undefined || atMs >= hereUntilMs
          ? null
          : rules.nextLook(
              { atMs, spanMs },
              {
                hereUntilMs,
                isShared: (await mediaFlows(therapistId, turn.tx)) || (await hasClients(turn)),
                lastActMs: lastActs.get(therapistId) ?? -Infinity,
              },
              nowMs,
            );
      if (again === null) {
        tabs.forgetLeft(therapistId);
        return stopAt(turn, atMs);
      }
      tabs.putOff(therapistId, again);
      turn.counter = { ...turn.counter, stopMs: again };
    },
    async idle(turn, atMs) {
      if (await hasClients(turn)) {
        lastStirs.set(turn.therapistId, turn.nowMs);
        return;
      }
      const warningMs = rules.warningEnd(atMs);
      turn.counter = { ...turn.counter, warningMs };
      turn.dialogs.push({ dialog: 'timeoutwarning', until: new Date(warningMs).toISOString() });
    },
  };

  /** Does what is due up to the moment of the turn, each at its own moment and in order. */
  async function settleTurn(turn: Turn): Promise<void> {
    for (;;) {
      const due = rules.nextDue(turn.counter, quietSince(turn.therapistId));
      if (due === null || due.atMs > turn.nowMs) return;
      counters.changing(turn.therapistId);
      await carryOut[due.what](turn, due.atMs);
    }
  }

  /** Writes what the turn changed. After the commit the room and the therapist learn it. */
  async function finish(turn: Turn, afterCommit: AfterCommit, { announce = false } = {}): Promise<void> {
    const { tx, therapistId, nowMs, before, counter, dialogs } = turn;
    const due = rules.nextDue(counter, quietSince(therapistId));
    const dueMs = due === null ? null : Math.max(due.atMs, 0);
    if (counter !== before || dueMs !== turn.dueBeforeMs) {
      counters.changing(therapistId);
      await store.writeCounter(tx, therapistId, counter, { dueMs, nowMs });
    }
    if (isShared) await store.writeTabs(tx, therapistId, tabs.write(therapistId));
    const isNews =
      announce ||
      counter.startedMs !== before.startedMs ||
      counter.plan !== before.plan ||
      counter.warningMs !== before.warningMs;
    afterCommit(() => {
      counters.set(therapistId, counter);
      if (isNews)
        publish(
          roomDestination(therapistId),
          { eventType: 'TIMER_UPDATE', contents: timerNow(therapistId, counter) },
          { lane: 'stored' },
        );
      for (const contents of dialogs) room.tell(therapistId, { eventType: 'DIALOG', contents });
    });
  }

  /**
   * Changes a counter in an act of its own: first what is due is done, then `work`, which must not throw a Problem,
   * because what was due has to stay. Returns what `work` returned, or null for an account that is gone.
   */
  function change<T>(
    therapistId: number,
    work: (turn: Turn, row: RoomRow) => Promise<T>,
    { announce = false } = {},
  ): Promise<T | null> {
    return room.act(therapistId, async (tx, row, afterCommit) => {
      // Whatever comes later, the live session has ended by then; its own sweep says so.
      const awayMs = row.therapistAwaySince?.getTime() ?? Infinity;
      if (isShared) setAway(therapistId, row.therapistAwaySince);
      const turn = await begin(tx, therapistId, awayMs + AWAY_MS);
      if (turn === null) return null;
      await settleTurn(turn);
      const result = await work(turn, row);
      await finish(turn, afterCommit, { announce });
      // In the same transaction, so that nobody finds a live session that goes on without its timer.
      if (turn.ending !== null) await sessions.endWithin(tx, row, turn.ending, afterCommit);
      return result;
    });
  }

  const settleOne = (therapistId: number, options?: { announce: boolean }) =>
    change(therapistId, async () => {}, options);

  // ---- live sessions

  /** The end that was told, which memory knows a little later than the database. */
  const lateEnd = (therapistId: number, dueMs: number) =>
    awaySince.has(therapistId) ? Math.max(dueMs, awayEnd(therapistId)) : dueMs;

  sessions.onOpening(async (tx, { therapistId, liveSession }, afterCommit) => {
    const turn = await begin(tx, therapistId);
    if (turn === null) return;
    await settleTurn(turn);
    if (rules.hasTrialEnded(turn.counter, turn.nowMs)) throw new Problem('trial_over');
    forget(therapistId);
    await startAt(turn, liveSession.id);
    await finish(turn, afterCommit);
  });

  sessions.onEnding(async (tx, { therapistId, dueSince }, afterCommit) => {
    // Nobody pays for the time until the server noticed that the therapist is gone.
    const untilMs = dueSince === null ? Infinity : lateEnd(therapistId, dueSince.getTime());
    const turn = await begin(tx, therapistId, untilMs);
    if (turn === null) return;
    await settleTurn(turn);
    await stopAt(turn, turn.nowMs);
    turn.counter = rules.standing(turn.counter);
    await finish(turn, (work) => afterCommit(() => work()));
    afterCommit(() => forget(therapistId));
  });

  sessions.onFirstAttended((tx, { therapistId }) => store.countPersonHelped(tx, therapistId));

  function forget(therapistId: number): void {
    for (const { owing } of Object.values(told)) owing.delete(therapistId);
    tabs.forget(therapistId);
    lastStirs.delete(therapistId);
    lastActs.delete(therapistId);
    times.stir.forget(therapistId);
    times.act.forget(therapistId);
    awaySince.delete(therapistId);
  }

  roomNodes.on('ended', forget);

  // ---- what keeps the room in use

  /** Somebody came, went or acted: the room is not idle, and a warning is taken back. */
  function stir(therapistId: number): void {
    if (isShared) return void stirShared(therapistId);
    if (!counters.isRunning(therapistId)) return;
    lastStirs.set(therapistId, clock.moment());
    const counter = counters.known(therapistId);
    if (counter === undefined || counter.warningMs !== null) void answer('stir', therapistId);
  }

  /** Whether the timer runs and whether it warns may be another node's doing. */
  async function stirShared(therapistId: number): Promise<void> {
    lastStirs.set(therapistId, clock.moment());
    times.stir.set(therapistId, clock.moment());
    try {
      const { startedMs, warningMs } = await counters.get(therapistId);
      if (startedMs !== null && warningMs !== null) await answer('stir', therapistId);
    } catch (error) {
      told.stir.owing.add(therapistId);
      faulty(error);
    }
  }

  function takeBack(turn: Turn): void {
    if (turn.counter.warningMs === null) return;
    turn.counter = { ...turn.counter, warningMs: null };
    lastStirs.set(turn.therapistId, turn.nowMs);
  }

  clients.onPeopleChanged(({ therapistId }) => stir(therapistId));

  /** A page of the therapist is back: what only a stop of the server ended goes on (rule 3). */
  async function goOn(turn: Turn): Promise<void> {
    const { therapistId, counter, nowMs, tx } = turn;
    if (!rules.isInterrupted(counter) || rules.hasTrialEnded(counter, nowMs)) return;
    const liveSession = turn.ending === null ? await sessions.running(therapistId, tx) : null;
    if (liveSession !== null) await startAt(turn, liveSession.id);
  }

  /**
   * What is told once and changes a counter, with the therapists whose change failed. Nobody tells it again: without
   * the sweep a warning would go on although somebody came in, and end the live session.
   */
  const told = {
    stir: { work: async (turn: Turn) => takeBack(turn), owing: new Set<number>() },
    back: { work: goOn, owing: new Set<number>() },
  };

  async function answer(what: keyof typeof told, therapistId: number): Promise<void> {
    const { work, owing } = told[what];
    try {
      await change(therapistId, work);
      owing.delete(therapistId);
    } catch (error) {
      owing.add(therapistId);
      faulty(error);
    }
  }

  async function answerOwed(): Promise<void> {
    for (const what of ['stir', 'back'] as const)
      for (const therapistId of [...told[what].owing]) await answer(what, therapistId);
  }

  // ---- settling

  async function settle(): Promise<void> {
    let fault: Error | undefined;
    for (const therapistId of await store.dueTherapists(db)) {
      try {
        await settleOne(therapistId);
      } catch (error) {
        // The others' time goes on; this one is looked at again a second later.
        fault ??= error instanceof Error ? error : new Error('a timer could not be settled');
      }
    }
    if (fault !== undefined) throw fault;
  }

  async function beat(): Promise<void> {
    if (!isShared && counters.running() === 0) return;
    const [realMs, productMs] = [performance.now(), clock.moment()];
    if (Math.max(realMs - heartbeat.realMs, productMs - heartbeat.productMs) < HEARTBEAT_MS) return;
    await store.writeHeartbeat(db);
    heartbeat = { realMs, productMs };
  }

  /** Does what is due for somebody who asks, as they must not depend on when the sweep comes by. */
  async function upToDate(therapistId: number): Promise<Counter> {
    const counter = await (isShared ? counters.fresh(therapistId) : counters.get(therapistId));
    const due = rules.nextDue(counter, quietSince(therapistId));
    if (due === null || due.atMs > clock.moment()) return counter;
    await settleOne(therapistId);
    return counters.get(therapistId);
  }

  return {
    async timerOf(therapistId) {
      if (isShared)
        return freshTimers(String(therapistId), async () => {
          setAway(therapistId, (await room.row(therapistId)).therapistAwaySince);
          return timerNow(therapistId, await counters.fresh(therapistId));
        });
      return timerNow(therapistId, counters.known(therapistId) ?? (await counters.get(therapistId)));
    },
    isCounting: (therapistId) => counters.isRunning(therapistId),

    async usageOf(therapistId) {
      const counter = await upToDate(therapistId);
      const { isFourHoursShown, peopleHelped, weeks } = await store.readOverview(db, therapistId);
      const trialOver = rules.hasTrialEnded(counter, clock.moment());
      return {
        plan: counter.plan,
        trialOver,
        fourHoursDue: counter.plan === 'TRIAL' && counter.isMailed && !isFourHoursShown && !trialOver,
        warningUntil: counter.warningMs === null ? null : new Date(counter.warningMs).toISOString(),
        timer: timerNow(therapistId, counter),
        peopleHelped,
        weeks,
      };
    },

    async start(therapistId, tab) {
      const refused = await change(therapistId, async (turn) => {
        if (rules.hasTrialEnded(turn.counter, turn.nowMs)) return 'trial_over' as const;
        const liveSession = turn.ending === null ? await sessions.running(therapistId, turn.tx) : null;
        if (liveSession === null) return 'no_live_session' as const;
        tabs.use(therapistId, tab);
        takeBack(turn);
        if (turn.running === null) await startAt(turn, liveSession.id);
        else if (turn.counter.stopMs !== null) turn.counter = { ...turn.counter, stopMs: null };
        return null;
      });
      if (refused !== null) throw new Problem(refused);
    },

    async stop(therapistId) {
      await change(therapistId, async (turn) => {
        await stopAt(turn, turn.nowMs);
        turn.counter = rules.standing(turn.counter);
      });
    },

    async scheduleStop(therapistId, seconds, tab) {
      await change(therapistId, async (turn) => {
        if (turn.ending !== null || (await sessions.running(therapistId, turn.tx)) === null) return;
        const spanMs = seconds * 1000;
        tabs.leave(therapistId, tab, { atMs: turn.nowMs + spanMs, spanMs });
        if (turn.running === null) return;
        const stopMs = tabs.stop(therapistId, turn.nowMs)?.atMs ?? null;
        if (stopMs !== turn.counter.stopMs) turn.counter = { ...turn.counter, stopMs };
      });
    },

    async sendFourHourMail(therapistId) {
      await upToDate(therapistId);
    },

    async claimFourHours(therapistId) {
      await upToDate(therapistId);
      return store.takeFourHours(db, therapistId);
    },

    acted(therapistId) {
      if (!isShared && !counters.isRunning(therapistId)) return;
      lastActs.set(therapistId, clock.moment());
      times.act.set(therapistId, clock.moment());
      stir(therapistId);
    },

    therapistHere(therapistId, here, { elsewhere } = { elsewhere: false }) {
      if (!here) {
        awaySince.set(therapistId, clock.moment());
        told.back.owing.delete(therapistId);
        return;
      }
      awaySince.delete(therapistId);
      if (elsewhere) return;
      const known = counters.known(therapistId);
      if (known !== undefined && !rules.isInterrupted(known)) return;
      void answer('back', therapistId);
    },

    planOf: store.planOf,

    async becomeProfessional(tx, therapistId) {
      await room.lock(tx, therapistId);
      const turn = await begin(tx, therapistId);
      if (turn === null || turn.counter.plan === 'PROFESSIONAL') return;
      counters.changing(therapistId);
      const { counter, running, nowMs } = turn;
      if (running === null) turn.counter = { ...counter, plan: 'PROFESSIONAL' };
      else {
        // What the tabs and a warning want goes on in the second half.
        const { stopMs, warningMs } = counter;
        await stopAt(turn, Math.min(nowMs, rules.trialEnd(counter)));
        turn.counter = { ...turn.counter, plan: 'PROFESSIONAL' };
        await startAt(turn, running.liveSessionId);
        turn.counter = { ...turn.counter, stopMs, warningMs };
      }
      await finish(turn, () => {});
      await store.setProfessionalSince(tx, therapistId, nowMs);
      // This act waits until the caller's transaction has ended, and then reads how. If it waits for too long, the
      // sweep tries again.
      void settleOne(therapistId, { announce: true }).catch(() => {});
    },

    billedSeconds: store.billedSeconds,
    settle,

    async sweep() {
      await clock.refresh();
      // First: a timer that cannot be settled, or waits for its room, must not keep the sign of life of all.
      await beat();
      // Before anything ends what they would have kept.
      await answerOwed();
      for (const therapistId of counters.uncertain()) await settleOne(therapistId, { announce: true }).catch(faulty);
      await settle();
    },

    async stopForgotten() {
      let stopped = 0;
      const runs = async (therapistId: number, work: (turn: Turn) => Promise<void>) => {
        await change(therapistId, async (turn) => {
          await work(turn);
          if (turn.before.startedMs !== null && turn.running === null) stopped++;
        });
      };
      for (const therapistId of await store.dueTherapists(db)) await runs(therapistId, async () => {});
      for (const { therapistId, endedMs } of await store.withoutLiveSession(db))
        await runs(therapistId, async (turn) => {
          if ((await sessions.running(therapistId, turn.tx)) === null)
            await stopAt(turn, endedMs ?? turn.counter.startedMs ?? turn.nowMs);
        });
      return { stopped };
    },

    // What another node counts goes on. Without a sign of life nobody counted: of nodes that start together after an
    // outage each ends it, before it writes a sign of its own.
    async afterStart({ isAlone }) {
      if (isAlone || (await store.isHeartbeatOld(db))) await endAll({ now: false });
    },

    async stopAll() {
      if (isShared ? await nodes.hasOthers() : counters.running() === 0) return;
      await endAll({ now: true });
    },
  };

  async function endAll(how: { now: boolean }): Promise<void> {
    await db.transaction(async (tx) => {
      // As in every act: the room's row is locked before the intervals when a live session ends.
      await room.lockAll(tx, await store.runningTherapists(tx));
      const liveSessionIds = await store.endAll(tx, how);
      await sessions.setCountedSeconds(tx, await store.countedIn(tx, liveSessionIds));
    });
  }
}
