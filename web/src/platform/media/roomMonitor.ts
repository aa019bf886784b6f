/**
 * Monitors an open connection once a second: subscribes to the streams that are wanted, judges the quality, reduces
 * video when the connection is weak, and keeps the list of people.
 */
import type { NetworkQuality, VideoSettings } from '@fieldroom/contract/video';
import type { RemoteMedia } from './remote/remoteMedia.ts';
import type { Encryption } from './encryption/roomEncryption.ts';
import type { MediaConnection } from './connection/mediaConnection.ts';
import type { MediaHost, MediaState } from './mediaTypes.ts';
import { keepSame } from './remote/people.ts';
import { createQualityJudge, createVideoAllowance, strainOf } from './connection/quality/networkQuality.ts';
import { count } from './connection/quality/connectionStats.ts';
import { wantedStreams } from './connection/janus/subscription.ts';

/** The bit rate received is read once a second (docs/product.md#10.8). */
const PULSE_MS = 1_000;
/** Waits this long before it subscribes, because people turn pages faster. */
const SHOW_AFTER_MS = 200;

export interface RoomMonitorParts {
  host: MediaHost;
  /** The current connection with what it receives; null while there is none. */
  current(): { connection: MediaConnection; remote: RemoteMedia } | null;
  settings(): VideoSettings;
  state(): MediaState;
  set(patch: Partial<MediaState>): void;
  encryption: Encryption;
}
export interface RoomMonitor {
  start(): void;
  stop(): void;
  /** Forgets all judgements: a new connection is judged separately. */
  reset(): void;
  show(personIds: readonly number[]): void;
  /** Subscribes to the streams that are wanted now. */
  follow(): void;
  /** Writes the list of people into the state. */
  refresh(): void;
}

/**
 * Makes the monitor of one person's video. Call `start` and `stop` with the connection; `show` takes the ids of the
 * people whose tiles are visible (docs/product.md#10.10). Sends this person's network quality to the room whenever it
 * changes.
 */
export function createRoomMonitor({ host, current, settings, state, set, encryption }: RoomMonitorParts): RoomMonitor {
  let shown: readonly number[] = [];
  let showing: ReturnType<typeof setTimeout> | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  let counting = false;
  let judge = createQualityJudge();
  let judgeStrain = createQualityJudge();
  let strain: NetworkQuality = 'good';
  let allowance = createVideoAllowance();
  /**
   * The quality last sent to the room. It is null when that is unknown: a connection that turns out to be dead has lost
   * a message.
   */
  let told: NetworkQuality | null = 'good';
  let offRoomOpen: () => void = () => undefined;

  function refresh() {
    const now = current();
    if (!now) return;
    const people = keepSame(state().people, now.remote.people(now.connection.publishers()));
    if (people !== state().people) set({ people });
  }
  function follow() {
    const connection = current()?.connection;
    if (!connection) return;
    const videoAllowance = allowance({
      quality: strain,
      looked: shown.filter((id) => id !== host.therapistId).length,
      lowData: state().lowData,
      nowMs: performance.now(),
    });
    connection.subscriber.want(
      wantedStreams(connection.publishers(), {
        me: host.me,
        therapistId: host.therapistId,
        shown,
        clientsVisible: settings().clientsVisible,
        videoAllowance,
      }),
    );
  }
  async function check() {
    const now = current();
    if (!now || counting) return;
    const { connection, remote } = now;
    counting = true;
    const [up, down] = await Promise.all([count(connection.publisher.pc()), count(connection.subscriber.pc())]).finally(
      () => (counting = false),
    );
    if (current()?.connection !== connection) return;
    remote.counted(down, performance.now());
    const roundTrips = [up.roundTripSeconds, down.roundTripSeconds].filter((seconds) => seconds !== null);
    const second = {
      roundTripSeconds: roundTrips.length > 0 ? Math.max(...roundTrips) : null,
      lossIn: remote.loss(),
      lossOut: up.lossOut,
      availableOut: state().own.video ? up.availableOut : null,
    };
    strain = judgeStrain(strainOf(second));
    const quality = judge(second);
    if (quality !== state().quality) set({ quality });
    // Retried until it is sent: nothing else would ever remove the mark from the others' tiles.
    if (quality !== told && host.sendNetworkQuality(quality)) told = quality;
    encryption.present(connection.publishers().map(({ id }) => id));
    if (remote.lacksKey()) encryption.lacking();
    follow();
    refresh();
  }
  return {
    start() {
      clearInterval(timer);
      offRoomOpen();
      timer = setInterval(() => void check(), PULSE_MS);
      offRoomOpen = host.onRoomOpen(() => (told = null));
    },
    stop() {
      clearInterval(timer);
      clearTimeout(showing);
      offRoomOpen();
    },
    reset() {
      judge = createQualityJudge();
      judgeStrain = createQualityJudge();
      strain = 'good';
      allowance = createVideoAllowance();
    },
    show(personIds) {
      shown = personIds;
      clearTimeout(showing);
      showing = setTimeout(follow, SHOW_AFTER_MS);
    },
    follow,
    refresh,
  };
}
