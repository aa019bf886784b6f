/** Which streams this browser wants, and the requests that lead to them from those it has. Pure. */
import type { RemotePublisher } from './publisherList.ts';

export interface StreamName {
  feed: number;
  mid: string;
}
export interface WantedStream extends StreamName {
  type: 'audio' | 'video';
}

/** A stream that is received, as the server describes it. */
export interface ReceivedStream extends StreamName {
  type: 'audio' | 'video';
  /** The mid on our connection. */
  at: string;
}

export interface Looking {
  me: { id: number; as: 'therapist' | 'client' };
  therapistId: number;
  /** Whose video is on the page, in tile order. */
  shown: readonly number[];
  /** False: clients see only the therapist's video. */
  clientsVisible: boolean;
  /** How much video the connection is given besides the therapist's, and whether the therapist's too. */
  videoAllowance: { others: number; therapist: boolean };
}

/**
 * Returns everybody's audio, and the video of those on the page as far as the connection allows. The therapist's video
 * is always wanted and goes last (docs/product.md#10.10).
 */
export function wantedStreams(
  publishers: readonly RemotePublisher[],
  { me, therapistId, shown, clientsVisible, videoAllowance }: Looking,
): WantedStream[] {
  const seesOthers = clientsVisible || me.as === 'therapist';
  const others = shown.filter(
    (id) =>
      id !== therapistId &&
      id !== me.id &&
      publishers.some((feed) => feed.id === id && feed.streams.some(({ type }) => type === 'video')),
  );
  const seen = new Set(seesOthers ? others.slice(0, videoAllowance.others) : []);
  if (videoAllowance.therapist) seen.add(therapistId);
  return publishers.flatMap(({ id, streams }) =>
    streams.filter(({ type }) => type === 'audio' || seen.has(id)).map(({ mid, type }) => ({ feed: id, mid, type })),
  );
}

/** Takes what is received and what is wanted. Returns the two lists of an `update` request. */
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

/** Reads the plugin's `streams`. Returns those that carry something. */
export function readReceivedStreams(streams: unknown): ReceivedStream[] {
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
