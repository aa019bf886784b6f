/**
 * What the engine accepts of a browser's offer, and the answers and offers it writes. Codecs: opus; VP8, or H.264 where
 * a browser offers no VP8. Never negotiated: transport-wide congestion control (caps use REMB), RTX (retransmissions
 * keep their SSRC), orientation (phones then rotate their video themselves), data channels.
 */
import type { Codec, ExtensionIds } from '../rtp/rtp.types.ts';
import type { LocalTransport } from '../transport/peer.ts';
import type { Sdp, SdpCodec, SdpMedia } from './sdp.parse.ts';

const EXTENSION = {
  mid: 'urn:ietf:params:rtp-hdrext:sdes:mid',
  rid: 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  audioLevel: 'urn:ietf:params:rtp-hdrext:ssrc-audio-level',
} as const;

/** What was accepted of a publisher's m-line. */
export interface Accepted {
  codec: Exclude<Codec, 'other'>;
  /** The browser's payload type. */
  payloadType: number;
  clockRate: number;
  fmtp: string;
  feedback: string[];
  /** H.264's `profile-level-id`; the empty string for others. */
  profile: string;
  extensions: ExtensionIds;
  /** Rids from the lowest layer to the highest; empty without simulcast. */
  rids: string[];
  ssrcs: number[];
  msid: SdpMedia['msid'];
}

const FEEDBACK = ['nack', 'nack pli', 'ccm fir', 'goog-remb'];
/**
 * Chromium and Safari never offer this for audio, but keep what they sent and request what they miss once the other
 * side names it. Other browsers ignore what they did not offer.
 */
const AUDIO_FEEDBACK = ['nack'];

/**
 * Orders layers, lowest first: by the names that browsers and janus.js use, otherwise as the offer orders them, highest
 * first like janus.js (`hml`).
 */
export function orderRids(rids: readonly string[]): string[] {
  for (const names of [
    ['l', 'm', 'h'],
    ['q', 'h', 'f'],
    ['0', '1', '2'],
    ['low', 'mid', 'high'],
    ['low', 'medium', 'high'],
  ])
    if (rids.every((rid) => names.includes(rid))) return [...rids].sort((a, b) => names.indexOf(a) - names.indexOf(b));
  return [...rids].reverse();
}

const profileOf = (fmtp: string) => /profile-level-id=([\da-f]{6})/i.exec(fmtp)?.[1]?.toLowerCase() ?? '';

function chooseCodec(section: SdpMedia): { codec: Accepted['codec']; offered: SdpCodec } | null {
  const find = (name: string, fits: (codec: SdpCodec) => boolean = () => true) =>
    section.codecs.find(
      (codec) => codec.name === name && section.formats.includes(String(codec.payloadType)) && fits(codec),
    );
  if (section.kind === 'audio') {
    const opus = find('opus', ({ clockRate }) => clockRate === 48_000);
    return opus ? { codec: 'opus', offered: opus } : null;
  }
  const vp8 = find('vp8');
  if (vp8) return { codec: 'vp8', offered: vp8 };
  const single = ({ fmtp }: SdpCodec) => /packetization-mode=1/.test(fmtp);
  // Constrained baseline first: every browser can decode it.
  const h264 =
    find('h264', (codec) => single(codec) && profileOf(codec.fmtp).startsWith('42')) ??
    find('h264', single) ??
    find('h264');
  return h264 ? { codec: 'h264', offered: h264 } : null;
}

/**
 * Decides on a publisher's m-line. Returns null when nothing of it is received: refused, inactive, receive-only, or
 * without a codec of ours.
 */
