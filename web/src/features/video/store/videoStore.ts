/**
 * This browser's audio and video in the room: the room's state, what this person chose, and the media behind them.
 * Nobody's microphone or camera opens without their own act: START_VIDEO only offers. A choice made before the
 * therapist has started is kept and applied when they do. Rules: docs/product.md#10.3.
 */
import { OFFER_KEPT_SECONDS, type VideoSettings, type VideoState } from '@fieldroom/contract/video';
import { createEmitter } from '../../../platform/emitter.ts';
import type { MediaChoice, MediaHost, MediaRoom, MediaState } from '../../../platform/media/mediaTypes.ts';
import { choiceOf, type JoinWith, joinOf, type Layout, type Strip, STRIPS, layoutFrom } from './videoModel.ts';
import type { Connection } from '../../../platform/realtime/index.ts';

/** The therapist's and client's acts on the server. */
export interface VideoCalls {
  setSettings(settings: Partial<VideoSettings>): Promise<VideoSettings>;
  /** Puts these clients on stage and no others; null ends the stage. */
  setStage(clientIds: number[] | 'withRole' | null): Promise<void>;
  /** Puts one client on stage or takes them off; the others stay. Taking the last one off ends the stage. */
  turnOnStage(clientId: number, on: boolean): Promise<void>;
  mute(clientIds: number[] | 'all'): Promise<void>;
  askToUnmute(clientId: number): Promise<void>;
  select(clientId: number, selected: boolean): Promise<void>;
  raiseHand(raised: boolean, clientId?: number): Promise<void>;
}

export interface VideoView {
  layout: Layout;
  strip: Strip;
  /** The own video is among the tiles. */
  showOwn: boolean;
  /** Shows sizes, rates and layer buttons on the tiles. */
  details: boolean;
}

export interface VideoModel {
  media: MediaState;
  room: VideoState | null;
  view: VideoView;
  /** Who is talking now, according to the room; also for people who do not take part. */
  talking: readonly number[];
  /** `offer`: the therapist has started. `again`: this person took part before the page was reloaded. */
  offer: 'offer' | 'again' | null;
  /** Chosen before the therapist started; joins as soon as they do. */
  chosen: JoinWith | null;
  /** The therapist's request to this person. */
  asked: 'muted' | 'unmute' | null;
  page: number;
}

export interface VideoStore {
  readonly me: MediaHost['me'];
  get(): VideoModel;
  subscribe(listener: () => void): () => void;
  /**
   * Takes part: at once or, for a client before the therapist has started, when they do. Uses the devices chosen last.
   */
  join(how: JoinWith, devices?: Partial<MediaChoice>): void;
  leave(): Promise<void>;
  setAudio(on: boolean): void;
  setVideo(on: boolean): void;
  setDevice(kind: 'microphone' | 'camera' | 'speaker', id: string): void;
  dismissOffer(): void;
  dismissAsk(): void;
  dropChoice(): void;
  show(ids: readonly number[]): void;
  setLayers(id: number, layers: { substream?: 0 | 1 | 2; temporal?: 0 | 1 | 2 }): void;
  setLowData(on: boolean): void;
  play(): void;
  /** The therapist removed somebody: with encrypted media, the others get a new key. */
  removed(id: number): void;
  /** The part of a join link after its `#` while media is encrypted; otherwise null. */
  linkFragment(): string | null;
  setView(view: Partial<VideoView>): void;
  setPage(page: number): void;
  lastChoice(): MediaChoice;
  close(): void;
}

/**
 * How long clients stay after the therapist's video is gone: a lost connection often returns soon. Until then it is the
 * same offer.
 */
export const ENDED_AFTER_MS = OFFER_KEPT_SECONDS * 1000;
/** How often taking part is stored. */
const NOTED_EVERY_MS = 30_000;

