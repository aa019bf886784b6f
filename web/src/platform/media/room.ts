/**
 * Sound and picture of one person in one room: takes part, leaves, and comes back by itself. Microphone and camera open only inside
 * `start`, `setAudio`, `setVideo` and `setDevice`, which a person's act calls. Specification 4.8, 7.7; PRODUCT 10.
 */
import type { VideoSettings } from '@fieldroom/contract/video';
import { type Arrivals, createArrivals } from './arrivals.ts';
import { type PictureSize, pictureSize } from './devices.ts';
import { createEncryption } from './encryption.ts';
import { backoffMs, isRefusal, meaningOf } from './endings.ts';
import { readFlags } from './flags.ts';
import type { Line } from './line.ts';
import type { MediaChoice, MediaDoor, MediaFault, MediaRoom, MediaState } from './media.types.ts';
import { createOwn, OWN_OFF } from './own.ts';
import { keepSame } from './people.ts';
import { createVoices } from './voices.ts';
import { onWaking } from './waking.ts';
import { createWatching } from './watching.ts';

/** In an encrypted room so long is waited for the key before taking part without being understood. */
const KEY_MS = 4_000;

const OFF: MediaState = {
  phase: 'off',
  own: OWN_OFF,
  people: [],
  choice: { audio: false, video: false },
  playBlocked: false,
  lowData: false,
  line: 'good',
  fault: null,
  safetyCode: null,
  waitingForKey: false,
};
const SETTINGS: VideoSettings = { clientsVisible: true, highQuality: false, encrypted: false };

