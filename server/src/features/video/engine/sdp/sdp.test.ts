/** Rules 30 to 39 of the engine's README, on texts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LocalTransport } from '../transport/peer.ts';
import { accept, orderRids, writeAnswer, writeOffer, type Offered } from './sdp.negotiate.ts';
import { countMediaLines, parseSdp, refuseSdp, M_LINES_MAX, SDP_BYTES_MAX, type Sdp } from './sdp.parse.ts';

const FINGERPRINT = Array.from({ length: 32 }, () => 'AB').join(':');
const HEAD = ['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0'];
const LINE = [
  'a=ice-ufrag:abcd',
  'a=ice-pwd:0123456789012345678901',
  `a=fingerprint:sha-256 ${FINGERPRINT}`,
  'a=setup:actpass',
  'a=rtcp-mux',
];
const AUDIO = (mid = '0') => [
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 63 9',
  'c=IN IP4 0.0.0.0',
  ...LINE,
  `a=mid:${mid}`,
  'a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  'a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
  'a=sendonly',
  'a=msid:stream track',
  'a=rtpmap:111 opus/48000/2',
  'a=rtcp-fb:111 transport-cc',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=rtpmap:63 red/48000/2',
  'a=rtpmap:9 G722/8000',
  'a=ssrc:1234 cname:x',
];
const VIDEO = (mid = '1', extra: string[] = []) => [
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97 103',
  'c=IN IP4 0.0.0.0',
  ...LINE,
  `a=mid:${mid}`,
  'a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid',
  'a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id',
  'a=extmap:11 urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id',
  'a=extmap:13 urn:3gpp:video-orientation',
  'a=sendonly',
  'a=rtpmap:96 VP8/90000',
  'a=rtcp-fb:96 goog-remb',
  'a=rtcp-fb:96 transport-cc',
  'a=rtcp-fb:96 ccm fir',
  'a=rtcp-fb:96 nack',
  'a=rtcp-fb:96 nack pli',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
  'a=rtpmap:103 H264/90000',
  'a=fmtp:103 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42E01F',
  'a=rtcp-fb:103 nack pli',
  ...extra,
];
/**
 * As Firefox 153 offers a voice and a picture: attributes of each section in the order of their names, what is about a
 * codec before the codec.
 */
const FIREFOX = [
  'v=0',
  'o=mozilla...THIS_IS_SDPARTA-99.0 2523380506886246340 0 IN IP4 0.0.0.0',
  's=-',
  't=0 0',
  'a=sendrecv',
  `a=fingerprint:sha-256 ${FINGERPRINT}`,
  'a=group:BUNDLE 0 1',
  'a=ice-options:trickle',
  'a=msid-semantic:WMS *',
  'm=audio 35319 UDP/TLS/RTP/SAVPF 109 9 101',
  'c=IN IP4 192.0.2.2',
  'a=candidate:0 1 UDP 2122187007 192.0.2.2 35319 typ host',
  'a=sendonly',
  'a=end-of-candidates',
  'a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  'a=extmap:2/recvonly urn:ietf:params:rtp-hdrext:csrc-audio-level',
  'a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid',
  'a=extmap-allow-mixed',
  'a=fmtp:109 maxplaybackrate=48000;stereo=1;useinbandfec=1',
  'a=fmtp:101 0-15',
  'a=ice-pwd:6e2f60320b531fea2262fc7ba42e7b40',
  'a=ice-ufrag:a998bdcf',
  'a=mid:0',
  'a=msid:{6985a3b2-09f7-497c-b813-92981f39ec94} {d876e453-e7e9-436b-b7f4-1a45772d99de}',
  'a=rtcp:43529 IN IP4 192.0.2.2',
  'a=rtcp-fb:109 transport-cc',
  'a=rtcp-mux',
  'a=rtpmap:109 opus/48000/2',
  'a=rtpmap:9 G722/8000/1',
  'a=rtpmap:101 telephone-event/8000',
  'a=setup:actpass',
  'a=ssrc:1317879580 cname:{83cfb1ce-4803-4a8d-9ee1-1674ecf9457a}',
  'm=video 49803 UDP/TLS/RTP/SAVPF 120 124 126 99',
  'c=IN IP4 192.0.2.2',
  'a=sendonly',
  'a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid',
  'a=extmap:7 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  'a=extmap-allow-mixed',
  'a=fmtp:120 max-fs=12288;max-fr=60',
  'a=fmtp:124 apt=120',
  'a=fmtp:126 profile-level-id=42e01f;level-asymmetry-allowed=1;packetization-mode=1',
  'a=ice-pwd:6e2f60320b531fea2262fc7ba42e7b40',
  'a=ice-ufrag:a998bdcf',
  'a=mid:1',
  ...[120, 126, 99].flatMap((type) =>
    ['nack', 'nack pli', 'ccm fir', 'goog-remb', 'transport-cc'].map((feedback) => `a=rtcp-fb:${type} ${feedback}`),
  ),
  'a=rtcp-mux',
  'a=rtcp-rsize',
  'a=rtpmap:120 VP8/90000',
  'a=rtpmap:124 rtx/90000',
  'a=rtpmap:126 H264/90000',
  'a=rtpmap:99 AV1/90000',
  'a=setup:actpass',
  'a=ssrc:2552339381 cname:{83cfb1ce-4803-4a8d-9ee1-1674ecf9457a}',
  'a=ssrc:2363649370 cname:{83cfb1ce-4803-4a8d-9ee1-1674ecf9457a}',
  'a=ssrc-group:FID 2552339381 2363649370',
  '',
].join('\r\n');
const SIMULCAST = ['a=rid:h send', 'a=rid:m send', 'a=rid:l send', 'a=simulcast:send h;m;l'];
const text = (...sections: string[][]) => {
  const mids = sections.flatMap((section) =>
    section.filter((line) => line.startsWith('a=mid:')).map((line) => line.slice(6)),
  );
  return [...HEAD, `a=group:BUNDLE ${mids.join(' ')}`, ...sections.flat(), ''].join('\r\n');
};
const parsed = (sdp: string): Sdp => {
  const result = parseSdp(sdp);
  if ('error' in result) throw new Error(result.error);
  return result;
};
const errorOf = (sdp: string) => {
  const result = parseSdp(sdp);
  return 'error' in result ? result.error : null;
};
const LOCAL: LocalTransport = {
  ufrag: 'ours',
  password: 'oursecret',
  fingerprint: { algorithm: 'sha-256', value: FINGERPRINT },
  candidates: [
    { address: '192.0.2.1', port: 4000 },
    { address: '127.0.0.1', port: 4000 },
  ],
};

