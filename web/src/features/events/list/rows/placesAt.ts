import type { OwnEvent } from '@fieldroom/contract/events';

export interface Places {
  /** Places that are confirmed or held. */
  taken: number;
  free: number;
  held: number;
  /** When the last of the holds ends, in milliseconds; null if nothing is held or the times are not known. */
  heldUntil: number | null;
}

/**
 * How full an event is at a moment, in milliseconds of the product's clock. A hold that has ended since the event was
 * fetched no longer takes a place, as on the server.
 */
export function placesAt(event: OwnEvent, now: number): Places {
  const holds = event.currentParticipantsInfo.flatMap(({ state, heldUntil, places }) =>
    state === 'HELD' && heldUntil !== null ? [{ end: Date.parse(heldUntil), places }] : [],
  );
  const running = holds.flatMap(({ end }) => (end > now ? [end] : []));
  const ended = holds.reduce((sum, { end, places }) => sum + (end > now ? 0 : places), 0);
  const taken = Math.max(0, event.currentParticipantsNumber - ended);
  return {
    taken,
    free: event.maximumParticipant - taken,
    held: Math.max(0, event.held - ended),
    heldUntil: running.length > 0 ? Math.max(...running) : null,
  };
}
