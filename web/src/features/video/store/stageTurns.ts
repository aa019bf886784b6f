/**
 * Putting single people on stage and taking them off, although the server takes the whole list (docs/product.md#10.13).
 */

type Stage = readonly number[] | null;

/**
 * Returns an act that puts one client on stage or takes them off. Each call waits for the previous one and continues
 * from its result, so that two quick presses both take effect. Takes who is on stage according to the room, which
 * arrives a moment after the answer, and a function that sets the stage and returns who is on it then.
 */
export function createStageTurns(
  room: () => Stage,
  set: (clientIds: number[] | null) => Promise<Stage>,
): (clientId: number, on: boolean) => Promise<void> {
  let before: Promise<unknown> = Promise.resolve();
  /** The last answer, and the room's state before it: the answer counts until the room sends a new state. */
  let answered: { stage: Stage; room: Stage } | null = null;
  return (clientId, on) => {
    const turn = before.then(async () => {
      const now = (answered !== null && answered.room === room() ? answered.stage : room()) ?? [];
      const next = on ? [...now.filter((id) => id !== clientId), clientId] : now.filter((id) => id !== clientId);
      const said = room();
      // Taking the last person off ends the stage.
      answered = { stage: await set(next.length === 0 ? null : next), room: said };
    });
    // A failed call does not affect the next one.
    before = turn.catch(() => undefined);
    return turn;
  };
}