describe('reading', () => {
  test('30: finds everything that the engine uses', () => {
    const sdp = parsed(text(AUDIO(), VIDEO('1', SIMULCAST)));
    expect(sdp.transport).toEqual({
      ufrag: 'abcd',
      fingerprints: expect.arrayContaining([{ algorithm: 'sha-256', value: FINGERPRINT }]),
      setup: 'actpass',
    });
    expect(sdp.media.map(({ kind, mid, direction, rejected }) => ({ kind, mid, direction, rejected }))).toEqual([
      { kind: 'audio', mid: '0', direction: 'sendonly', rejected: false },
      { kind: 'video', mid: '1', direction: 'sendonly', rejected: false },
    ]);
    expect(sdp.media[0]).toMatchObject({ ssrcs: [1234], msid: { stream: 'stream', track: 'track' } });
    expect(sdp.media[1]!.rids).toEqual(['h', 'm', 'l']);
    expect(sdp.media[1]!.codecs.find(({ name }) => name === 'vp8')?.feedback).toContain('nack pli');
  });

  test('31: refuses a thousand m-lines and a megabyte before parsing', () => {
    const many = text(...Array.from({ length: 1000 }, (_, i) => ['m=audio 9 UDP/TLS/RTP/SAVPF 111', `a=mid:${i}`]));
    expect(refuseSdp(many)).toMatch(/m-lines/);
    expect(errorOf(many)).toMatch(/m-lines/);
    const long = `${text(AUDIO())}a=${'x'.repeat(1 << 20)}\r\n`;
    expect(long.length).toBeGreaterThan(SDP_BYTES_MAX);
    expect(refuseSdp(long)).toMatch(/long/);
    expect(countMediaLines(many, M_LINES_MAX)).toBe(M_LINES_MAX + 1);
  });

  test.each([
    ['empty', ''],
    ['no description', 'hello'],
    ['no m-lines', HEAD.join('\r\n')],
    ['no ICE', text(AUDIO().filter((line) => !line.startsWith('a=ice')))],
    ['no fingerprint', text(AUDIO().filter((line) => !line.startsWith('a=fingerprint')))],
    ['a line of 10 kB', text([...AUDIO(), `a=${'x'.repeat(10_000)}`])],
    ['500 lines in one section', text([...AUDIO(), ...Array.from({ length: 500 }, (_, i) => `a=x:${i}`)])],
    ['a mid twice', text(AUDIO('0'), VIDEO('0'))],
    ['a broken m-line', text(['m=audio nine UDP/TLS/RTP/SAVPF 111', ...LINE])],
    ['words in the formats', text(['m=audio 9 UDP/TLS/RTP/SAVPF a\tb<script>', ...LINE])],
  ])('31: refuses %s with a reason', (_name, sdp) => {
    expect(errorOf(sdp)).toMatch(/^Error parsing SDP: /);
  });

  test('32: neither throws nor hangs on any input', () => {
    const lines = fc.constantFrom(
      ...AUDIO(),
      ...VIDEO('1', SIMULCAST),
      ...HEAD,
      'a=fmtp:',
      'a=rtcp-fb:*',
      'a=ssrc:-1',
      'a=extmap:99999 x',
      'a=simulcast:send ~h,l;;m',
      'm=',
      'm=audio',
      'a=group:BUNDLE',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(lines, fc.string()), { maxLength: 60 }), (chosen) => {
        const result = parseSdp(['v=0', ...chosen].join('\r\n'));
        if ('error' in result) return;
        const accepted = result.media.map(accept);
        expect(writeAnswer({ id: 1, version: 1, local: LOCAL }, result, accepted)).toMatch(/^v=0\r\n/);
      }),
      { numRuns: 500 },
    );
  });

  test('33: lets no input start a line in the output', () => {
    const evil = text([
      'm=audio 9 UDP/TLS/RTP/SAVPF 111',
      ...LINE,
      'a=mid:0',
      'a=sendonly',
      'a=rtpmap:111 opus/48000/2',
      'a=msid:a\rb=x track',
      'a=fmtp:111 x\ra=candidate:evil',
    ]);
    const offer = parsed(evil);
    const answer = writeAnswer({ id: 1, version: 1, local: LOCAL }, offer, offer.media.map(accept));
    expect(answer).not.toContain('evil');
    // Offers to subscribers repeat it.
    expect(accept(offer.media[0]!)!.msid).toBeNull();
    for (const line of answer.split('\r\n')) expect(line).not.toMatch(/[\r\n]/);
  });

  test('34: refuses m-lines outside the bundle, or without rtcp-mux, separately', () => {
    const sdp = text(AUDIO(), VIDEO()).replace('BUNDLE 0 1', 'BUNDLE 0');
    expect(parsed(sdp).media.map(({ rejected }) => rejected)).toEqual([false, true]);
    const unmuxed = text(
      AUDIO().filter((line) => line !== 'a=rtcp-mux'),
      VIDEO(),
    );
    expect(parsed(unmuxed).media.map(({ rejected }) => rejected)).toEqual([true, false]);
  });
});

