/**
 * Sound and picture of this browser in the room: what the room says, what this person chose, and the media behind them.
 * Nobody's microphone or camera opens without their own act: START_VIDEO only offers; a choice made before the therapist began is
 * kept and applied when they do. PRODUCT 10.
 */
import type { MediaChoice, MediaDoor, MediaRoom, MediaState } from '../../platform/media/media.types.ts';
import { choiceOf, type JoinWith, joinOf, type Layout, LAYOUTS, type Strip, STRIPS } from './video.model.ts';
import type { VideoSettings, VideoState } from './rules.ts';

/** What the room's line says about video; the room's store gives it. */
export interface VideoLine {
  video(): VideoState | null;
  subscribe(listener: () => void): () => void;
  onVideo(listener: (news: VideoNews) => void): () => void;
}
export type VideoNews =
  | { eventType: 'START_VIDEO'; contents: { userId: number } }
  | { eventType: 'TALKING'; contents: { ids: number[] } }
  | { eventType: 'VIDEO_ASK'; contents: { ask: 'muted' | 'unmute' } }
  | { eventType: 'VIDEO_KEY'; contents: { from: number; publicKey: string; sealed?: string; generation?: number } };

/** The room's acts on the server. */
export interface VideoCalls {
  setSettings(settings: Partial<VideoSettings>): Promise<VideoSettings>;
  mute(clientIds: number[] | 'all'): Promise<void>;
  askToUnmute(clientId: number): Promise<void>;
  select(clientId: number, selected: boolean): Promise<void>;
  raiseHand(raised: boolean, clientId?: number): Promise<void>;
}

export interface VideoView {
  layout: Layout;
  strip: Strip;
  /** The own picture stands among the tiles. */
  showOwn: boolean;
  /** Sizes, rates and layer buttons on the tiles. */
  details: boolean;
}

export interface VideoModel {
  media: MediaState;
  room: VideoState | null;
  view: VideoView;
  /** Who is heard right now, as the room says; also for those who take no part. */
  talking: readonly number[];
  /** `offer`: the therapist has begun. `again`: one was in before the page was loaded anew. */
  offer: 'offer' | 'again' | null;
  /** Chosen before the therapist began: joined with as soon as they do. */
  chosen: JoinWith | null;
  /** What the therapist asked of this person. */
  asked: 'muted' | 'unmute' | null;
  page: number;
}

export interface VideoStore {
  readonly me: MediaDoor['me'];
  get(): VideoModel;
  subscribe(listener: () => void): () => void;
  /** Takes part, at once or (a client, before the therapist began) when they begin. Devices as chosen last. */
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
  /** The therapist sent somebody out: where sound and picture are sealed, the others get another key. */
  removed(id: number): void;
  /** What a join link carries behind its `#` while sound and picture are sealed; null otherwise. */
  linkFragment(): string | null;
  setView(view: Partial<VideoView>): void;
  setPage(page: number): void;
  lastChoice(): MediaChoice;
  close(): void;
}

/** Minutes of a therapist's lost line in which the clients' video stays: the wait before it is taken as ended. */
export const ENDED_AFTER_MS = 15_000;

