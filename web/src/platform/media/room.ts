/**
 * One person's audio and video in one room: joins, leaves, and reconnects automatically. Microphone and camera open
 * only inside `start`, `setAudio`, `setVideo` and `setDevice`, which are called by a person's act
 * (docs/product.md#10.3).
 */
import { createEmitter } from '../emitter.ts';
import { log } from '../log/log.ts';
import { socketAddress } from '@fieldroom/contract/realtime';
import { DEFAULT_VIDEO_SETTINGS, VIDEO_PATH, type VideoSettings } from '@fieldroom/contract/video';
import { type RemoteMedia, createRemoteMedia } from './remote/remoteMedia.ts';
import { type VideoSize, videoSize } from './own/devices.ts';
import { createEncryption } from './encryption/roomEncryption.ts';
import { backoffMs, isRefusal, meaningOf } from './connection/failures.ts';
import { readFlags } from './connection/debugFlags.ts';
import type { MediaConnection } from './connection/mediaConnection.ts';
import type { MediaChoice, MediaHost, MediaFault, MediaRoom, MediaState } from './mediaTypes.ts';
import { createOwnDevices, OWN_OFF } from './own/ownDevices.ts';
import { keepSame } from './remote/people.ts';
import { createRemoteAudio } from './remote/remoteAudio.ts';
import { onWakeUp } from './connection/wakeUp.ts';
import { createRoomMonitor } from './roomMonitor.ts';
import { hasWebRtc } from './support.ts';

/** How long an encrypted room waits for the key before it takes part without it. */
const KEY_MS = 4_000;

