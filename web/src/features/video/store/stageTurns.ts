/** Single people on and off the stage, whose list the server takes whole (docs/product.md#10.13). */

type Stage = readonly number[] | null;

/**
 * Returns an act that turns one client on or off stage. Each waits for the one before and goes on from its result: of
 * two quick presses neither is lost. Takes who is on stage as the room says, which comes a moment after the answer, and
 * how to set the stage, which returns who is on it then.
 */
export function createStageTurns(
  room: () => Stage,
  set: (clientIds: number[] | null) => Promise<Stage>,
): (clientId: number, on: boolean) => Promise<void> {
  let before: Promise<unknown> = Promise.resolve();
  /** The last answer, and what the room said before it: it holds until the room says something new. */
  let answered: { stage: Stage; room: Stage } | null = null;
  return (clientId, on) => {
    const turn = before.then(async () => {
      const now = (answered !== null && answered.room === room() ? answered.stage : room()) ?? [];
      const next = on ? [...now.filter((id) => id !== clientId), clientId] : now.filter((id) => id !== clientId);
      const said = room();
      // Taking the last person off ends the stage.
      answered = { stage: await set(next.length === 0 ? null : next), room: said };
    });
    // A turn that failed changes nothing for the next one.
    before = turn.catch(() => undefined);
    return turn;
  };
}