const OFF: MediaState = {
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
const VIEW: VideoView = { layout: 'field', strip: 'top', showOwn: true, details: false };

export interface VideoStoreParts {
  me: MediaDoor['me'];
  line: VideoLine;
  /** Comes late: only who takes part carries its code. */
  media(): Promise<MediaRoom>;
  memory: Memory;
}
/** What the browser keeps: view, last choice, and whether one was in. */
export interface Memory {
  view(): Partial<VideoView>;
  setView(view: VideoView): void;
  choice(): MediaChoice | null;
  setChoice(choice: MediaChoice): void;
  active(): boolean;
  setActive(on: boolean): void;
}

/** In: who this is, the room's line, how media comes, what the browser keeps. Out: the store; `close` leaves the video. */
export function createVideoStore({ me, line, media: loadMedia, memory }: VideoStoreParts): VideoStore {
  const kept = memory.view();
  const listeners = new Set<() => void>();
  let media: MediaRoom | null = null;
  let loading: Promise<MediaRoom> | null = null;
  let closed = false;
  let endTimer: ReturnType<typeof setTimeout> | undefined;
  /** Who is on the page; said again to media that comes later than the page. */
  let onPage: readonly number[] = [];
  let model: VideoModel = {
    media: OFF,
    room: line.video(),
    talking: [],
    offer: null,
    chosen: null,
    asked: null,
    page: 0,
    view: {
      layout: LAYOUTS.includes(kept.layout as Layout) ? (kept.layout as Layout) : VIEW.layout,
      strip: STRIPS.includes(kept.strip as Strip) ? (kept.strip as Strip) : VIEW.strip,
      showOwn: kept.showOwn ?? VIEW.showOwn,
      details: kept.details ?? VIEW.details,
    },
  };

  const set = (patch: Partial<VideoModel>) => {
    model = { ...model, ...patch };
    for (const listener of listeners) listener();
  };
  const inVideo = () => model.media.phase !== 'off' && model.media.phase !== 'disconnecting';

  async function mediaRoom(): Promise<MediaRoom> {
    loading ??= loadMedia().then((room) => {
      media = room;
      if (model.room) room.setSettings(model.room.settings);
      if (onPage.length > 0) room.show(onPage);
      room.subscribe(() => {
        const next = room.get();
        if (next.phase === 'on' && model.media.phase !== 'on') memory.setActive(true);
        if (next.choice !== model.media.choice && next.phase === 'on') memory.setChoice(next.choice);
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
    memory.setChoice(choice);
    mediaRoom()
      .then((room) => room.start(choice))
      .catch(() => set({ media: { ...OFF, fault: 'other' } }));
  }

  function begun(): void {
    clearTimeout(endTimer);
    if (me.as === 'therapist' || inVideo()) return;
    if (model.chosen !== null) start(choiceOf(model.chosen, devicesOf(memory.choice())));
    else if (model.offer === null) set({ offer: memory.active() ? 'again' : 'offer' });
  }

  const offLine = line.subscribe(() => {
    const room = line.video();
    if (room === model.room) return;
    const before = model.room;
    set({ room });
    if (room) media?.setSettings(room.settings);
    if (me.as === 'therapist') {
      // Loaded anew in the middle of it: one tap and they are back.
      if (before === null && room && memory.active() && !inVideo()) set({ offer: 'again' });
      return;
    }
    if (room?.running && !before?.running) begun();
    if (room && !room.running && before?.running !== false) {
      set({ offer: null });
      clearTimeout(endTimer);
      // A therapist whose line only dropped is back in a moment; alone among themselves clients are not left.
      if (inVideo())
        endTimer = setTimeout(() => {
          if (!model.room?.running) void leave({ keepActive: false });
        }, ENDED_AFTER_MS);
    }
  });
  const offNews = line.onVideo((news) => {
    if (news.eventType === 'START_VIDEO') begun();
    else if (news.eventType === 'TALKING') set({ talking: news.contents.ids });
    else if (news.eventType === 'VIDEO_ASK') {
      if (!inVideo()) return;
      if (news.contents.ask === 'muted') media?.muted();
      set({ asked: news.contents.ask });
    }
  });

  async function leave({ keepActive }: { keepActive: boolean }): Promise<void> {
    clearTimeout(endTimer);
    if (!keepActive) memory.setActive(false);
    set({ asked: null, chosen: null });
    await media?.stop();
  }

  if (model.room?.running) begun();
  else if (me.as === 'therapist' && model.room && memory.active()) set({ offer: 'again' });

  return {
    me,
    get: () => model,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    join(how, devices) {
      const choice = choiceOf(how, { ...devicesOf(memory.choice()), ...devicesOf(devices) });
      if (me.as === 'client' && !model.room?.running) {
        memory.setChoice(choice);
        set({ chosen: how, offer: null });
        return;
      }
      start(choice);
    },
    leave: () => leave({ keepActive: false }),
    setAudio(on) {
      set({ asked: null });
      void media?.setAudio(on);
    },
    setVideo(on) {
      void media?.setVideo(on);
    },
    setDevice(kind, id) {
      memory.setChoice({ ...(memory.choice() ?? { audio: false, video: false }), [kind]: id });
      if (inVideo()) void media?.setDevice(kind, id);
    },
    dismissOffer() {
      memory.setActive(false);
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
    removed: (id) => media?.removed?.(id),
    linkFragment: () => media?.linkFragment?.() ?? null,
    setView(view) {
      const next = { ...model.view, ...view };
      memory.setView(next);
      set({ view: next, ...(view.layout !== undefined && view.layout !== model.view.layout ? { page: 0 } : {}) });
    },
    setPage: (page) => set({ page }),
    lastChoice: () => memory.choice() ?? { audio: true, video: true },
    close() {
      closed = true;
      clearTimeout(endTimer);
      offLine();
      offNews();
      listeners.clear();
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

/** How one joins when nothing was chosen newly. */
export const lastJoin = (store: VideoStore): JoinWith => joinOf(store.lastChoice());
