/**
 * Parses browsers' session descriptions with bounds (RFC 8866, 8829, 8839, 8853). Only what the engine uses is kept.
 * All input is hostile: lengths, counts and characters are checked here, so that nothing of one description can be
 * echoed unchecked into another.
 */
import type { Fingerprint } from '../transport/dtls.ts';
import type { RemoteTransport } from '../transport/peer.ts';

/** A browser with 25 people subscribed sends about 100 kB; this leaves five times that. */
export const SDP_BYTES_MAX = 512 * 1024;
/** 25 people with audio, video and a shared screen each. */
export const M_LINES_MAX = 128;
const LINE_BYTES_MAX = 2048;
const LINES_PER_M_LINE_MAX = 400;

type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface SdpCodec {
  payloadType: number;
  /** Lower case. */
  name: string;
  clockRate: number;
  channels: number;
  fmtp: string;
  /** `nack`, `nack pli`, `goog-remb` … */
  feedback: string[];
}

export interface SdpMedia {
  kind: 'audio' | 'video' | 'application' | 'other';
  /** The whole text after `m=`: port, protocol and formats of a refused m-line must be repeated. */
  protocol: string;
  formats: string[];
  /** Port 0: refused or stopped. */
  rejected: boolean;
  mid: string;
  direction: Direction;
  codecs: SdpCodec[];
  /** Id by URI. */
  extensions: Map<string, number>;
  /** In the order of the description. */
  ssrcs: number[];
  /** Layers the other side sends, in the order of `a=simulcast`. */
  rids: string[];
  rtcpMux: boolean;
  /** Stream and track ids of the publisher's page. */
  msid: { stream: string; track: string } | null;
}

export interface Sdp {
  media: SdpMedia[];
  bundle: string[];
  transport: RemoteTransport;
  /** Firefox names itself in the session name. */
  firefox: boolean;
}