const OFF: MediaState = {
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
const VIEW: VideoView = { layout: 'field', strip: 'top', showOwn: true, details: false };

export interface VideoStoreParts {
  me: MediaHost['me'];
  connection: Pick<Connection, 'on'>;
  /** Loaded late: only people who take part need its code. */
  media(): Promise<MediaRoom>;
  preferences: VideoPreferences;
  /** Forgets the key that this tab stores for encrypted media, when no code that uses it is loaded. */
  forgetKey(): void;
}
/** The browser's stored values: view, last choice, and whether this person took part. */
export interface VideoPreferences {
  view(): Partial<VideoView>;
  setView(view: VideoView): void;
  choice(): MediaChoice | null;
  setChoice(choice: MediaChoice): void;
  active(): boolean;
  setActive(on: boolean): void;
}

/**
 * Creates the store. Takes this person, the connection to the room, a function that loads the media, and the browser's
 * stored values. `close` leaves the video.
 */
export function createVideoStore({
  me,
  connection,
  media: loadMedia,
  preferences,
  forgetKey,
}: VideoStoreParts): VideoStore {
  const kept = preferences.view();
  const changed = createEmitter();
  let media: MediaRoom | null = null;
  let loading: Promise<MediaRoom> | null = null;
  let closed = false;
  let endTimer: ReturnType<typeof setTimeout> | undefined;
  let noteTimer: ReturnType<typeof setInterval> | undefined;
  /**
   * This offer was answered: a person who said "Not now" or left is not asked again when the therapist's connection
   * comes back.
   */
  let answered = false;
  /** The people whose videos are on the page; passed on to media that loads later. */
  let onPage: readonly number[] = [];
  /** The room has this person as muted by the therapist, and they know it. */
  let knowsMute = false;
  /** Counts joins and leaves: a join that was cancelled while its code was loading opens nothing. */
  let turns = 0;
  let model: VideoModel = {
    media: OFF,
    room: null,
    talking: [],
    offer: null,
    chosen: null,
    asked: null,
    page: 0,
    view: {
      layout: layoutFrom(kept.layout) ?? VIEW.layout,
      strip: STRIPS.includes(kept.strip as Strip) ? (kept.strip as Strip) : VIEW.strip,
      showOwn: kept.showOwn ?? VIEW.showOwn,
      details: kept.details ?? VIEW.details,
    },
  };

  const set = (patch: Partial<VideoModel>) => {
    model = { ...model, ...patch };
    changed.emit();
  };
  const inVideo = () => model.media.phase !== 'off' && model.media.phase !== 'disconnecting';

  async function mediaRoom(): Promise<MediaRoom> {
    loading ??= loadMedia().then((room) => {
      media = room;
      if (model.room) room.setSettings(model.room.settings);
      if (onPage.length > 0) room.show(onPage);
      room.subscribe(() => {
        const next = room.get();
        if (next.phase === 'on' && model.media.phase !== 'on') preferences.setActive(true);
        if (next.fault === 'live_session_over') preferences.setActive(false);
        if (next.phase !== 'on') {
          clearInterval(noteTimer);
          noteTimer = undefined;
        } else noteTimer ??= setInterval(() => preferences.setActive(true), NOTED_EVERY_MS);
        if (next.choice !== model.media.choice && next.phase === 'on') preferences.setChoice(next.choice);
        set({ media: next });
      });
      if (closed) room.close();
      return room;
    });
    try {
      return await loading;
    } catch (fault) {
      loading = null;
      throw fault;
    }
  }

  function start(choice: MediaChoice): void {
    set({ offer: null, chosen: null, media: { ...model.media, phase: 'connecting', fault: null, choice } });
    preferences.setChoice(choice);
    turns += 1;
    const mine = turns;
    // The person left or the page closed while the code was loading: nothing may open any more.
    const isVoid = () => closed || mine !== turns;
    mediaRoom()
      .then((room) => (isVoid() ? undefined : room.start(choice)))
      .catch(() => {
        if (!isVoid()) set({ media: { ...OFF, fault: 'other' } });
      });
  }

  function begun(): void {
    clearTimeout(endTimer);
    if (me.as === 'therapist' || inVideo()) return;
    if (model.chosen !== null) start(choiceOf(model.chosen, devicesOf(preferences.choice())));
    else if (model.offer === null && !answered) set({ offer: preferences.active() ? 'again' : 'offer' });
  }

  function muted(): void {
    media?.muted();
    set({ asked: 'muted' });
  }

  /**
   * The message about a mute is lost with a dead connection, and a mute outlasts a reload and leaving the video.
   * Without this, a person would speak into a microphone that looks open, and nobody would hear them.
   */
  function followMute({ faces }: VideoState): void {
    const now = faces.find(({ id }) => id === me.id)?.mutedByTherapist ?? false;
    const isNews = now && !knowsMute;
    knowsMute = now;
    // For people who muted themselves nothing changes.
    if (isNews && inVideo() && model.media.choice.audio) muted();
  }

  function takeState(room: VideoState): void {
    const before = model.room;
    set({ room });
    media?.setSettings(room.settings);
    followMute(room);
    if (me.as === 'therapist') {
      // Reloaded in the middle of a video call: one tap brings them back.
      if (before === null && preferences.active() && !inVideo()) set({ offer: 'again' });
      return;
    }
    if (room.running && !before?.running) begun();
    if (!room.running && before?.running !== false) {
      set({ offer: null });
      clearTimeout(endTimer);
      // Clients are not left alone with each other.
      endTimer = setTimeout(() => {
        if (model.room?.running) return;
        answered = false;
        if (inVideo()) void stop();
      }, ENDED_AFTER_MS);
    }
  }
  const subscriptions = [
    connection.on('VIDEO_STATE', ({ contents }) => takeState(contents)),
    connection.on('START_VIDEO', () => {
      // The server sends it once per offer, so this is another one.
      answered = false;
      begun();
    }),
    connection.on('TALKING', ({ contents }) => set({ talking: contents.ids })),
    connection.on('VIDEO_ASK', ({ contents }) => {
      if (!inVideo()) return;
      if (contents.ask === 'unmute') return set({ asked: 'unmute' });
      knowsMute = true;
      muted();
    }),
  ];

  async function stop(): Promise<void> {
    clearTimeout(endTimer);
    preferences.setActive(false);
    turns += 1;
    // Nothing has started yet, so there is nothing to leave.
    set({ asked: null, chosen: null, media: media?.get() ?? OFF });
    await media?.stop();
  }

  return {
    me,
    get: () => model,
    subscribe: changed.on,
    join(how, devices) {
      const choice = choiceOf(how, { ...devicesOf(preferences.choice()), ...devicesOf(devices) });
      if (me.as === 'client' && !model.room?.running) {
        preferences.setChoice(choice);
        set({ chosen: how, offer: null });
        return;
      }
      start(choice);
    },
    leave() {
      answered = true;
      return stop();
    },
    setAudio(on) {
      set({ asked: null });
      void media?.setAudio(on);
    },
    setVideo(on) {
      void media?.setVideo(on);
    },
    setDevice(kind, id) {
      preferences.setChoice({ ...(preferences.choice() ?? { audio: false, video: false }), [kind]: id });
      if (inVideo()) void media?.setDevice(kind, id);
    },
    dismissOffer() {
      answered = true;
      preferences.setActive(false);
      set({ offer: null });
    },
    dismissAsk: () => set({ asked: null }),
    dropChoice: () => set({ chosen: null }),
    show(ids) {
      onPage = ids;
      media?.show(ids);
    },
    setLayers: (id, layers) => media?.setLayers(id, layers),
    setLowData(on) {
      media?.setLowData(on);
    },
    play() {
      void media?.play();
    },
    removed: (id) => (media ? media.removed(id) : forgetKey()),
    linkFragment: () => media?.linkFragment() ?? null,
    setView(view) {
      const next = { ...model.view, ...view };
      preferences.setView(next);
      set({ view: next, ...(view.layout !== undefined && view.layout !== model.view.layout ? { page: 0 } : {}) });
    },
    setPage: (page) => set({ page }),
    lastChoice: () => preferences.choice() ?? { audio: true, video: true },
    close() {
      closed = true;
      clearTimeout(endTimer);
      clearInterval(noteTimer);
      for (const unsubscribe of subscriptions) unsubscribe();
      changed.clear();
      media?.close();
    },
  };
}

function devicesOf(
  choice: Partial<MediaChoice> | null | undefined,
): Partial<Pick<MediaChoice, 'microphone' | 'camera' | 'speaker'>> {
  return {
    ...(choice?.microphone ? { microphone: choice.microphone } : {}),
    ...(choice?.camera ? { camera: choice.camera } : {}),
    ...(choice?.speaker ? { speaker: choice.speaker } : {}),
  };
}

/** How to join without a new choice. */
export const lastJoin = (store: VideoStore): JoinWith => joinOf(store.lastChoice());
