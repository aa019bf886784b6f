/** Debug flags in the query string, to try codecs and layers; anything else is ignored (docs/product.md#10.11). */
export interface DebugFlags {
  /** Sends the person's own video in several sizes, whatever the room's switch says. `simulcast2` is the older name. */
  simulcast: boolean;
  /** Scalability mode of one layered stream. */
  svc: string | null;
  audioCodec: string | null;
  videoCodec: string | null;
  /** Discontinuous transmission: sends almost nothing during silence. */
  dtx: boolean;
  /** Subscribed streams carry the publisher's stream names. */
  msid: boolean;
}

const AUDIO_CODECS = ['opus', 'g722', 'pcmu', 'pcma'];
const VIDEO_CODECS = ['vp8', 'vp9', 'h264', 'av1'];
const SCALABILITY = /^L[1-3]T[1-3](?:_KEY)?$/;

/** Takes `location.search`. Returns the known flags with known values. */
export function readFlags(search: string): DebugFlags {
  const query = new URLSearchParams(search);
  const yes = (name: string) => query.get(name) === 'true' || query.get(name) === '1';
  const oneOf = (name: string, known: readonly string[]) =>
    known.find((value) => value === query.get(name)?.toLowerCase()) ?? null;
  const svc = query.get('svc');
  return {
    simulcast: yes('simulcast') || yes('simulcast2'),
    svc: svc !== null && SCALABILITY.test(svc) ? svc : null,
    audioCodec: oneOf('acodec', AUDIO_CODECS),
    videoCodec: oneOf('vcodec', VIDEO_CODECS),
    dtx: yes('dtx'),
    msid: yes('msid'),
  };
}
