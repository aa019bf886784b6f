/** The outside of the video store for tests: the room's line, media that only notes what it is asked, and what the browser keeps. */
import type { MediaChoice, MediaRoom, MediaState } from '../../platform/media/media.types.ts';
import type { VideoState } from './rules.ts';
import type { Memory, VideoNews, VideoView } from './video.store.ts';

export const SETTINGS = { clientsVisible: true, highQuality: false, encrypted: false };
export const running = (on: boolean): VideoState => ({ running: on, settings: SETTINGS, faces: [] });

/** In: what the browser kept. Out: the parts of a store, what media was asked (`done`), and how to speak as the room (`room`, `say`) and as the media (`set`). */
export function outside({ active = false, choice = null as MediaChoice | null } = {}) {
  let video: VideoState | null = null;
  const hearers = new Set<() => void>();
  const news = new Set<(one: VideoNews) => void>();
  const mediaHearers = new Set<() => void>();
  const done: string[] = [];
  let state: MediaState = {
    phase: 'off',
    own: { picture: null, audio: false, video: false, level: 0, talking: false, lost: null },
    people: [],
    choice: { audio: false, video: false },
    playBlocked: false,
    lowData: false,
    line: 'good',
    fault: null,
    safetyCode: null,
    waitingForKey: false,
  };
  const setMedia = (patch: Partial<MediaState>) => {
    state = { ...state, ...patch };
    for (const hear of mediaHearers) hear();
  };
  const media: MediaRoom = {
    get: () => state,
    subscribe(hear) {
      mediaHearers.add(hear);
      return () => mediaHearers.delete(hear);
    },
    async start(wanted) {
      done.push(`start ${wanted.audio ? 'a' : '-'}${wanted.video ? 'v' : '-'}`);
      setMedia({ phase: 'on', choice: wanted });
    },
    async stop() {
      done.push('stop');
      setMedia({ phase: 'off' });
    },
    async setAudio(on) {
      done.push(`audio ${on}`);
    },
    async setVideo(on) {
      done.push(`video ${on}`);
    },
    async setDevice(kind, id) {
      done.push(`${kind} ${id}`);
    },
    show(ids) {
      done.push(`show ${ids.join(' ')}`.trim());
    },
    setLayers(id, layers) {
      done.push(`layers ${id} ${JSON.stringify(layers)}`);
    },
    setLowData(on) {
      done.push(`low ${on}`);
    },
    async play() {
      done.push('play');
    },
    setSettings() {},
    muted() {
      done.push('muted');
    },
    removed(id) {
      done.push(`removed ${id}`);
    },
    close() {
      done.push('close');
    },
  };
  const kept = { view: {} as Partial<VideoView>, choice, active };
  const memory: Memory = {
    view: () => kept.view,
    setView: (view) => {
      kept.view = view;
    },
    choice: () => kept.choice,
    setChoice: (next) => {
      kept.choice = next;
    },
    active: () => kept.active,
    setActive: (on) => {
      kept.active = on;
    },
  };
  return {
    done,
    kept,
    memory,
    set: setMedia,
    media: async () => media,
    line: {
      video: () => video,
      subscribe(hear: () => void) {
        hearers.add(hear);
        return () => void hearers.delete(hear);
      },
      onVideo(hear: (one: VideoNews) => void) {
        news.add(hear);
        return () => void news.delete(hear);
      },
    },
    room(next: VideoState) {
      video = next;
      for (const hear of hearers) hear();
    },
    say(one: VideoNews) {
      for (const hear of news) hear(one);
    },
  };
}