/** In: what the room's feature lends. Out: the room's media, off. */
export function createMediaRoom(door: MediaDoor): MediaRoom {
  let state = OFF;
  let settings = SETTINGS;
  /** One up with each start and stop: what belongs to an earlier one finds itself outdated. */
  let life = 0;
  let line: Line | null = null;
  let arrivals: Arrivals | null = null;
  /** Whether the line was made for sealed media. */
  let sealing = false;
  let hurry: () => void = () => undefined;
  let acts: Promise<unknown> = Promise.resolve();
  /** The leave-taking under way, or the last one. */
  let ending: Promise<void> = Promise.resolve();
  const listeners = new Set<() => void>();
  const wishes = new Map<number, { substream?: number; temporal?: number }>();
  const flags = readFlags(window.location.search);

  const set = (patch: Partial<MediaState>) => {
    state = { ...state, ...patch };
    if (patch.people) fit();
    for (const listener of listeners) listener();
  };
  const voices = createVoices((playBlocked) => set({ playBlocked }));
  const own = createOwn(
    (next) => set({ own: next }),
    (kind) => void inTurn(() => pass(kind === 'camera' ? 'video' : 'audio')),
  );
  const encryption = createEncryption(door, set, () => hurry());
  const watching = createWatching({
    door,
    current: () => (line && arrivals ? { line, arrivals } : null),
    settings: () => settings,
    state: () => state,
    set,
    encryption,
  });
  /** Acts on devices come one after the other; two quick taps must not open two cameras. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = acts.then(work);
    acts = mine.catch(() => undefined);
    return mine;
  };
  let taken: PictureSize = 'modest';
  const size = () =>
    (taken = pictureSize({
      lowData: state.lowData,
      highQuality: settings.highQuality,
      as: door.me.as,
      others: state.people.length,
      before: taken,
    }));
  /** The own picture follows how many there are. */
  const fit = () => {
    const before = taken;
    if (size() !== before) void inTurn(() => own.resize(taken));
  };
  const sending = () => ({ audio: state.own.audio, video: state.own.video });
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      hurry = () => (clearTimeout(timer), resolve());
    });

  /** Opens what was chosen. Out: what went wrong, if anything. */
  async function openChosen(choice: MediaChoice): Promise<MediaFault | null> {
    // One after the other: two questions at once confuse people, and some browsers.
    const voice = choice.audio ? await own.open('microphone', choice.microphone, size()) : null;
    const picture = choice.video ? await own.open('camera', choice.camera, size()) : null;
    return picture ?? voice;
  }
  /** Brings a device that was opened, closed or changed onto the line. */
  async function pass(kind: 'audio' | 'video') {
    const here = line;
    if (!here || state.phase !== 'on') return;
    const tracks = own.tracks();
    try {
      if (here.publisher.published()) {
        await here.publisher.replace(kind, tracks[kind]);
        await here.publisher.sending(sending());
      } else if (tracks.audio || tracks.video) await here.publish(tracks, sending(), settings.highQuality);
    } catch {
      // A line that does not answer to this is made anew with the same tracks.
      if (line === here) void comeBack();
    }
  }

  async function comeIn(mine: number, ready: Promise<unknown>) {
    const ticket = await door.ticket();
    ({ settings } = ticket);
    sealing = settings.encrypted;
    if (!sealing) encryption.off();
    else if (!encryption.begin()) throw new Unsealable();
    // Carries the Janus client, which nobody needs before.
    const { openLine } = await import('./line.ts');
    let lose: (fault: Error) => void = () => undefined;
    const lost = new Promise<never>((_, reject) => (lose = reject));
    lost.catch(() => undefined);
    let entering = true;
    const seal = encryption.forConnection((news) => arrivals?.sealed(news));
    const opened = await openLine({
      ticket,
      me: door.me,
      flags,
      seal,
      events: {
        feeds: () => (watching.follow(), watching.refresh()),
        arriving: () => arrivals?.follow(),
        layers: (at, layers) => arrivals?.layers(at, layers),
        lost() {
          seal?.close();
          if (entering) lose(new Error('lost'));
          else void comeBack();
        },
        // Two tabs must not take the place from each other for ever.
        replaced: () => void end(null),
      },
    });
    try {
      const enter = async () => {
        await ready;
        if (state.waitingForKey) await pause(KEY_MS);
        if (mine !== life) return;
        line = opened;
        arrivals = createArrivals({ line: opened, voices, wishes, changed: watching.refresh });
        watching.follow();
        watching.refresh();
        const tracks = own.tracks();
        if (tracks.audio || tracks.video) await opened.publish(tracks, sending(), settings.highQuality);
      };
      await Promise.race([enter(), lost]);
      if (mine !== life) throw new Error('outdated');
    } catch (thrown) {
      release(opened);
      void opened.close(mine !== life);
      throw thrown;
    } finally {
      entering = false;
    }
  }
  function release(opened: Line | null) {
    if (line !== opened) return;
    arrivals?.close();
    arrivals = null;
    line = null;
  }
  async function connect(mine: number, first: boolean, ready: Promise<unknown> = Promise.resolve()): Promise<boolean> {
    let refusals = 0;
    let waitMs = 0;
    for (let tries = 0; mine === life; tries += 1) {
      if (tries > 0) await pause(Math.max(waitMs, backoffMs(tries, Math.random())));
      if (mine !== life) break;
      try {
        await comeIn(mine, ready);
        return true;
      } catch (thrown) {
        if (mine !== life) break;
        refusals = isRefusal(thrown) ? refusals + 1 : 0;
        const meaning =
          thrown instanceof Unsealable
            ? { end: 'encryption_unsupported' as const, waitMs: 0 }
            : meaningOf(thrown, { tries: tries + 1, refusals, first });
        if (meaning.end) {
          await end(meaning.end);
          break;
        }
        waitMs = meaning.waitMs;
      }
    }
    return false;
  }
  async function comeBack() {
    if (state.phase !== 'on') return;
    const mine = life;
    const old = line;
    release(old);
    set({
      phase: 'reconnecting',
      people: keepSame(
        state.people,
        state.people.map((person) => ({ ...person, picture: null, talking: false, size: null, kbps: 0 })),
      ),
    });
    void old?.close(false);
    if ((await connect(mine, false)) && mine === life) arrived();
  }
  function arrived() {
    watching.afresh();
    const [choice, meanwhile] = [state.choice, settings.encrypted !== sealing];
    set({ phase: 'on' });
    // What was switched while the line was made.
    void inTurn(() => pass('audio')).then(() => inTurn(() => pass('video')));
    if (choice.speaker) void voices.speaker(choice.speaker);
    if (meanwhile) void comeBack();
  }
  function end(fault: MediaFault | null): Promise<void> {
    ending = endLine(fault);
    return ending;
  }
  async function endLine(fault: MediaFault | null) {
    life += 1;
    hurry();
    own.closeAll();
    watching.stop();
    offWaking();
    const old = line;
    release(old);
    if (state.phase !== 'off') set({ phase: 'disconnecting', people: [] });
    await old?.close(true);
    if (state.phase === 'disconnecting') set({ ...OFF, choice: state.choice, lowData: state.lowData, fault });
  }
  let offWaking: () => void = () => undefined;

  const setDevice = async (kind: 'microphone' | 'camera' | 'speaker', deviceId: string) => {
    set({ choice: { ...state.choice, [kind]: deviceId }, fault: null });
    if (kind === 'speaker') return voices.speaker(deviceId);
    const tracks = own.tracks();
    if (!(kind === 'camera' ? tracks.video : tracks.audio)) return undefined;
    const silent = kind === 'microphone' && !state.own.audio;
    const fault = await own.open(kind, deviceId, size());
    if (silent) own.mute(true);
    if (fault) set({ fault });
    return pass(kind === 'camera' ? 'video' : 'audio');
  };

  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start(choice) {
      if (state.phase === 'disconnecting') {
        const leaving = life;
        await ending;
        // Left once more, or closed, meanwhile.
        if (leaving !== life) return;
      }
      if (state.phase !== 'off') return;
      life += 1;
      const mine = life;
      set({ ...OFF, phase: 'connecting', choice, lowData: state.lowData });
      if (!('RTCPeerConnection' in window)) return end('unsupported');
      watching.start();
      offWaking = onWaking(() => {
        hurry();
        line?.probe();
        voices.resume();
      });
      // Devices open while the line is made.
      const opening = inTurn(() => openChosen(choice)).then((fault) => {
        if (mine === life && fault) set({ fault });
        // Left while the browser was asking.
        if (mine !== life) own.closeAll();
      });
      if ((await connect(mine, true, opening)) && mine === life) arrived();
    },
    stop: () => (state.phase === 'off' ? Promise.resolve() : end(null)),
    setAudio: (on) =>
      inTurn(async () => {
        if (state.phase === 'off' || state.phase === 'disconnecting') return;
        set({ choice: { ...state.choice, audio: on }, fault: null });
        if (!on) own.mute(true);
        else if (own.tracks().audio) own.mute(false);
        else {
          const fault = await own.open('microphone', state.choice.microphone, size());
          if (fault) return set({ fault });
        }
        await pass('audio');
      }),
    setVideo: (on) =>
      inTurn(async () => {
        if (state.phase === 'off' || state.phase === 'disconnecting') return;
        set({ choice: { ...state.choice, video: on }, fault: null });
        if (!on) own.close('camera');
        else if (!own.tracks().video) {
          const fault = await own.open('camera', state.choice.camera, size());
          if (fault) return set({ fault });
        }
        await pass('video');
      }),
    setDevice: (kind, deviceId) => inTurn(() => setDevice(kind, deviceId)),
    show: watching.show,
    setLayers(personId, layers) {
      if (arrivals) arrivals.wantLayers(personId, layers);
      else wishes.set(personId, { ...wishes.get(personId), ...layers });
    },
    setLowData(on) {
      set({ lowData: on });
      watching.follow();
      void inTurn(() => own.resize(size()));
    },
    play: () => voices.play(),
    setSettings(next) {
      const before = settings;
      settings = next;
      if (state.phase !== 'on') return;
      if (next.encrypted !== sealing) return void comeBack();
      if (next.highQuality !== before.highQuality)
        void inTurn(async () => {
          await own.resize(size());
          if (!line?.publisher.published()) return;
          // Layers are agreed on when a picture is first offered.
          await line.publisher.unpublish();
          await pass('video');
        });
      watching.follow();
    },
    removed: (personId) => encryption.removed(personId),
    linkFragment: () => encryption.fragment(),
    muted() {
      own.mute(true);
      set({ choice: { ...state.choice, audio: false } });
      void inTurn(() => pass('audio'));
    },
    close() {
      void end(null);
      encryption.close();
      voices.close();
      listeners.clear();
    },
  };
}

/** The room is sealed and this browser can't. */
class Unsealable extends Error {}
