/** The pages' queries about moments and moves. Keys begin with the therapist's id. */
import { getMomentField, getReplay, getReplayPart } from '@fieldroom/contract/moments';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api/index.ts';
import { storage } from '../../platform/storage.ts';

const all = () => ['moments', storage.get('user')?.id ?? 0] as const;

export const momentQueries = {
  /** The figures of a moment, which never change. */
  field: (momentId: number) =>
    queryOptions({
      queryKey: [...all(), 'field', momentId],
      queryFn: ({ signal }) => api.call(getMomentField, { params: { momentId }, signal }),
      staleTime: Infinity,
    }),

  /** The data to begin a look back. */
  replay: (sessionId: number) =>
    queryOptions({
      queryKey: [...all(), 'replay', sessionId],
      queryFn: ({ signal }) => api.call(getReplay, { params: { sessionId }, signal }),
    }),

  /**
   * A part of it. Takes the version of its moves: 0 for a complete part; a growing part is fetched again with each new
   * version.
   */
  part: (sessionId: number, firstMove: number, version: number) =>
    queryOptions({
      queryKey: [...all(), 'part', sessionId, firstMove, version],
      queryFn: ({ signal }) => api.call(getReplayPart, { params: { sessionId, firstMove }, signal }),
      staleTime: Infinity,
    }),
};
