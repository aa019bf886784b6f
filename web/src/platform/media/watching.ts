/** Looks after a line while it carries: whose streams are wanted, how well it carries, what it is spared, who is there. */
import type { VideoSettings } from '@fieldroom/contract/video';
import type { Arrivals } from './arrivals.ts';
import type { Encryption } from './encryption.ts';
import type { Line } from './line.ts';
import type { MediaDoor, MediaState } from './media.types.ts';
import { keepSame } from './people.ts';
import { createLineJudge, createSparing, type Line as Carrying, strainOf } from './quality.ts';
import { count } from './stats.ts';
import { wantedStreams } from './wanted.ts';

/** Specification 9: the remote bitrate is read once a second. */
const PULSE_MS = 1_000;
/** Pages are turned faster than streams are asked for. */
const SHOW_AFTER_MS = 200;

export interface WatchingParts {
  door: MediaDoor;
  /** The line of now with what arrives on it; null while there is none. */
  current(): { line: Line; arrivals: Arrivals } | null;
  settings(): VideoSettings;
  state(): MediaState;
  set(patch: Partial<MediaState>): void;
  encryption: Encryption;
}
export interface Watching {
  start(): void;
  stop(): void;
  /** A new line is judged by itself. */
  afresh(): void;
  show(personIds: readonly number[]): void;
  /** Asks for the streams that are wanted now. */
  follow(): void;
  /** Puts into the state who is there. */
  refresh(): void;
}

export function createWatching({ door, current, settings, state, set, encryption }: WatchingParts): Watching {
  let shown: readonly number[] = [];
  let showing: ReturnType<typeof setTimeout> | undefined;
  let pulsing: ReturnType<typeof setInterval> | undefined;
  let counting = false;
  let judge = createLineJudge();
  let judgeStrain = createLineJudge();
  let strain: Carrying = 'good';
  let spare = createSparing();

  function refresh() {
    const now = current();
    if (!now) return;
    const people = keepSame(state().people, now.arrivals.people(now.line.feeds()));
    if (people !== state().people) set({ people });
  }
  function follow() {
    const line = current()?.line;
    if (!line) return;
    const pictures = spare({
      line: strain,
      looked: shown.filter((id) => id !== door.therapistId).length,
      lowData: state().lowData,
      nowMs: performance.now(),
    });
    line.subscriber.want(
      wantedStreams(line.feeds(), {
        me: door.me,
        therapistId: door.therapistId,
        shown,
        clientsVisible: settings().clientsVisible,
        pictures,
      }),
    );
  }
  async function pulse() {
    const now = current();
    if (!now || counting) return;
    const { line, arrivals } = now;
    counting = true;
    const [up, down] = await Promise.all([count(line.publisher.pc()), count(line.subscriber.pc())]).finally(
      () => (counting = false),
    );
    if (current()?.line !== line) return;
    arrivals.counted(down, performance.now());
    const roundTrips = [up.roundTripSeconds, down.roundTripSeconds].filter((seconds) => seconds !== null);
    const second = {
      roundTripSeconds: roundTrips.length > 0 ? Math.max(...roundTrips) : null,
      lossIn: arrivals.loss(),
      lossOut: up.lossOut,
      availableOut: state().own.video ? up.availableOut : null,
    };
    strain = judgeStrain(strainOf(second));
    const carries = judge(second);
    if (carries !== state().line) {
      set({ line: carries });
      door.sendLine(carries);
    }
    encryption.present(line.feeds().map(({ id }) => id));
    if (arrivals.lacksKey()) encryption.lacking();
    follow();
    refresh();
  }
  return {
    start() {
      clearInterval(pulsing);
      pulsing = setInterval(() => void pulse(), PULSE_MS);
    },
    stop() {
      clearInterval(pulsing);
      clearTimeout(showing);
    },
    afresh() {
      judge = createLineJudge();
      judgeStrain = createLineJudge();
      strain = 'good';
      spare = createSparing();
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
