/** The list of people for the rest of the web. Pure. */
import type { RemotePublisher } from '../connection/janus/publisherList.ts';
import type { MediaPerson } from '../mediaTypes.ts';

/** What is known about one person besides the publisher entry. */
export interface Arrived {
  videoStream: MediaStream | null;
  /** False: subscribed to the video, but none arrives. */
  flows: boolean;
  size: MediaPerson['size'];
  layers: MediaPerson['layers'];
  kbps: number;
  unreadable: boolean;
}

/** Everybody who publishes, in order of arrival. */
export function peopleOf(publishers: readonly RemotePublisher[], arrived: (id: number) => Arrived): MediaPerson[] {
  return publishers.map(({ id, as, streams, talking }) => {
    const { videoStream, flows, size, layers, kbps, unreadable } = arrived(id);
    const sends = (kind: 'audio' | 'video') => streams.some(({ type, off }) => type === kind && !off);
    return {
      id,
      as,
      videoStream,
      sendsVideo: sends('video') && flows,
      sendsAudio: sends('audio'),
      talking,
      size: videoStream ? size : null,
      layers,
      kbps,
      unreadable,
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

/** Keeps unchanged people as the same objects, so that only changed tiles are drawn again. */
export function keepSame(before: readonly MediaPerson[], after: readonly MediaPerson[]): readonly MediaPerson[] {
  const list = after.map((person) => {
    const old = before.find(({ id }) => id === person.id);
    return old && samePerson(old, person) ? old : person;
  });
  return list.length === before.length && list.every((person, index) => person === before[index]) ? before : list;
}
