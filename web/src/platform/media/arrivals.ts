/** What arrives on one line, person by person: voices played, pictures shown when they are the right ones, rates, layers, what can't be opened. */
import type { Feed } from './feeds.ts';
import type { Line } from './line.ts';
import type { MediaPerson } from './media.types.ts';
import { type Arrived, peopleOf } from './people.ts';
import { createPictures } from './pictures.ts';
import { count, type Counted, type Inbound } from './stats.ts';
import type { Voices } from './voices.ts';

type Layers = { substream?: number; temporal?: number };
/** Without a wish the best layers come. */
const BEST = 2;

export interface Arrivals {
  /** Streams or tracks of the subscription changed. */
  follow(): void;
  /** In: numbers of the connection that receives, the time (ms). */
  counted(counted: Counted, nowMs: number): void;
  /** The server tells which layers come on a stream. */
  layers(at: string, layers: Layers): void;
  /** Asks for a person's layers, now and when the picture comes anew. */
  wantLayers(personId: number, layers: Layers): void;
  sealed(news: { at: string; sealed: boolean }): void;
  /** Frames come that can't be opened here. */
  lacksKey(): boolean;
  people(feeds: readonly Feed[]): MediaPerson[];
  /** Share of packets lost in the last second, 0..1; null when none were to come. */
  loss(): number | null;
  close(): void;
}

/** In: the line, where voices play, layers wished before, who hears of changes. */
export function createArrivals({
  line,
  voices,
  wishes,
  changed,
}: {
  line: Line;
  voices: Voices;
  wishes: Map<number, Layers>;
  changed: () => void;
}): Arrivals {
  const { subscriber } = line;
  const arrivingLayers = new Map<string, Layers>();
  const unopened = new Set<string>();
  const lastOf = new Map<string, Inbound>();
  const kbpsOf = new Map<string, number>();
  const speaking = new Set<number>();
  let lastMs = performance.now();
  let loss: number | null = null;
  const pictures = createPictures(async () => (await count(subscriber.pc())).inbound, changed);
  const pictureAt = (personId: number) =>
    subscriber.arriving().find(({ feed, type }) => feed === personId && type === 'video')?.at;

  return {
    follow() {
      const arriving = subscriber.arriving();
      pictures.set(arriving, subscriber.track);
      const heard = new Set<number>();
      for (const { at, feed, type } of arriving) {
        const track = type === 'audio' ? subscriber.track(at) : null;
        if (!track) continue;
        heard.add(feed);
        voices.set(feed, track);
      }
      for (const gone of [...speaking].filter((id) => !heard.has(id))) voices.set(gone, null);
      speaking.clear();
      for (const id of heard) speaking.add(id);
      for (const at of [...unopened, ...arrivingLayers.keys()]) {
        if (arriving.some((one) => one.at === at)) continue;
        unopened.delete(at);
        arrivingLayers.delete(at);
      }
      for (const [id, layers] of wishes) {
        const at = pictureAt(id);
        // Asked again for each new picture; a picture that has its layers already is known by them.
        if (at !== undefined && !arrivingLayers.has(at)) {
          arrivingLayers.set(at, {});
          subscriber.setLayers(at, layers);
        }
      }
      changed();
    },
    counted({ inbound }, nowMs) {
      const seconds = Math.max(0.2, (nowMs - lastMs) / 1_000);
      lastMs = nowMs;
      let lost = 0;
      let came = 0;
      for (const one of inbound) {
        const before = lastOf.get(one.at);
        lastOf.set(one.at, one);
        kbpsOf.set(one.at, Math.round((Math.max(0, one.bytes - (before?.bytes ?? one.bytes)) * 8) / 1_000 / seconds));
        lost += Math.max(0, one.lost - (before?.lost ?? one.lost));
        came += Math.max(0, one.packets - (before?.packets ?? one.packets));
      }
      // A handful of packets says nothing.
      loss = lost + came >= 20 ? lost / (lost + came) : null;
      pictures.count(inbound, nowMs);
    },
    layers(at, layers) {
      arrivingLayers.set(at, { ...arrivingLayers.get(at), ...layers });
      changed();
    },
    wantLayers(personId, layers) {
      const wish = { ...wishes.get(personId), ...layers };
      wishes.set(personId, wish);
      const at = pictureAt(personId);
      if (at !== undefined) subscriber.setLayers(at, wish);
      changed();
    },
    sealed({ at, sealed }) {
      if (sealed) unopened.add(at);
      else unopened.delete(at);
      changed();
    },
    lacksKey: () => unopened.size > 0,
    people(feeds) {
      const arriving = subscriber.arriving();
      const arrived = (feed: Feed): Arrived => {
        const own = arriving.filter((one) => one.feed === feed.id);
        const at = own.find(({ type }) => type === 'video')?.at;
        const last = at === undefined ? undefined : lastOf.get(at);
        const wish = wishes.get(feed.id);
        const come = at === undefined ? undefined : arrivingLayers.get(at);
        const layered = feed.streams.some(({ type, layered: many }) => type === 'video' && many);
        const wanted = { wantedSubstream: wish?.substream ?? BEST, wantedTemporal: wish?.temporal ?? BEST };
        return {
          picture: pictures.of(feed.id),
          flows: pictures.flows(feed.id),
          size: last && last.width > 0 ? { width: last.width, height: last.height } : null,
          layers:
            layered && at !== undefined
              ? {
                  substream: come?.substream ?? wanted.wantedSubstream,
                  temporal: come?.temporal ?? wanted.wantedTemporal,
                  ...wanted,
                }
              : null,
          kbps: own.reduce((sum, one) => sum + (kbpsOf.get(one.at) ?? 0), 0),
          sealed: own.some((one) => unopened.has(one.at)),
        };
      };
      return peopleOf(feeds, (id) => arrived(feeds.find((feed) => feed.id === id)!));
    },
    loss: () => loss,
    close() {
      pictures.close();
      for (const id of speaking) voices.set(id, null);
    },
  };
}