const OFF: MediaState = {
  phase: 'off',
  own: OWN_OFF,
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

/** Creates the room's media, switched off. Takes what the room's feature provides. */
export function createMediaRoom(host: MediaHost): MediaRoom {
  let state = OFF;
  let settings: VideoSettings = DEFAULT_VIDEO_SETTINGS;
  /** Counts starts and stops, so that work that belongs to an earlier one can notice it. */
  let life = 0;
  let connection: MediaConnection | null = null;
  let remote: RemoteMedia | null = null;
  /** Whether the connection was made for encrypted media. */
  let encrypted = false;
  let hurry: () => void = () => undefined;
  let acts: Promise<unknown> = Promise.resolve();
  /** What was chosen when the open microphone and camera were opened. */
  const lent: Pick<MediaChoice, 'microphone' | 'camera'> = {};
  /** The current or last attempt to leave. */
  let ending: Promise<void> = Promise.resolve();
  const changed = createEmitter();
  const wishes = new Map<number, { substream?: number; temporal?: number }>();
  const flags = readFlags(window.location.search);

  const set = (patch: Partial<MediaState>) => {
    state = { ...state, ...patch };
    if (patch.people) fit();
    changed.emit();
  };
  const remoteAudio = createRemoteAudio((playBlocked) => set({ playBlocked }));
  const own = createOwnDevices(
    (next) => set({ own: next }),
    (kind) => void inTurn(() => pass(kind === 'camera' ? 'video' : 'audio')),
  );
  const encryption = createEncryption(host, set, () => hurry());
  const monitor = createRoomMonitor({
    host,
    current: () => (connection && remote ? { connection, remote } : null),
    settings: () => settings,
    state: () => state,
    set,
    encryption,
  });
  /**
   * Runs acts on devices one after the other: two quick taps must not open two cameras. Acts requested before leaving
   * are void afterwards.
   */
  const act = (work: () => Promise<unknown>): Promise<void> => {
    const mine = life;
    return inTurn(async () => {
      if (mine === life && takesPart()) await work();
    });
  };

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = acts.then(work);
    acts = mine.catch(() => undefined);
    return mine;
  }
  const takesPart = () => state.phase !== 'off' && state.phase !== 'disconnecting';
  let taken: VideoSize = 'modest';
  const size = () =>
    (taken = videoSize({
      lowData: state.lowData,
      highQuality: settings.highQuality,
      as: host.me.as,
      others: state.people.length,
      before: taken,
    }));
  /** Adapts the size of the person's own video to the number of people. */
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

  /**
   * Opens a device, and closes it again if it was switched off (also by the therapist) while the browser was asking.
   */
  async function open(kind: 'microphone' | 'camera'): Promise<MediaFault | null> {
    const mine = life;
    const asked = state.choice[kind];
    const wanted = () => mine === life && (kind === 'camera' ? state.choice.video : state.choice.audio);
    const fault = await own.open(kind, asked, size(), wanted);
    if (fault === null) lent[kind] = asked;
    return fault;
  }
  /** Opens what was chosen. Returns what went wrong, if anything. */
  async function openChosen(choice: MediaChoice): Promise<MediaFault | null> {
    const mine = life;
    // One after the other: two permission prompts at once confuse people, and some browsers.
    const microphoneFault = choice.audio ? await open('microphone') : null;
    const cameraFault = choice.video && mine === life ? await open('camera') : null;
    return cameraFault ?? microphoneFault;
  }
  /** Sends a device that was opened, closed or changed. */
  async function pass(kind: 'audio' | 'video') {
    const here = connection;
    if (!here || state.phase !== 'on') return;
    const tracks = own.tracks();
    try {
      if (here.publisher.published()) {
        await here.publisher.replace(kind, tracks[kind]);
        await here.publisher.sending(sending());
      } else if (tracks.audio || tracks.video) await here.publish(tracks, sending(), settings.highQuality);
    } catch {
      // If the connection does not answer, make a new one with the same tracks.
      if (connection === here) void reconnect();
    }
  }

  async function joinOnce(mine: number, ready: Promise<unknown>) {
    const ticket = await host.ticket();
    ({ settings } = ticket);
    encrypted = settings.encrypted;
    if (!encrypted) encryption.off();
    else if (!encryption.begin()) throw new EncryptionUnsupported();
    // Loads the Janus client, which is not needed earlier.
    const { openConnection } = await import('./connection/mediaConnection.ts');
    let lose: (fault: Error) => void = () => undefined;
    const lost = new Promise<never>((_, reject) => (lose = reject));
    lost.catch(() => undefined);
    let entering = true;
    const frames = encryption.forConnection((news) => remote?.unreadable(news));
    const opened = await openConnection({
      address: socketAddress(window.location, VIDEO_PATH, host.therapistId),
      ticket,
      me: host.me,
      flags,
      encryption: frames,
      events: {
        publishers: () => (monitor.follow(), monitor.refresh()),
        arriving: () => remote?.follow(),
        limited: (limited) => set({ limited }),
        layers: (at, layers) => remote?.layers(at, layers),
        lost() {
          frames?.close();
          if (entering) lose(new Error('lost'));
          else void reconnect();
        },
        // Two tabs must not replace each other endlessly.
        replaced: () => void end(null),
      },
    });
    try {
      const enter = async () => {
        await ready;
        if (state.waitingForKey) await pause(KEY_MS);
        // The person has left, or the connection was lost while the browser asked for a device; another one is made.
        if (mine !== life || !entering) return;
        connection = opened;
        remote = createRemoteMedia({ connection: opened, remoteAudio, wishes, changed: monitor.refresh });
        monitor.follow();
        monitor.refresh();
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
  function release(opened: MediaConnection | null) {
    if (connection !== opened) return;
    remote?.close();
    remote = null;
    connection = null;
    if (state.limited.length > 0) set({ limited: [] });
  }
  async function connect(mine: number, first: boolean, ready: Promise<unknown> = Promise.resolve()): Promise<boolean> {
    let refusals = 0;
    let waitMs = 0;
    for (let tries = 0; mine === life; tries += 1) {
      if (tries > 0) await pause(Math.max(waitMs, backoffMs(tries, Math.random())));
      if (mine !== life) break;
      try {
        await joinOnce(mine, ready);
        return true;
      } catch (thrown) {
        if (mine !== life) break;
        refusals = isRefusal(thrown) ? refusals + 1 : 0;
        const meaning =
          thrown instanceof EncryptionUnsupported
            ? { end: 'encryption_unsupported' as const, waitMs: 0 }
            : meaningOf(thrown, { tries: tries + 1, refusals, first });
        if (meaning.end) {
          log({ level: 'Warn', event: 'Video failed', fault: thrown });
          await end(meaning.end);
          break;
        }
        waitMs = meaning.waitMs;
      }
    }
    return false;
  }
  async function reconnect() {
    if (state.phase !== 'on') return;
    const mine = life;
    const old = connection;
    release(old);
    set({
      phase: 'reconnecting',
      people: keepSame(
        state.people,
        state.people.map((person) => ({ ...person, videoStream: null, talking: false, size: null, kbps: 0 })),
      ),
    });
    void old?.close(false);
    if ((await connect(mine, false)) && mine === life) arrived();
  }
  function arrived() {
    monitor.reset();
    const [choice, meanwhile] = [state.choice, settings.encrypted !== encrypted];
    set({ phase: 'on' });
    // What was switched while the connection was being made.
    void inTurn(() => pass('audio')).then(() => inTurn(() => pass('video')));
    if (choice.speaker) void remoteAudio.speaker(choice.speaker);
    if (meanwhile) void reconnect();
  }
  function end(fault: MediaFault | null): Promise<void> {
    ending = endLine(fault);
    return ending;
  }
  async function endLine(fault: MediaFault | null) {
    life += 1;
    hurry();
    own.closeAll();
    monitor.stop();
    encryption.off();
    offWaking();
    const old = connection;
    release(old);
    if (state.phase !== 'off') set({ phase: 'disconnecting', people: [] });
    await old?.close(true);
    if (state.phase === 'disconnecting') set({ ...OFF, choice: state.choice, lowData: state.lowData, fault });
  }
  let offWaking: () => void = () => undefined;

  /** Opens or closes a device as chosen; `another` replaces the open one, which is chosen again if that fails. */
  async function follow(kind: 'microphone' | 'camera', another = false) {
    const mine = life;
    const media = kind === 'camera' ? 'video' : 'audio';
    const wanted = state.choice[media];
    const before = own.tracks()[media];
    if (wanted && (before === null || another)) {
      const asked = state.choice[kind];
      const fault = await open(kind);
      if (mine !== life) return;
      if (fault) {
        // A later choice of the person stands, and is opened next.
        const isLast = state.choice[kind] === asked;
        const choice = before !== null && isLast ? { ...state.choice, [kind]: lent[kind] } : state.choice;
        set({ fault, choice });
        // The device that was open may have been closed for the other, and opened again.
        if (own.tracks()[media] === before) return;
      }
    } else if (kind === 'microphone' && !another) own.mute(!wanted);
    else if (!wanted) own.close(kind);
    await pass(media);
  }

  return {
    get: () => state,
    subscribe: changed.on,
    async start(choice) {
      if (state.phase === 'disconnecting') {
        const leaving = life;
        await ending;
        // The person has left again, or the page was closed.
        if (leaving !== life) return;
      }
      if (state.phase !== 'off') return;
      life += 1;
      const mine = life;
      set({ ...OFF, phase: 'connecting', choice, lowData: state.lowData });
      if (!hasWebRtc()) return end('unsupported');
      monitor.start();
      offWaking = onWakeUp(() => {
        hurry();
        connection?.probe();
        remoteAudio.resume();
      });
      // Devices open while the connection is made.
      const opening = inTurn(async () => (mine === life ? openChosen(choice) : null)).then((fault) => {
        if (mine === life && fault) set({ fault });
      });
      if ((await connect(mine, true, opening)) && mine === life) arrived();
    },
    stop: () => (state.phase === 'off' ? Promise.resolve() : end(null)),
    setAudio(on) {
      if (takesPart()) set({ choice: { ...state.choice, audio: on }, fault: null });
      return act(() => follow('microphone'));
    },
    setVideo(on) {
      if (takesPart()) set({ choice: { ...state.choice, video: on }, fault: null });
      return act(() => follow('camera'));
    },
    setDevice(kind, deviceId) {
      set({ choice: { ...state.choice, [kind]: deviceId }, fault: null });
      return kind === 'speaker' ? remoteAudio.speaker(deviceId) : act(() => follow(kind, true));
    },
    show: monitor.show,
    setLayers(personId, layers) {
      if (remote) remote.wantLayers(personId, layers);
      else wishes.set(personId, { ...wishes.get(personId), ...layers });
    },
    setLowData(on) {
      set({ lowData: on });
      monitor.follow();
      void inTurn(() => own.resize(size()));
    },
    play: () => remoteAudio.play(),
    setSettings(next) {
      const before = settings;
      settings = next;
      if (state.phase !== 'on') return;
      if (next.encrypted !== encrypted) return void reconnect();
      if (next.highQuality !== before.highQuality)
        void inTurn(async () => {
          await own.resize(size());
          if (!connection?.publisher.published()) return;
          // Layers are negotiated only when video is offered for the first time.
          await connection.publisher.unpublish();
          await pass('video');
        });
      monitor.follow();
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
      remoteAudio.close();
      changed.clear();
    },
  };
}

/** The room is encrypted, and this browser does not support that. */
class EncryptionUnsupported extends Error {}