describe('accepting', () => {
  test('35: takes opus and VP8, with the browser’s own numbers, and no unknown extension or feedback', () => {
    const [audio, video] = parsed(text(AUDIO(), VIDEO())).media.map(accept);
    expect(audio).toMatchObject({
      codec: 'opus',
      payloadType: 111,
      extensions: { audioLevel: 1, mid: 4 },
      feedback: ['nack'],
    });
    expect(video).toMatchObject({
      codec: 'vp8',
      payloadType: 96,
      feedback: ['nack', 'nack pli', 'ccm fir', 'goog-remb'],
    });
    expect(video!.extensions).toEqual({ mid: 4 });
  });

  test('35: takes H.264 only without VP8', () => {
    const without = VIDEO()
      .map((line) => (line.startsWith('m=') ? 'm=video 9 UDP/TLS/RTP/SAVPF 103' : line))
      .filter((line) => !/:9[67] /.test(line));
    expect(accept(parsed(text(without)).media[0]!)).toMatchObject({
      codec: 'h264',
      payloadType: 103,
      profile: '42e01f',
    });
    const nothing = without.map((line) => line.replace('H264', 'AV1'));
    expect(accept(parsed(text(nothing)).media[0]!)).toBeNull();
  });

  test('35: gives Firefox, which describes a codec before naming it, key frames, retransmission, caps and redundancy too', () => {
    const [audio, video] = parsed(FIREFOX).media.map(accept);
    expect(audio).toMatchObject({
      codec: 'opus',
      payloadType: 109,
      fmtp: 'maxplaybackrate=48000;stereo=1;useinbandfec=1',
      extensions: { audioLevel: 1, mid: 3 },
      ssrcs: [1317879580],
    });
    expect(video).toMatchObject({
      codec: 'vp8',
      payloadType: 120,
      feedback: ['nack', 'nack pli', 'ccm fir', 'goog-remb'],
      extensions: { mid: 3 },
    });
    const without = FIREFOX.replace('SAVPF 120 124 126 99', 'SAVPF 126 99');
    expect(accept(parsed(without).media[1]!)).toMatchObject({ codec: 'h264', payloadType: 126, profile: '42e01f' });
  });

  test('36: takes layers by name, in any order', () => {
    expect(orderRids(['h', 'm', 'l'])).toEqual(['l', 'm', 'h']);
    expect(orderRids(['l', 'm', 'h'])).toEqual(['l', 'm', 'h']);
    expect(orderRids(['f', 'h', 'q'])).toEqual(['q', 'h', 'f']);
    expect(orderRids(['h', 'l'])).toEqual(['l', 'h']);
    expect(orderRids(['2', '0', '1'])).toEqual(['0', '1', '2']);
    expect(orderRids(['big', 'small'])).toEqual(['small', 'big']);
    const simulcast = accept(parsed(text(VIDEO('1', SIMULCAST))).media[0]!);
    expect(simulcast).toMatchObject({ rids: ['l', 'm', 'h'], extensions: { mid: 4, rid: 10 } });
  });

  test('36: takes no layers without the extension that names them', () => {
    const section = VIDEO('1', SIMULCAST).filter((line) => !line.includes('rtp-stream-id'));
    expect(accept(parsed(text(section)).media[0]!)).toMatchObject({ rids: [] });
  });

  test.each(['inactive', 'recvonly'])('35: takes nothing from an m-line that is %s', (direction) => {
    expect(
      accept(parsed(text(AUDIO().map((line) => (line === 'a=sendonly' ? `a=${direction}` : line)))).media[0]!),
    ).toBeNull();
  });
});

