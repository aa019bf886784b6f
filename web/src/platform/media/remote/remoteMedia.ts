/**
 * What one connection receives, person by person: plays audio, shows video once it is the right person's, and keeps
 * rates, layers, and what cannot be decrypted.
 */
import type { RemotePublisher } from '../connection/janus/publisherList.ts';
import type { MediaConnection } from '../connection/mediaConnection.ts';
import type { MediaPerson } from '../mediaTypes.ts';
import { type Arrived, peopleOf } from './people.ts';
import { createRemoteVideo } from './remoteVideo.ts';
import { count, type Counted, type Inbound } from '../connection/quality/connectionStats.ts';
import type { RemoteAudio } from './remoteAudio.ts';

type Layers = { substream?: number; temporal?: number };
/** The best layers arrive unless others are requested. */
const BEST = 2;

export interface RemoteMedia {
  /** Streams or tracks of the subscription have changed. */
  follow(): void;
  /** Takes the receiving connection's statistics and the time (ms). */
  counted(counted: Counted, nowMs: number): void;
  /** The server says which layers it sends on a stream. */
  layers(at: string, layers: Layers): void;
  /** Requests a person's layers, now and whenever their video starts again. */
  wantLayers(personId: number, layers: Layers): void;
  unreadable(news: { at: string; unreadable: boolean }): void;
  /** Whether frames arrive that this browser cannot decrypt. */
  lacksKey(): boolean;
  people(publishers: readonly RemotePublisher[]): MediaPerson[];
  /** Share of packets lost in the last second, 0..1; null when none were due. */
  loss(): number | null;
  close(): void;
}

/** Takes the connection, the audio player, the layers requested earlier, and a callback for changes. */
export function createRemoteMedia({
  connection,
  remoteAudio,
  wishes,
  changed,
}: {
  connection: MediaConnection;
  remoteAudio: RemoteAudio;
  wishes: Map<number, Layers>;
  changed: () => void;
}): RemoteMedia {
  const { subscriber } = connection;
  const arrivingLayers = new Map<string, Layers>();
  const unreadableMids = new Set<string>();
  const lastOf = new Map<string, Inbound>();
  const kbpsOf = new Map<string, number>();
  const speaking = new Set<number>();
  let lastMs = performance.now();
  let loss: number | null = null;
  const remoteVideo = createRemoteVideo(async () => (await count(subscriber.pc())).inbound, changed);
  const pictureAt = (personId: number) =>
    subscriber.arriving().find(({ feed, type }) => feed === personId && type === 'video')?.at;

  return {
    follow() {
      const arriving = subscriber.arriving();
      remoteVideo.set(arriving, subscriber.track);
      const heard = new Set<number>();
      for (const { at, feed, type } of arriving) {
        const track = type === 'audio' ? subscriber.track(at) : null;
        if (!track) continue;
        heard.add(feed);
        remoteAudio.set(feed, track);
      }
      for (const gone of [...speaking].filter((id) => !heard.has(id))) remoteAudio.set(gone, null);
      speaking.clear();
      for (const id of heard) speaking.add(id);
      for (const at of [...unreadableMids, ...arrivingLayers.keys()]) {
        if (arriving.some((one) => one.at === at)) continue;
        unreadableMids.delete(at);
        arrivingLayers.delete(at);
      }
      for (const [id, layers] of wishes) {
        const at = pictureAt(id);
        // Requested again for each new video; a video that has reported its layers is known already.
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
      // Fewer packets are too few to judge.
      loss = lost + came >= 20 ? lost / (lost + came) : null;
      remoteVideo.count(inbound, nowMs);
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
    unreadable({ at, unreadable }) {
      if (unreadable) unreadableMids.add(at);
      else unreadableMids.delete(at);
      changed();
    },
    lacksKey: () => unreadableMids.size > 0,
    people(publishers) {
      const arriving = subscriber.arriving();
      const arrived = (feed: RemotePublisher): Arrived => {
        const own = arriving.filter((one) => one.feed === feed.id);
        const at = own.find(({ type }) => type === 'video')?.at;
        const last = at === undefined ? undefined : lastOf.get(at);
        const wish = wishes.get(feed.id);
        const come = at === undefined ? undefined : arrivingLayers.get(at);
        const layered = feed.streams.some(({ type, layered: many }) => type === 'video' && many);
        const wanted = { wantedSubstream: wish?.substream ?? BEST, wantedTemporal: wish?.temporal ?? BEST };
        return {
          videoStream: remoteVideo.of(feed.id),
          flows: remoteVideo.flows(feed.id),
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
          unreadable: own.some((one) => unreadableMids.has(one.at)),
        };
      };
      return peopleOf(publishers, (id) => arrived(publishers.find((feed) => feed.id === id)!));
    },
    loss: () => loss,
    close() {
      remoteVideo.close();
      for (const id of speaking) remoteAudio.set(id, null);
    },
  };
}
