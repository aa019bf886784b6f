/**
 * The timer of each therapist: the calls of pages and other features, and how its parts are joined. The database is the
 * truth; every change is part of an act on the room, under the lock of its row. Automatic changes are in timer/ (when
 * something is due), activity/ (when people arrive, leave or act) and upkeep/ (sweep, restart). The numbered rules are
 * in README.md.
 */
import type { Plan, Timer, Usage } from '@fieldroom/contract/usage';
import { Problem } from '../../platform/problem.ts';
import type { Queryable, Tx } from '../../platform/db/db.ts';
import { createLoneNode } from '../../platform/nodes/nodes.ts';
import { createSharedReads } from '../../platform/scheduling/shared-reads.ts';
import { NO_OTHER_NODES } from '../room/index.ts';
import { createActivity } from './activity/usage.activity.ts';
import { createReactions, type Reactions } from './activity/usage.reactions.ts';
import { createChanges } from './timer/usage.changes.ts';
import { createCounters } from './timer/usage.counters.ts';
import { createSettleTurn } from './timer/usage.due.ts';
import { followLiveSessions } from './timer/usage.live-sessions.ts';
import * as rules from './timer/usage.rules.ts';
import type { Counter } from './timer/usage.rules.ts';
import { createTabs } from './timer/usage.tabs.ts';
import { createTurns } from './timer/usage.turn.ts';
import { createRestart, type Restart } from './upkeep/usage.restart.ts';
import { createSweep, type Sweep } from './upkeep/usage.sweep.ts';
import type { UsageParts } from './usage.parts.ts';
import * as store from './usage.store.ts';

/** How long a counter that another node may have changed is used. */
const SHARED_COUNTER_MS = 2_000;

export interface UsageService extends Pick<Reactions, 'acted' | 'therapistHere'>, Sweep, Restart {
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
  planOf(on: Queryable, therapistId: number): Promise<{ plan: Plan; professionalSince: Date | null }>;
  /**
   * Ends the trial, in a transaction of the caller: the only way to do so (docs/product.md#7.9). A running interval is
   * split. Does nothing the second time. Takes the lock of the room's row.
   */
  becomeProfessional(tx: Tx, therapistId: number): Promise<void>;
  /** Whole seconds of professional use in a span, by therapist. */
  billedSeconds: typeof store.billedSeconds;
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
  const faulty = (error: unknown) => log.error({ err: error }, 'a timer could not be changed');

  // ---- state in memory

  const freshTimers = createSharedReads<Timer>();
  const counters = createCounters(
    async (therapistId) => (await store.readUsageRow(db, therapistId))?.counter ?? rules.NEW_COUNTER,
    isShared ? SHARED_COUNTER_MS : Infinity,
  );
  const tabs = createTabs();
  const activity = createActivity(nodes);

  /** The announced state of a counter. The timer is shown as stopped if the live session is about to end without its
   * therapist. */
  function timerNow(therapistId: number, counter: Counter): Timer {
    const stopMs = Math.min(counter.stopMs ?? Infinity, activity.awayEnd(therapistId));
    return rules.timerAt(stopMs === Infinity ? counter : { ...counter, stopMs }, clock.moment());
  }

  // ---- the parts, each of which needs only those before it

  const turns = createTurns({ room, sessions, publish, isShared, counters, tabs, activity, timerNow });
  const settleTurn = createSettleTurn({ sessions, clients, mediaFlows, mail, counters, tabs, activity, turns });
  const changes = createChanges({ room, clock, sessions, isShared, counters, activity, turns, settleTurn });
  const { change, settleOne, upToDate } = changes;
  const reactions = createReactions({ clock, sessions, isShared, counters, activity, turns, changes, faulty });
  const sweep = createSweep({ db, clock, sessions, isShared, counters, turns, changes, reactions, faulty });
  const restart = createRestart({ db, room, sessions, nodes, counters });

  followLiveSessions({ sessions, roomNodes, tabs, activity, reactions, turns, settleTurn });
  clients.onPeopleChanged(({ therapistId }) => reactions.stir(therapistId));

  return {
    ...sweep,
    ...restart,
    acted: reactions.acted,
    therapistHere: reactions.therapistHere,
    isCounting: counters.isRunning,
    planOf: store.planOf,
    billedSeconds: store.billedSeconds,

    async timerOf(therapistId) {
      if (isShared)
        return freshTimers(String(therapistId), async () => {
          const { therapistAwaySince } = await room.row(therapistId);
          activity.setAway(therapistId, therapistAwaySince?.getTime() ?? null);
          return timerNow(therapistId, await counters.fresh(therapistId));
        });
      return timerNow(therapistId, counters.known(therapistId) ?? (await counters.get(therapistId)));
    },

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
        turns.takeBackWarning(turn);
        if (turn.running === null) await turns.startAt(turn, liveSession.id);
        else if (turn.counter.stopMs !== null) turn.counter = { ...turn.counter, stopMs: null };
        return null;
      });
      if (refused !== null) throw new Problem(refused);
    },

    async stop(therapistId) {
      await change(therapistId, async (turn) => {
        await turns.stopAt(turn, turn.nowMs);
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

    async becomeProfessional(tx, therapistId) {
      await room.lock(tx, therapistId);
      const turn = await turns.begin(tx, therapistId);
      if (turn === null || turn.counter.plan === 'PROFESSIONAL') return;
      counters.changing(therapistId);
      const { counter, running, nowMs } = turn;
      if (running === null) turn.counter = { ...counter, plan: 'PROFESSIONAL' };
      else {
        // The stops of tabs and a warning continue in the second half.
        const { stopMs, warningMs } = counter;
        await turns.stopAt(turn, Math.min(nowMs, rules.trialEnd(counter)));
        turn.counter = { ...turn.counter, plan: 'PROFESSIONAL' };
        await turns.startAt(turn, running.liveSessionId);
        turn.counter = { ...turn.counter, stopMs, warningMs };
      }
      await turns.finish(turn, () => {});
      await store.setProfessionalSince(tx, therapistId, nowMs);
      // This act waits until the caller's transaction has ended, and then reads the result. If it waits for too long,
      // the sweep tries again.
      void settleOne(therapistId, { announce: true }).catch(() => {});
    },
  };
}