describe('writing', () => {
  const answer = (sdp: string) => {
    const offer = parsed(sdp);
    return writeAnswer({ id: 7, version: 3, local: LOCAL }, offer, offer.media.map(accept));
  };

  test('37: repeats every m-line in its place in the answer, refused ones with port 0 and outside the bundle', () => {
    const data = ['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', ...LINE.slice(0, 4), 'a=mid:2'];
    const sdp = answer(text(AUDIO(), VIDEO('1', SIMULCAST), data));
    expect(sdp.match(/^m=.*$/gm)).toEqual([
      'm=audio 9 UDP/TLS/RTP/SAVPF 111',
      'm=video 9 UDP/TLS/RTP/SAVPF 96',
      'm=application 0 UDP/DTLS/SCTP webrtc-datachannel',
    ]);
    expect(sdp).toContain('a=group:BUNDLE 0 1\r\n');
    expect(sdp).toContain('a=ice-lite\r\n');
    expect(sdp).toContain('a=setup:passive\r\n');
    expect(sdp).toContain('a=simulcast:recv h;m;l\r\n');
    expect(sdp).not.toMatch(/transport-cc|rtx|orientation|repaired/);
    expect(sdp.match(/^a=candidate:.*127\.0\.0\.1 4000 typ host$/gm)?.length).toBe(1);
    // Our own words can be read by ourselves.
    expect(parsed(sdp).transport).toMatchObject({ ufrag: 'ours', setup: 'passive' });
  });

  test('38: has every m-line in the offer, even inactive ones, each with its own SSRC and one stream per person', () => {
    const line = (mid: string, active: boolean, kind: 'audio' | 'video'): Offered => ({
      kind,
      mid,
      active,
      codec: kind === 'audio' ? 'opus' : 'vp8',
      payloadType: kind === 'audio' ? 111 : 96,
      clockRate: 90_000,
      profile: '',
      ssrc: 100 + Number(mid),
      cname: 'c',
      msid: { stream: 'feed5', track: `feed5-${mid}` },
    });
    const sdp = writeOffer({ id: 7, version: 1, local: LOCAL }, [
      line('0', true, 'audio'),
      line('1', true, 'video'),
      line('2', false, 'video'),
    ]);
    const read = parsed(sdp);
    expect(read.media.map(({ mid, direction, ssrcs }) => ({ mid, direction, ssrcs }))).toEqual([
      { mid: '0', direction: 'sendonly', ssrcs: [100] },
      { mid: '1', direction: 'sendonly', ssrcs: [101] },
      { mid: '2', direction: 'inactive', ssrcs: [] },
    ]);
    expect(read.media[0]!.msid?.stream).toBe(read.media[1]!.msid?.stream);
    expect(read.transport.setup).toBe('actpass');
    expect(sdp).not.toMatch(/transport-cc|rtx|goog-remb/);
    expect(read.media[0]!.codecs).toMatchObject([
      { name: 'opus', feedback: ['nack'], fmtp: 'minptime=10;useinbandfec=1' },
    ]);
  });

  test('35: negotiates retransmission for audio although browsers never offer it; audio is redundant, without DTX', () => {
    const sdp = answer(text(AUDIO()));
    expect(parsed(sdp).media[0]!.codecs).toMatchObject([
      { name: 'opus', feedback: ['nack'], fmtp: 'minptime=10;useinbandfec=1' },
    ]);
    expect(sdp).not.toContain('usedtx');
  });
});