export function accept(section: SdpMedia): Accepted | null {
  if (
    section.rejected ||
    (section.kind !== 'audio' && section.kind !== 'video') ||
    section.direction === 'inactive' ||
    section.direction === 'recvonly'
  )
    return null;
  const chosen = chooseCodec(section);
  if (!chosen) return null;
  const { codec, offered } = chosen;
  const extensions: ExtensionIds = {};
  for (const name of ['mid', 'rid', 'audioLevel'] as const) {
    const id = section.extensions.get(EXTENSION[name]);
    if (id !== undefined && (name !== 'audioLevel' || codec === 'opus') && (name !== 'rid' || section.rids.length > 0))
      extensions[name] = id;
  }
  return {
    codec,
    payloadType: offered.payloadType,
    clockRate: offered.clockRate,
    fmtp: offered.fmtp,
    feedback: codec === 'opus' ? AUDIO_FEEDBACK : FEEDBACK.filter((feedback) => offered.feedback.includes(feedback)),
    profile: codec === 'h264' ? profileOf(offered.fmtp) : '',
    extensions,
    // Without the extension that names them, layers cannot be identified.
    rids: codec !== 'opus' && extensions.rid !== undefined && section.rids.length > 1 ? orderRids(section.rids) : [],
    ssrcs: section.ssrcs,
    msid: section.msid,
  };
}

const rtpmap = (codec: Accepted['codec'], clockRate: number) =>
  codec === 'opus' ? 'opus/48000/2' : `${codec === 'vp8' ? 'VP8' : 'H264'}/${clockRate}`;
const answerFmtp = ({ codec, fmtp, profile }: Accepted) => {
  if (codec === 'opus') return `minptime=10${/useinbandfec=1/.test(fmtp) ? ';useinbandfec=1' : ''}`;
  return codec === 'h264'
    ? `level-asymmetry-allowed=1;packetization-mode=${/packetization-mode=1/.test(fmtp) ? 1 : 0};profile-level-id=${profile || '42e01f'}`
    : '';
};

/**
 * All m-lines share one connection, so only the first has its attributes. RFC 8445: host candidates of component 1;
 * IPv6 is preferred.
 */
function candidateLines({ candidates }: LocalTransport): string[] {
  return candidates.map(({ address, port }, i) => {
    const priority = 126 * 2 ** 24 + (65_535 - i * 256) * 2 ** 8 + 255;
    return `a=candidate:${i + 1} 1 udp ${priority} ${address} ${port} typ host`;
  });
}

function sessionLines(id: number, version: number, bundle: readonly string[]): string[] {
  return [
    'v=0',
    `o=- ${id} ${version} IN IP4 127.0.0.1`,
    's=VideoRoom',
    't=0 0',
    'a=ice-lite',
    ...(bundle.length > 0 ? [`a=group:BUNDLE ${bundle.join(' ')}`] : []),
    'a=msid-semantic: WMS *',
  ];
}

const transportLines = (local: LocalTransport, setup: string) => [
  'c=IN IP4 0.0.0.0',
  `a=ice-ufrag:${local.ufrag}`,
  `a=ice-pwd:${local.password}`,
  `a=fingerprint:${local.fingerprint.algorithm} ${local.fingerprint.value}`,
  `a=setup:${setup}`,
  'a=rtcp-mux',
];

export interface Written {
  /** Numbers of the `o=` line. */
  id: number;
  version: number;
  local: LocalTransport;
}

