/**
 * The publishers in the room, from the videoroom plugin's events on a publisher's handle. Pure. Source: Janus videoroom
 * 1.x (multistream).
 */
import { personOfDisplay } from '@fieldroom/contract/video';

interface PublishedStream {
  mid: string;
  type: 'audio' | 'video';
  /** Sent in several sizes. */
  layered: boolean;
  /** Not forwarded now: its owner or the therapist switched it off. */
  off: boolean;
}
/** What one person publishes. */
export interface RemotePublisher {
  id: number;
  as: 'therapist' | 'client';
  streams: readonly PublishedStream[];
  talking: boolean;
}

/** The plugin's data in replies and events; only what is read here. */
export interface RoomData {
  videoroom?: string;
  room?: number;
  id?: number;
  private_id?: number;
  publishers?: unknown;
  participants?: unknown;
  /** An id, or "ok" for this person. */
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
  /** Whether a stream is forwarded: "muted" or "unmuted". */
  moderation?: string;
  substream?: number;
  temporal?: number;
  /** Which of this person's media the server does not forward because too much arrived. */
  limited?: unknown;
  [more: string]: unknown;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const records = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : []);

function readPublisher(entry: Record<string, unknown>): RemotePublisher | null {
  const person = typeof entry.display === 'string' ? personOfDisplay(entry.display) : null;
  // The server sets the display name; a publisher with another name is not a member of the room.
  if (person === null || entry.id !== person.id) return null;
  const streams = records(entry.streams)
    .filter(
      ({ mid, type, disabled }) =>
        typeof mid === 'string' && (type === 'audio' || type === 'video') && disabled !== true,
    )
    .map(({ mid, type, simulcast, moderated }) => ({
      mid: mid as string,
      type: type as PublishedStream['type'],
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
 * Applies an event. Takes the publishers so far in order of arrival, the event's data, and this person's own id.
 * Returns the publishers after it, or the same array when nothing changed. Janus sends `unpublished` twice, which is
 * harmless.
 */
export function applyEvent(
  publishers: readonly RemotePublisher[],
  data: RoomData,
  me: number,
): readonly RemotePublisher[] {
  let next = publishers;
  for (const entry of records(data.publishers)) {
    const feed = readPublisher(entry);
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

/**
 * Applies a poll (`listparticipants`): who talks, and who has left. Newcomers come only through events, because the
 * poll does not name streams.
 */
export function applyList(publishers: readonly RemotePublisher[], data: RoomData): readonly RemotePublisher[] {
  if (!Array.isArray(data.participants)) return publishers;
  const there = new Map(records(data.participants).map((entry) => [entry.id, entry]));
  let next = publishers.some(({ id }) => there.get(id)?.publisher !== true)
    ? publishers.filter(({ id }) => there.get(id)?.publisher === true)
    : publishers;
  for (const { id } of next) next = mark(next, id, there.get(id)?.talking === true);
  return next;
}

function switched(
  publishers: readonly RemotePublisher[],
  id: number | undefined,
  mid: string | undefined,
  off: boolean,
): readonly RemotePublisher[] {
  const meant = (stream: PublishedStream) => stream.mid === mid && stream.off !== off;
  if (!publishers.some((feed) => feed.id === id && feed.streams.some(meant))) return publishers;
  return publishers.map((feed) =>
    feed.id === id
      ? { ...feed, streams: feed.streams.map((stream) => (meant(stream) ? { ...stream, off } : stream)) }
      : feed,
  );
}

function mark(publishers: readonly RemotePublisher[], id: number, talking: boolean): readonly RemotePublisher[] {
  return publishers.some((feed) => feed.id === id && feed.talking !== talking)
    ? publishers.map((feed) => (feed.id === id ? { ...feed, talking } : feed))
    : publishers;
}
