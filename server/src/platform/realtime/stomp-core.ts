/** What all parts of one broker share: its settings, its connections, its totals, and how far its stop is. */
import type { Conn } from './connections/stomp-connection.ts';
import { createFlusher, type Flusher } from './stomp-outlet.ts';
import {
  STOMP_LIMITS,
  type Heartbeat,
  type StompBrokerOptions,
  type StompEvent,
  type StompLimits,
  type StompStats,
} from './stomp-types.ts';

/** The numbers of `stats()` that only go up. */
type StompTotals = Omit<StompStats, 'connections' | 'subscriptions' | 'destinations'>;

export interface StompCore<P extends object> {
  readonly options: StompBrokerOptions<P>;
  readonly limits: StompLimits;
  readonly heartbeat: Heartbeat;
  /** Real time in milliseconds, which only goes forward. */
  readonly now: () => number;
  readonly flusher: Flusher<Conn<P>>;
  /** All whose end has not been reported yet, in whatever state. */
  readonly all: Set<Conn<P>>;
  readonly totals: StompTotals;
  /** Counts a rare event, and tells it to the hook. */
  readonly count: (event: StompEvent) => void;
  /** Goes up whenever subscriptions or connections were ended from our side. */
  revocations: number;
  /** The stop has begun: upgrades are refused, and nothing that comes in is read. */
  draining: boolean;
  /** Called when a connection has nothing left to handle or has gone; null while nobody waits for that. */
  settled: (() => void) | null;
}

/** Makes what the parts of one broker share. Takes its options; a missing one has the default that it documents. */
export function createCore<P extends object>(options: StompBrokerOptions<P>): StompCore<P> {
  const now = options.now ?? (() => performance.now());
  const totals: StompTotals = {
    framesIn: 0,
    framesOut: 0,
    delivered: 0,
    droppedVolatile: 0,
    droppedIncoming: 0,
    closedSlow: 0,
    closedDead: 0,
    closedSilent: 0,
    errors: 0,
    faults: 0,
    refusedUpgrades: 0,
  };
  return {
    options,
    limits: { ...STOMP_LIMITS, ...options.limits },
    heartbeat: options.heartbeat ?? { sendMs: 20_000, wantMs: 20_000 },
    now,
    flusher: createFlusher<Conn<P>>(Math.min(16, Math.max(0, options.flushMs ?? 8)), now),
    all: new Set(),
    totals,
    count: (event) => {
      totals[event]++;
      options.metrics?.(event);
    },
    revocations: 0,
    draining: false,
    settled: null,
  };
}
