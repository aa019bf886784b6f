/** The event that was just published, reported once on My events. */
let eventId: number | null = null;

/** The programme page stores it. */
export function leavePublished(id: number): void {
  eventId = id;
}

/** My events reads and clears it; null if nothing was published since the last read. */
export function takePublished(): number | null {
  const id = eventId;
  eventId = null;
  return id;
}