const TOKEN = /^[\w!#$%&'*+.^`{|}~-]{1,64}$/;
const MID = /^[\w.+-]{1,16}$/;
const RID = /^[\w-]{1,16}$/;

/** Counts the media sections a text claims to have without parsing it, so that a thousand of them cost nothing. */
export function countMediaLines(sdp: string, upTo: number): number {
  let count = 0;
  for (
    let at = sdp.startsWith('m=') ? 0 : sdp.indexOf('\nm=');
    at >= 0 && count <= upTo;
    at = sdp.indexOf('\nm=', at + 1)
  )
    count++;
  return count;
}

/** Returns why a text is refused unread; null when it may be parsed. */
export function refuseSdp(sdp: string): string | null {
  if (sdp.length > SDP_BYTES_MAX) return 'Error parsing SDP: too long';
  if (countMediaLines(sdp, M_LINES_MAX) > M_LINES_MAX) return 'Error parsing SDP: too many m-lines';
  return null;
}

/** The part of a line after its first blank. */
const rest = (text: string) => text.slice(text.indexOf(' ') + 1);

/**
 * Parses a browser's description. Returns the description, or why it cannot be used. All m-lines must share one
 * connection (RFC 8843, 5761), as all browsers do; others are marked as rejected.
 */
export function parseSdp(text: string): Sdp | { error: string } {
  const refused = refuseSdp(text);
  if (refused) return { error: refused };
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  if (lines[0] !== 'v=0') return { error: 'Error parsing SDP: no version' };
  const media: SdpMedia[] = [];
  let current: SdpMedia | null = null;
  let linesHere = 0;
  let bundle: string[] = [];
  let firefox = false;
  let sessionDirection: Direction = 'sendrecv';
  let ufrag = '';
  let setup: RemoteTransport['setup'] | null = null;
  const fingerprints: Fingerprint[] = [];
  const ofCodecs: { section: SdpMedia; name: string; value: string }[] = [];

  for (const line of lines) {
    if (line.length > LINE_BYTES_MAX) return { error: 'Error parsing SDP: a line is too long' };
    if (++linesHere > LINES_PER_M_LINE_MAX) return { error: 'Error parsing SDP: too many lines' };
    if (line.startsWith('m=')) {
      const [kind = '', port = '', protocol = '', ...formats] = line.slice(2).split(' ');
      if (
        !/^\d{1,5}$/.test(port) ||
        formats.length === 0 ||
        formats.length > 64 ||
        !formats.every((format) => TOKEN.test(format)) ||
        !/^[A-Z/]{3,32}$/i.test(protocol)
      )
        return { error: 'Error parsing SDP: invalid m-line' };
      current = {
        kind: kind === 'audio' || kind === 'video' || kind === 'application' ? kind : 'other',
        protocol,
        formats,
        rejected: port === '0',
        mid: '',
        direction: sessionDirection,
        codecs: [],
        extensions: new Map(),
        ssrcs: [],
        rids: [],
        rtcpMux: false,
        msid: null,
      };
      media.push(current);
      linesHere = 0;
      continue;
    }
    if (line.startsWith('o=') || line.startsWith('s=')) firefox ||= /mozilla/i.test(line);
    if (!line.startsWith('a=')) continue;
    const colon = line.indexOf(':');
    const name = colon < 0 ? line.slice(2) : line.slice(2, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1);
    switch (name) {
      case 'group':
        if (value.startsWith('BUNDLE')) bundle = value.split(' ').slice(1);
        break;
      // All m-lines share one connection: the first section decides, and browsers repeat it in each.
      case 'ice-ufrag':
        if (ufrag === '') ufrag = value.slice(0, 256);
        break;
      case 'fingerprint': {
        const [algorithm = '', print = ''] = value.split(' ');
        if (fingerprints.length < 16 && /^[\w-]{3,16}$/.test(algorithm) && /^[\da-f]{2}(:[\da-f]{2})+$/i.test(print))
          fingerprints.push({ algorithm: algorithm.toLowerCase(), value: print });
        break;
      }
      case 'setup':
        if (setup === null && (value === 'active' || value === 'passive' || value === 'actpass')) setup = value;
        break;
      case 'sendrecv':
      case 'sendonly':
      case 'recvonly':
      case 'inactive':
        if (current) current.direction = name;
        else sessionDirection = name;
        break;
      // Firefox sorts attributes by name, so these come before the codec they are about.
      case 'fmtp':
      case 'rtcp-fb':
        if (current) ofCodecs.push({ section: current, name, value });
        break;
      default:
        if (current) readMediaAttribute(current, name, value);
    }
  }
  for (const { section, name, value } of ofCodecs) readCodecAttribute(section, name, value);
  if (media.length === 0) return { error: 'Error parsing SDP: no m-lines' };
  const mids = new Set<string>();
  for (const [index, section] of media.entries()) {
    // Janus numbers sections without a name.
    if (section.mid === '') section.mid = String(index);
    if (mids.has(section.mid)) return { error: 'Error parsing SDP: the same mid twice' };
    mids.add(section.mid);
    const alone = media.length === 1;
    if (section.kind === 'audio' || section.kind === 'video')
      section.rejected ||= !section.rtcpMux || (!alone && !bundle.includes(section.mid));
  }
  if (media.every(({ rejected }) => rejected) && ufrag === '')
    return { error: 'Error parsing SDP: nothing to negotiate' };
  if (ufrag === '' || fingerprints.length === 0 || setup === null)
    return { error: 'Error parsing SDP: no ICE or DTLS parameters' };
  return { media, bundle, transport: { ufrag, fingerprints, setup }, firefox };
}

function codecOf(section: SdpMedia, payloadType: number): SdpCodec | null {
  return section.codecs.find((codec) => codec.payloadType === payloadType) ?? null;
}

function readMediaAttribute(section: SdpMedia, name: string, value: string) {
  switch (name) {
    case 'mid':
      if (MID.test(value)) section.mid = value;
      break;
    case 'rtcp-mux':
      section.rtcpMux = true;
      break;
    case 'rtpmap': {
      const match = /^(\d{1,3}) ([\w.+-]{1,32})\/(\d{1,6})(?:\/(\d{1,2}))?$/.exec(value);
      if (match && section.codecs.length < 64)
        section.codecs.push({
          payloadType: Number(match[1]),
          name: match[2]!.toLowerCase(),
          clockRate: Number(match[3]),
          channels: Number(match[4] ?? 1),
          fmtp: '',
          feedback: [],
        });
      break;
    }
    case 'extmap': {
      const match = /^(\d{1,3})(?:\/\w+)? (\S{1,256})/.exec(value);
      // Ids that do not fit a one-byte header cannot be used here.
      if (match && Number(match[1]) >= 1 && Number(match[1]) <= 14) section.extensions.set(match[2]!, Number(match[1]));
      break;
    }
    case 'ssrc': {
      const ssrc = Number.parseInt(value, 10);
      if (
        Number.isInteger(ssrc) &&
        ssrc >= 0 &&
        ssrc <= 0xffffffff &&
        !section.ssrcs.includes(ssrc) &&
        section.ssrcs.length < 16
      )
        section.ssrcs.push(ssrc);
      break;
    }
    case 'simulcast': {
      const send = /(?:^| )send ([^ ]+)/.exec(` ${value}`);
      const rids = send?.[1]?.split(';').map((alternatives) => alternatives.split(',')[0]!.replace(/^~/, '')) ?? [];
      if (rids.length <= 3 && new Set(rids).size === rids.length && rids.every((rid) => RID.test(rid)))
        section.rids = rids;
      break;
    }
    case 'msid': {
      const [stream = '', track = ''] = value.split(' ');
      if (TOKEN.test(stream) && TOKEN.test(track)) section.msid = { stream, track };
      break;
    }
    default:
  }
}

/** Runs once all codecs of the section are known. */
function readCodecAttribute(section: SdpMedia, name: string, value: string) {
  if (name === 'fmtp') {
    const codec = codecOf(section, Number.parseInt(value, 10));
    if (codec && /^\d{1,3} [\w;=,./+ -]{1,512}$/.test(value)) codec.fmtp = rest(value);
    return;
  }
  const feedback = rest(value).trim();
  if (!/^[\w -]{1,32}$/.test(feedback)) return;
  for (const codec of value.startsWith('*') ? section.codecs : [codecOf(section, Number.parseInt(value, 10))])
    if (codec && codec.feedback.length < 16) codec.feedback.push(feedback);
}
