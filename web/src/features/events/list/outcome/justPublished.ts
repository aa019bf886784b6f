/** What was just published, told once on My events. */
let eventId: number | null = null;

/** The programme page leaves it behind. */
export function leavePublished(id: number): void {
  eventId = id;
}

/** My events takes it; null where nothing was published since the last look. */
export function takePublished(): number | null {
  const id = eventId;
  eventId = null;
  return id;
}
