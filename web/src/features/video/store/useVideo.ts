/** React's view of the video store: each part subscribes to its own slice. */
import { createContext, useContext } from 'react';
import { useStorePart } from '../../../platform/useStorePart.ts';
import type { VideoModel, VideoStore } from './videoStore.ts';

export const VideoContext = createContext<VideoStore | null>(null);

/** The video store of the surrounding room. Throws outside of a room. */
export function useVideoStore(): VideoStore {
  const store = useContext(VideoContext);
  if (!store) throw new Error('outside of a room');
  return store;
}

/** A slice of the video; see `useStorePart`. */
export function useVideoPart<T>(read: (model: VideoModel) => T, same?: (a: T, b: T) => boolean): T {
  return useStorePart(useVideoStore(), read, same);
}

/** Whether this person takes part right now, or is about to. */
export const takesPart = (model: VideoModel): boolean =>
  model.media.phase !== 'off' && model.media.phase !== 'disconnecting';
