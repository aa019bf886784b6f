/** The broker's numbers for /metrics. */
import type { StompBroker, StompStats } from './stomp-types.ts';

const GAUGES = [
  ['stomp_connections', 'Open real-time connections', 'connections'],
  ['stomp_subscriptions', 'Subscriptions of these connections', 'subscriptions'],
  ['stomp_frames_in', 'Frames received since the start', 'framesIn'],
  ['stomp_frames_out', 'Frames sent since the start', 'framesOut'],
  ['stomp_delivered', 'Messages delivered since the start', 'delivered'],
  ['stomp_dropped_volatile', 'Volatile messages not given to slow readers since the start', 'droppedVolatile'],
  ['stomp_dropped_incoming', 'Volatile messages of senders above their rate since the start', 'droppedIncoming'],
  ['stomp_closed_slow', 'Connections closed for reading too slowly since the start', 'closedSlow'],
  ['stomp_closed_dead', 'Connections closed for no sign of life since the start', 'closedDead'],
  ['stomp_errors', 'ERROR frames sent since the start', 'errors'],
  ['stomp_faults', 'Faults of our own among the errors since the start', 'faults'],
  ['stomp_refused_upgrades', 'Connections refused at the upgrade since the start', 'refusedUpgrades'],
] as const satisfies readonly (readonly [string, string, keyof StompStats])[];

/** Returns each number with its name and help. */
export function stompGauges<P extends object>(
  broker: Pick<StompBroker<P>, 'stats'>,
): { name: string; help: string; read: () => number }[] {
  return GAUGES.map(([name, help, total]) => ({ name, help, read: () => broker.stats()[total] }));
}
