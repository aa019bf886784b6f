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
    return {
      id,
      as,
      picture,
      sendsVideo: sends('video') && flows,
      sendsAudio: sends('audio'),
      talking,
      size: picture ? size : null,
      layers,
      kbps,
      sealed,
    };
  });
}

type Numbers = Record<string, number> | null;
const sameNumbers = (a: Numbers, b: Numbers) =>
  a === b || (a !== null && b !== null && Object.keys(a).every((key) => a[key] === b[key]));
const samePerson = (a: MediaPerson, b: MediaPerson) =>
  (Object.keys(a) as (keyof MediaPerson)[]).every((key) =>
    key === 'size' || key === 'layers' ? sameNumbers(a[key], b[key]) : a[key] === b[key],
  );

/** Keeps what did not change as the same objects, so that only tiles that changed are drawn anew. */
export function keepSame(before: readonly MediaPerson[], after: readonly MediaPerson[]): readonly MediaPerson[] {
  const list = after.map((person) => {
    const old = before.find(({ id }) => id === person.id);
    return old && samePerson(old, person) ? old : person;
  });
  return list.length === before.length && list.every((person, index) => person === before[index]) ? before : list;
}
