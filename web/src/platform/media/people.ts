/** The list of people as the rest of the web reads it. Pure. */
import type { Feed } from './feeds.ts';
import type { MediaPerson } from './media.types.ts';

/** What is known of one person beside the feed. */
export interface Arrived {
  picture: MediaStream | null;
  /** False: a picture is subscribed to and none comes. */
  flows: boolean;
  size: MediaPerson['size'];
  layers: MediaPerson['layers'];
  kbps: number;
  sealed: boolean;
}

/** Everybody who publishes, in the order they came. */
export function peopleOf(feeds: readonly Feed[], arrived: (id: number) => Arrived): MediaPerson[] {
  return feeds.map(({ id, as, streams, talking }) => {
    const { picture, flows, size, layers, kbps, sealed } = arrived(id);
    const sends = (kind: 'audio' | 'video') => streams.some(({ type, off }) => type === kind && !off);
    return { id, as, picture, sendsVideo: sends('video') && flows, sendsAudio: sends('audio'), talking, size: picture ? size : null, layers, kbps, sealed };
  });
}

const same = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) || (isPlain(a) && isPlain(b) && Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => Object.is(a[key], b[key])));
const isPlain = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Keeps what did not change as the same objects, so that only tiles that changed are drawn anew. */
export function keepSame(before: readonly MediaPerson[], after: readonly MediaPerson[]): readonly MediaPerson[] {
  const list = after.map((person) => {
    const old = before.find(({ id }) => id === person.id);
    return old && (Object.keys(person) as (keyof MediaPerson)[]).every((key) => same(old[key], person[key])) ? old : person;
  });
  return list.length === before.length && list.every((person, index) => person === before[index]) ? before : list;
}
