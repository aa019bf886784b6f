/**
 * Moments and moves of a live session: the therapist keeps named moments of the field, goes back to them, compares
 * them, and looks back at the session move by move. Rules: docs/product.md#6.10 to #6.19.
 *
 * A *move* is an act that changed what is seen of figures, as the server stored and confirmed it. It is written in the
 * transaction of its act, so an act is confirmed only with its move: no crash leaves a gap. Moves of a live session are
 * numbered from 1. Quick repeats of one figure by the same side are one move: it gets the later place, time and
 * revision.
 *
 * Before the first move, and after every `PART_MOVES` moves, the whole field is kept beside them. Such a *part* gives
 * the field at any of its moves with at most `PART_MOVES` steps, so scrubbing never reads the whole session.
 *
 * Messages on the wire
 *   SEND /app/moments.keep   KeepMoment   stored. Keeps the field as it is after all that this connection sent before.
 *                                         Answered by MOMENTS, or refused by PROBLEM with its `actId`. Sending the same
 *                                         `actId` again changes nothing and answers again
 *   MOMENTS                  to the therapist alone: all moments of the running live session; when the page joins, and
 *                            after each change
 *   The field's act `backToMoment` goes back to a moment (`field.ts`).
 *
 * Invariants
 *  1. Nobody but the therapist hears of moments and moves.
 *  2. `applySteps(figures, stepsOf(changes))` shows what the act showed. The fields of two neighbouring parts differ by
 *     the moves between them.
 *  3. A move says which side moved, the therapist or a client; never which client, nor anybody's name.
 *  4. MOMENTS carries the whole list and is sent in the room's order, so the latest one counts.
 */
import * as z from 'zod/mini';
import { type Figure, figure, FIGURE_LOOK, sameValue, sortFigures } from './field.ts';
import { endpoint } from './http.ts';
import { messagesTo } from './realtime.ts';
import { id, idInPath, optionalLine, revision, timestamp } from './text.ts';

/** Moments of one live session. */
export const MOMENTS_MAX = 50;
export const MOMENT_NAME_MAX = 60;
/** Moves from one kept field to the next. */
export const PART_MOVES = 100;
/** Moves that one live session keeps, and the bytes of their steps. Beyond, the earliest parts go. */
export const MOVES_MAX = 5_000;
export const MOVES_BYTES_MAX = 5_000_000;
/**
 * A figure that the same side moves again within SAME_MOVE_SECONDS makes no new move, until SAME_MOVE_AT_MOST_SECONDS
 * after the first one (product time).
 */
export const SAME_MOVE_SECONDS = 2;
export const SAME_MOVE_AT_MOST_SECONDS = 10;

/** The properties of a figure that are seen. Who may move it, and where it starts, are not. */
const SEEN = { ...FIGURE_LOOK, relations: true } as const;
type Seen = keyof typeof SEEN;
const SEEN_PROPERTIES = Object.keys(SEEN) as Seen[];

/** What a move did to one figure: it came (or came back), some properties changed, or it went. */
const moveStep = z.union([
  z.strictObject({ put: figure }),
  z.strictObject({ figureId: id, set: z.partial(z.pick(figure, SEEN)) }),
  z.strictObject({ gone: id }),
]);
export type MoveStep = z.infer<typeof moveStep>;

/** One figure before and after an act; null where it was not there. */
interface FigureChange {
  readonly id: number;
  readonly before: Figure | null;
  readonly after: Figure | null;
}

/** The steps of an act. Empty when nothing changed that is seen. */
export function stepsOf(changes: readonly FigureChange[]): MoveStep[] {
  return changes.flatMap(({ id: figureId, before, after }): MoveStep[] => {
    if (after === null) return before === null ? [] : [{ gone: figureId }];
    if (before === null) return [{ put: after }];
    const set = seenChanges(before, after);
    return Object.keys(set).length === 0 ? [] : [{ figureId, set }];
  });
}

/** The seen properties in which two states of a figure differ, as they are in the second one. */
function seenChanges(before: Figure, after: Figure): Partial<Pick<Figure, Seen>> {
  return Object.fromEntries(
    SEEN_PROPERTIES.filter((property) => !sameValue(before[property], after[property])).map((property) => [
      property,
      after[property],
    ]),
  );
}

/** Applies the steps of one move. Pure; figures that did not change keep their identity. Sorted as they are painted. */
export function applySteps(figures: readonly Figure[], steps: readonly MoveStep[]): Figure[] {
  const byId = new Map(figures.map((one) => [one.id, one]));
  for (const step of steps) {
    if ('put' in step) byId.set(step.put.id, step.put);
    else if ('gone' in step) byId.delete(step.gone);
    else {
      const before = byId.get(step.figureId);
      if (before) byId.set(step.figureId, { ...before, ...definedOnly(step.set) });
    }
  }
  return sortFigures([...byId.values()]);
}

