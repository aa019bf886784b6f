/** React's view of the video store: each part hears of its own slice. */
import { createContext, useContext, useRef, useSyncExternalStore } from 'react';
import type { VideoModel, VideoStore } from './video.store.ts';

export const VideoContext = createContext<VideoStore | null>(null);

export function useVideoStore(): VideoStore {
  const store = useContext(VideoContext);
  if (!store) throw new Error('outside of a room');
  return store;
}

/** A slice of the video. In: what to read, and when two readings count as the same. Out: the reading; drawn again only when another comes. */
export function useVideoPart<T>(read: (model: VideoModel) => T, same: (a: T, b: T) => boolean = Object.is): T {
  const store = useVideoStore();
  const last = useRef<{ value: T } | null>(null);
  const get = () => {
    const value = read(store.get());
    if (last.current && same(last.current.value, value)) return last.current.value;
    last.current = { value };
    return value;
  };
  return useSyncExternalStore(store.subscribe, get);
}

/** Whether this person takes part right now, or is about to. */
export const takesPart = (model: VideoModel): boolean =>
  model.media.phase !== 'off' && model.media.phase !== 'disconnecting';