/** Writes the answer to a publisher. Takes the offer, and what was accepted of each of its m-lines, in its order. */
export function writeAnswer(
  { id, version, local }: Written,
  offer: Sdp,
  accepted: readonly (Accepted | null)[],
): string {
  // Refused sections leave the bundle (RFC 8843).
  const inBundle = offer.media
    .filter((section) => !section.rejected && section.kind !== 'application' && section.kind !== 'other')
    .map(({ mid }) => mid);
  const setup = offer.transport.setup === 'passive' ? 'active' : 'passive';
  const lines = sessionLines(id, version, offer.bundle.length > 0 ? inBundle : []);
  for (const [index, section] of offer.media.entries()) {
    const taken = accepted[index] ?? null;
    if (!inBundle.includes(section.mid)) {
      lines.push(
        `m=${section.kind === 'other' ? 'application' : section.kind} 0 ${section.protocol} ${section.formats[0]}`,
        'c=IN IP4 0.0.0.0',
        'a=inactive',
        `a=mid:${section.mid}`,
      );
      continue;
    }
    // An inactive m-line still repeats a format of the offer.
    lines.push(
      `m=${section.kind} 9 ${section.protocol} ${taken?.payloadType ?? section.formats[0]}`,
      ...transportLines(local, setup),
      `a=mid:${section.mid}`,
      taken ? 'a=recvonly' : 'a=inactive',
    );
    if (taken) {
      lines.push(`a=rtpmap:${taken.payloadType} ${rtpmap(taken.codec, taken.clockRate)}`);
      const fmtp = answerFmtp(taken);
      if (fmtp !== '') lines.push(`a=fmtp:${taken.payloadType} ${fmtp}`);
      for (const feedback of taken.feedback) lines.push(`a=rtcp-fb:${taken.payloadType} ${feedback}`);
      for (const [name, number] of Object.entries(taken.extensions))
        lines.push(`a=extmap:${number} ${EXTENSION[name as keyof typeof EXTENSION]}`);
      if (taken.rids.length > 0) {
        // In the order of the offer (RFC 8853 section 5.3).
        for (const rid of section.rids) lines.push(`a=rid:${rid} recv`);
        lines.push(`a=simulcast:recv ${section.rids.join(';')}`);
      }
    } else {
      const codec = section.codecs.find(({ payloadType }) => String(payloadType) === section.formats[0]);
      if (codec)
        lines.push(
          `a=rtpmap:${codec.payloadType} ${codec.name}/${codec.clockRate}${codec.channels > 1 ? `/${codec.channels}` : ''}`,
        );
    }
    if (section.mid === inBundle[0]) lines.push(...candidateLines(local), 'a=end-of-candidates');
  }
  return `${lines.join('\r\n')}\r\n`;
}

/** One m-line of the offer to a subscriber. */
export interface Offered {
  kind: 'audio' | 'video';
  mid: string;
  active: boolean;
  codec: Accepted['codec'];
  payloadType: number;
  clockRate: number;
  profile: string;
  ssrc: number;
  cname: string;
  msid: { stream: string; track: string };
}

/** Writes the offer to a subscriber. The order of its m-lines never changes. */
export function writeOffer({ id, version, local }: Written, offered: readonly Offered[]): string {
  const lines = sessionLines(
    id,
    version,
    offered.map(({ mid }) => mid),
  );
  for (const { kind, mid, active, codec, payloadType, clockRate, profile, ssrc, cname, msid } of offered) {
    lines.push(
      `m=${kind} 9 UDP/TLS/RTP/SAVPF ${payloadType}`,
      ...transportLines(local, 'actpass'),
      `a=mid:${mid}`,
      active ? 'a=sendonly' : 'a=inactive',
    );
    lines.push(`a=rtpmap:${payloadType} ${rtpmap(codec, clockRate)}`);
    if (codec === 'opus') lines.push(`a=fmtp:${payloadType} minptime=10;useinbandfec=1`);
    else if (codec === 'h264')
      lines.push(
        `a=fmtp:${payloadType} level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=${profile || '42e01f'}`,
      );
    lines.push(
      ...(codec === 'opus' ? AUDIO_FEEDBACK : ['nack', 'nack pli', 'ccm fir']).map(
        (feedback) => `a=rtcp-fb:${payloadType} ${feedback}`,
      ),
    );
    // The SSRC identifies the m-line, so packets carry no mid. It is new each time an inactive m-line carries something
    // again.
    if (active)
      lines.push(
        `a=msid:${msid.stream} ${msid.track}`,
        `a=ssrc:${ssrc} cname:${cname}`,
        `a=ssrc:${ssrc} msid:${msid.stream} ${msid.track}`,
      );
    if (mid === offered[0]?.mid) lines.push(...candidateLines(local), 'a=end-of-candidates');
  }
  return `${lines.join('\r\n')}\r\n`;
}