function definedOnly<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

// ---- shapes

export const momentName = optionalLine(MOMENT_NAME_MAX);

/** A move is named after what it did; only these acts have a name. */
const MOVE_KINDS = ['act', 'reset', 'undo', 'back'] as const;

export const move = z.strictObject({
  /** From 1 on in its live session, without gaps. */
  number: z.int().check(z.positive()),
  /** The field's revision after it. */
  revision,
  movedOn: timestamp,
  by: z.enum(['therapist', 'client']),
  kind: z.enum(MOVE_KINDS),
  steps: z.array(moveStep),
});
export type Move = z.infer<typeof move>;

export const moment = z.strictObject({
  id,
  /** The id that the browser made when it kept the moment. */
  actId: z.uuid(),
  /** From 1 on in its live session; shown if the moment has no name. */
  number: z.int().check(z.positive()),
  name: z.nullable(z.string()),
  keptOn: timestamp,
  /** The last move before it; 0 for the field at the start. */
  afterMove: z.int().check(z.nonnegative()),
  /** How many figures were on the field. */
  figures: z.int().check(z.nonnegative()),
});
export type Moment = z.infer<typeof moment>;

/** `/app/moments.keep`: the browser makes `actId`; it makes sending twice harmless. */
export const keepMoment = z.strictObject({ actId: z.uuid(), name: z.optional(momentName) });
export type KeepMoment = z.infer<typeof keepMoment>;

export const MOMENTS_SEND = { keep: '/app/moments.keep' } as const;
export const SENT_MESSAGES = messagesTo(MOMENTS_SEND, { keep: keepMoment });

export interface MomentsValue {
  liveSessionId: number;
  moments: Moment[];
}

declare module './realtime.ts' {
  interface PlainChanges {
    MOMENTS: MomentsValue;
  }
}

/** What a page needs to begin a look back at a live session. */
export const replay = z.strictObject({
  liveSessionId: id,
  startedOn: timestamp,
  /** null while it runs. */
  endedOn: z.nullable(timestamp),
  /** The parts by their first move, which may still be to come, the earliest first; empty if no moves are kept. */
  parts: z.array(z.strictObject({ firstMove: z.int().check(z.positive()), startsOn: timestamp })),
  /** The number of the last move; below the only part's `firstMove` while there is no move. */
  lastMove: z.int().check(z.nonnegative()),
  moments: z.array(moment),
});
export type Replay = z.infer<typeof replay>;

export const replayPart = z.strictObject({
  firstMove: z.int().check(z.positive()),
  startsOn: timestamp,
  /** The field before the part's first move. */
  figures: z.array(figure),
  moves: z.array(move),
});
export type ReplayPart = z.infer<typeof replayPart>;

// ---- calls

export const getReplay = endpoint({
  method: 'GET',
  path: '/api/me/session/{sessionId}/replay',
  access: 'ownRows',
  summary: 'What a look back at a live session begins with: where its parts begin, its last move, its moments',
  params: z.strictObject({ sessionId: idInPath }),
  reply: replay,
  problems: ['not_found'],
});
export const getReplayPart = endpoint({
  method: 'GET',
  path: '/api/me/session/{sessionId}/replay/{firstMove}',
  access: 'ownRows',
  summary: 'One part of it: the field before, and its moves. `firstMove` is a part’s, as the look back names it',
  params: z.strictObject({ sessionId: idInPath, firstMove: idInPath }),
  reply: replayPart,
  problems: ['not_found'],
});
export const getMomentField = endpoint({
  method: 'GET',
  path: '/api/me/moment/{momentId}',
  access: 'ownRows',
  summary: 'The figures of a moment; they never change',
  params: z.strictObject({ momentId: idInPath }),
  reply: z.array(figure),
  problems: ['not_found'],
});
export const renameMoment = endpoint({
  method: 'POST',
  path: '/api/me/moment/{momentId}/name',
  access: 'ownRows',
  summary: 'Names a moment; an empty name is the one by number and time again',
  params: z.strictObject({ momentId: idInPath }),
  body: z.strictObject({ name: momentName }),
  reply: moment,
  problems: ['not_found'],
});
export const deleteMoment = endpoint({
  method: 'DELETE',
  path: '/api/me/moment/{momentId}',
  access: 'ownRows',
  summary: 'Deletes a moment; the moves around it stay',
  params: z.strictObject({ momentId: idInPath }),
  problems: ['not_found'],
});
