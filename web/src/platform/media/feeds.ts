/** Who publishes in the room, from what the videoroom plugin says. Pure. Source: Janus videoroom 1.x (multistream), events on a publisher's handle. */
import { personOfDisplay } from '@fieldroom/contract/video.rules';

export interface FeedStream {
  mid: string;
  type: 'audio' | 'video';
  /** Comes in several sizes. */
  layered: boolean;
  /** Nothing of it is passed on right now: its owner or the therapist switched it off. */
  off: boolean;
}
/** A person's publication. */
export interface Feed {
  id: number;
  as: 'therapist' | 'client';
  streams: readonly FeedStream[];
  talking: boolean;
}

/** The plugin's data in answers and events; only what is read here. */
export interface RoomData {
  videoroom?: string;
  room?: number;
  id?: number;
  private_id?: number;
  publishers?: unknown;
  participants?: unknown;
  /** An id, or "ok" when it was oneself. */
  leaving?: number | 'ok';
  unpublished?: number | 'ok';
  kicked?: number;
  reason?: string;
  error_code?: number;
  error?: string;
  configured?: string;
  started?: string;
  left?: string;
  streams?: unknown;
  mid?: string;
  /** Whether a stream is passed on: "muted" or "unmuted". */
  moderation?: string;
  substream?: number;
  temporal?: number;
  [more: string]: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const records = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : []);

function feedOf(entry: Record<string, unknown>): Feed | null {
  const person = typeof entry.display === 'string' ? personOfDisplay(entry.display) : null;
  // The display name is the server's; a publisher without one of ours is nobody of the room.
  if (person === null || entry.id !== person.id) return null;
  const streams = records(entry.streams)
    .filter(
      ({ mid, type, disabled }) =>
        typeof mid === 'string' && (type === 'audio' || type === 'video') && disabled !== true,
    )
    .map(({ mid, type, simulcast, moderated }) => ({
      mid: mid as string,
      type: type as FeedStream['type'],
      layered: simulcast === true,
      off: moderated === true,
    }));
  return {
    ...person,
    streams,
    talking: entry.talking === true || records(entry.streams).some(({ talking }) => talking === true),
  };
}

/**
 * What an event changes. In: the feeds so far in the order they came, the event's data, one's own id. Out: the feeds after it; the very
 * same array when nothing changed. `unpublished` comes twice from Janus, which is harmless here.
 */
export function applyEvent(feeds: readonly Feed[], data: RoomData, me: number): readonly Feed[] {
  let next = feeds;
  for (const entry of records(data.publishers)) {
    const feed = feedOf(entry);
    if (!feed || feed.id === me) continue;
    next = next.some(({ id }) => id === feed.id)
      ? next.map((old) => (old.id === feed.id ? feed : old))
      : [...next, feed];
  }
  for (const gone of [data.leaving, data.unpublished, data.kicked])
    if (typeof gone === 'number' && next.some(({ id }) => id === gone)) next = next.filter(({ id }) => id !== gone);
  if (data.moderation !== undefined) next = switched(next, data.id, data.mid, data.moderation === 'muted');
  if ((data.videoroom === 'talking' || data.videoroom === 'stopped-talking') && typeof data.id === 'number')
    next = mark(next, data.id, data.videoroom === 'talking');
  return next;
}

/** What the poll says (`listparticipants`): who talks, and who is there no more. Newcomers come by events alone, as the poll does not name streams. */
export function applyList(feeds: readonly Feed[], data: RoomData): readonly Feed[] {
  if (!Array.isArray(data.participants)) return feeds;
  const there = new Map(records(data.participants).map((entry) => [entry.id, entry]));
  let next = feeds.some(({ id }) => there.get(id)?.publisher !== true)
    ? feeds.filter(({ id }) => there.get(id)?.publisher === true)
    : feeds;
  for (const { id } of next) next = mark(next, id, there.get(id)?.talking === true);
  return next;
}

function switched(
  feeds: readonly Feed[],
  id: number | undefined,
  mid: string | undefined,
  off: boolean,
): readonly Feed[] {
  const meant = (stream: FeedStream) => stream.mid === mid && stream.off !== off;
  if (!feeds.some((feed) => feed.id === id && feed.streams.some(meant))) return feeds;
  return feeds.map((feed) =>
    feed.id === id
      ? { ...feed, streams: feed.streams.map((stream) => (meant(stream) ? { ...stream, off } : stream)) }
      : feed,
  );
}

function mark(feeds: readonly Feed[], id: number, talking: boolean): readonly Feed[] {
  return feeds.some((feed) => feed.id === id && feed.talking !== talking)
    ? feeds.map((feed) => (feed.id === id ? { ...feed, talking } : feed))
    : feeds;
}
