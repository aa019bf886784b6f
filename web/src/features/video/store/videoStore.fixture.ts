/**
 * The surroundings of the video store, for tests: a connection, media that only records its calls, and the browser's
 * storage.
 */
import { DEFAULT_VIDEO_SETTINGS, type VideoState } from '@fieldroom/contract/video';
import type { MediaChoice, MediaRoom, MediaState } from '../../../platform/media/mediaTypes.ts';
import { fakeConnection } from '../../../platform/realtime/connection.fixture.ts';
import type { VideoPreferences, VideoView } from './videoStore.ts';

/** The state of a room without videos, whose video is running or not. */
export const running = (on: boolean): VideoState => ({
  running: on,
  settings: DEFAULT_VIDEO_SETTINGS,
  stage: null,
  faces: [],
});

/**
 * Takes what the browser stored. Returns the parts of a store, the calls to the media (`done`), and functions that send
 * as the room (`room`, `say`) and as the media (`set`).
 */
export function outside({ active = false, choice = null as MediaChoice | null } = {}) {
  const connection = fakeConnection();
  const mediaHearers = new Set<() => void>();
  const done: string[] = [];
  let state: MediaState = {
    phase: 'off',
    own: { videoStream: null, audio: false, video: false, level: 0, talking: false, lost: null },
    people: [],
    choice: { audio: false, video: false },
    playBlocked: false,
    lowData: false,
    quality: 'good',
    fault: null,
    safetyCode: null,
    waitingForKey: false,
    limited: [],
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
    linkFragment: () => null,
    removed(id) {
      done.push(`removed ${id}`);
    },
    close() {
      done.push('close');
    },
  };
  const kept = { view: {} as Partial<VideoView>, choice, active };
  const preferences: VideoPreferences = {
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
    preferences,
    set: setMedia,
    media: async () => media,
    forgetKey: () => void done.push('forget key'),
    connection,
    room: (state: VideoState) => connection.say({ eventType: 'VIDEO_STATE', contents: state }),
    say: connection.say,
  };
}
