/** Which streams this browser wants, and what to ask for to get from those it has to those. Pure. */
import type { Feed } from './feeds.ts';

export interface StreamName {
  feed: number;
  mid: string;
}
export interface WantedStream extends StreamName {
  type: 'audio' | 'video';
}

/** One stream as the server says it stands. */
export interface Arriving extends StreamName {
  type: 'audio' | 'video';
  /** On this connection. */
  at: string;
}

export interface Looking {
  me: { id: number; as: 'therapist' | 'client' };
  therapistId: number;
  /** Whose pictures are on the page, in the order of the tiles. */
  shown: readonly number[];
  /** False: clients see the therapist alone. */
  clientsVisible: boolean;
  /** How many pictures the line carries beside the therapist's, and whether the therapist's too. */
  pictures: { others: number; therapist: boolean };
}

/** Voices of everybody; pictures of those shown, as many as the line carries, the therapist's always and dropped last. PRODUCT 10, UI "The room". */
export function wantedStreams(
  feeds: readonly Feed[],
  { me, therapistId, shown, clientsVisible, pictures }: Looking,
): WantedStream[] {
  const seesOthers = clientsVisible || me.as === 'therapist';
  const others = shown.filter(
    (id) =>
      id !== therapistId &&
      id !== me.id &&
      feeds.some((feed) => feed.id === id && feed.streams.some(({ type }) => type === 'video')),
  );
  const seen = new Set(seesOthers ? others.slice(0, pictures.others) : []);
  if (pictures.therapist) seen.add(therapistId);
  return feeds.flatMap(({ id, streams }) =>
    streams.filter(({ type }) => type === 'audio' || seen.has(id)).map(({ mid, type }) => ({ feed: id, mid, type })),
  );
}

/** In: what there is and what is wanted. Out: the two lists of an `update` request. */
export function difference(
  there: readonly StreamName[],
  wanted: readonly StreamName[],
): { subscribe: StreamName[]; unsubscribe: StreamName[] } {
  const has = (list: readonly StreamName[], { feed, mid }: StreamName) =>
    list.some((entry) => entry.feed === feed && entry.mid === mid);
  return {
    subscribe: wanted.filter((name) => !has(there, name)).map(({ feed, mid }) => ({ feed, mid })),
    unsubscribe: there.filter((name) => !has(wanted, name)).map(({ feed, mid }) => ({ feed, mid })),
  };
}

/** In: the plugin's `streams`. Out: those that carry something. */
export function arrivingOf(streams: unknown): Arriving[] {
  if (!Array.isArray(streams)) return [];
  return (streams as Record<string, unknown>[]).flatMap(({ mid, type, feed_id: feed, feed_mid: feedMid, active }) =>
    active !== false &&
    typeof mid === 'string' &&
    typeof feed === 'number' &&
    typeof feedMid === 'string' &&
    (type === 'audio' || type === 'video')
      ? [{ at: mid, type, feed, mid: feedMid }]
      : [],
  );
}
