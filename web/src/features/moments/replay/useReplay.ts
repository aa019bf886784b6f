/** The state of a look back at a live session: the loaded parts, the position, and playback. */
import type { Replay, ReplayPart } from '@fieldroom/contract/moments';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { momentQueries } from '../momentQueries.ts';
import { clampTo, isComplete, partAt, placesIn, type Span, spanOf, standingAt } from './replayModel.ts';

/** Playback speeds, as a multiple of a move each second and a half. */
export const SPEEDS = [1, 2, 4] as const;
type Speed = (typeof SPEEDS)[number];
const MOVE_MS = 1500;

/**
 * The query of the part with a position. While the session runs its version is the field's revision: a quick repeat
 * changes the last move and adds none (docs/product.md#6.15).
 */
const partQuery = (replay: Replay, position: number, revision: number | undefined) => {
  const { firstMove } = partAt(replay, position);
  const version = isComplete(replay, firstMove) ? 0 : (revision ?? replay.lastMove + 1);
  return momentQueries.part(replay.liveSessionId, firstMove, version);
};

/**
 * Takes the live session, and the initial position or `start`. `revision` is the field's while the session runs: with
 * each new one, new moves are fetched.
 */
export function useReplay(sessionId: number, begin: number | 'start', revision?: number) {
  const client = useQueryClient();
  const query = useQuery(momentQueries.replay(sessionId));
  const { refetch, data: replay } = query;
  // The cache of an earlier look may lack new moves.
  useEffect(() => {
    if (revision !== undefined) void refetch();
  }, [revision, refetch]);
  const span = replay ? spanOf(replay) : null;
  const [wanted, setWanted] = useState<number | null>(begin === 'start' ? null : begin);
  const position = span ? clampTo(span, wanted ?? span.first) : 0;

  const part = useQuery({
    ...(replay && span ? partQuery(replay, position, revision) : momentQueries.part(sessionId, 0, 0)),
    enabled: span !== null,
    placeholderData: keepPreviousData,
  });
  const wantedPart = replay && span ? partAt(replay, position).firstMove : 0;
  const here = part.data?.firstMove === wantedPart ? part.data : undefined;
  useFetchAhead(replay, span, position, revision, client);

  const shown = useShown(here, part.data, position);
  const play = usePlay(span, position, here !== undefined, setWanted);
  return {
    query,
    replay,
    span,
    position,
    /** The drawn position; the previous one until the new part is loaded. null before the first one. */
    shown,
    part,
    go(to: number) {
      play.pause();
      if (span) setWanted(clampTo(span, to));
    },
    ...play,
  };
}

/** Fetches the next part before it is needed. */
function useFetchAhead(
  replay: Replay | undefined,
  span: Span | null,
  position: number,
  revision: number | undefined,
  client: ReturnType<typeof useQueryClient>,
): void {
  useEffect(() => {
    if (!replay || !span) return;
    const next = replay.parts.find(({ firstMove }) => firstMove > position);
    if (next && next.firstMove <= span.last) void client.prefetchQuery(partQuery(replay, next.firstMove, revision));
  }, [replay, span, position, revision, client]);
}

function useShown(here: ReplayPart | undefined, last: ReplayPart | undefined, position: number) {
  const part = here ?? last;
  const places = useMemo(() => (part ? placesIn(part) : []), [part]);
  const standing = useMemo(() => (part ? standingAt(part, position) : null), [part, position]);
  return standing && { ...standing, places };
}

/** Plays one move after the other, and stops at the last one. */
function usePlay(span: Span | null, position: number, ready: boolean, setPosition: (position: number) => void) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);
  const last = span?.last ?? 0;
  const atEnd = position >= last;
  useEffect(() => {
    if (!playing || !ready) return undefined;
    if (atEnd) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => setPosition(position + 1), MOVE_MS / speed);
    return () => clearTimeout(timer);
  }, [playing, ready, atEnd, position, speed, setPosition]);
  return {
    playing,
    speed,
    setSpeed,
    pause: () => setPlaying(false),
    /** At the end it plays from the start again. */
    play() {
      if (atEnd && span) setPosition(span.first);
      setPlaying(true);
    },
  };
}
