/** STOMP frames as they are read and written, whole and in pieces, and what malformed ones do. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createHeadCache,
  createStompParser,
  FRAME_LIMITS,
  feedStomp,
  type HeadCache,
  type StompFault,
  type StompFrame,
  type StompFrameLimits,
  type StompVersion,
} from './stomp-frame.ts';
import { serializeStomp } from './stomp.fixture.ts';

interface Seen {
  frames: { command: string; headers: Record<string, string | undefined>; body: string }[];
  beats: number;
  fault: StompFault | null;
}

/** Feeds chunks and returns what came out; bodies as latin1 so that every octet shows. */
function read(
  chunks: (string | Uint8Array)[],
  version: StompVersion | null,
  limits?: StompFrameLimits,
  heads?: HeadCache,
): Seen {
  const parser = createStompParser(limits, version, heads);
  const seen: Seen = { frames: [], beats: 0, fault: null };
  for (const chunk of chunks) {
    seen.fault = feedStomp(
      parser,
      typeof chunk === 'string' ? Buffer.from(chunk) : chunk,
      seen,
      (to, frame: StompFrame) => {
        to.frames.push({
          command: frame.command,
          headers: { ...frame.headers },
          body: Buffer.from(frame.body).toString('latin1'),
        });
        return true;
      },
      (to) => void to.beats++,
    );
  }
  return seen;
}
const one = (text: string | Uint8Array, version: StompVersion | null = '1.2') => {
  const { frames, fault } = read([text], version);
  expect(fault).toBeNull();
  expect(frames).toHaveLength(1);
  return frames[0]!;
};
const faultOf = (text: string | Uint8Array, version: StompVersion | null = '1.2', limits?: StompFrameLimits) =>
  read([text], version, limits).fault;

describe('reading frames', () => {
  it('reads command, headers and a body up to NUL', () => {
    expect(one('SEND\ndestination:/a\nx:\n\nhello\0')).toEqual({
      command: 'SEND',
      headers: { destination: '/a', x: '' },
      body: 'hello',
    });
  });

  it('keeps the first of repeated headers', () => {
    expect(one('SEND\nfoo:World\nfoo:Hello\n\n\0').headers['foo']).toBe('World');
  });

  it('takes __proto__ for a header like any other', () => {
    expect(Object.getOwnPropertyDescriptor(one('SEND\n__proto__:x\ntoString:y\n\n\0').headers, 'toString')?.value).toBe(
      'y',
    );
  });

  it.each<[StompVersion, string, string]>([
    ['1.0', 'a\\nb\\cc\\\\d\\q', 'a\\nb\\cc\\\\d\\q'],
    ['1.1', 'a\\nb\\cc\\\\nd', 'a\nb:c\\nd'],
    ['1.2', 'a\\nb\\cc\\\\rd\\r', 'a\nb:c\\rd\r'],
  ])('unescapes as %s wants', (version, wire, value) => {
    expect(one(`SEND\nh:${wire}\n\n\0`, version).headers['h']).toBe(value);
  });

  it('unescapes names too', () => expect(one('SEND\na\\cb:1\n\n\0').headers['a:b']).toBe('1'));

  it.each<[StompVersion, string]>([
    ['1.1', '\\r'],
    ['1.1', '\\t'],
    ['1.2', '\\t'],
    ['1.2', '\\'],
  ])('in %s finds the escape %s unknown', (version, wire) => {
    expect(faultOf(`SEND\nh:x${wire}\n\n\0`, version)?.code).toBe('malformed');
  });

  it.each(['CONNECT', 'CONNECTED', 'STOMP'])('never unescapes %s', (command) => {
    expect(one(`${command}\nh:a\\nb:c\n\n\0`, '1.2').headers['h']).toBe('a\\nb:c');
  });

  it('trims for 1.0 only, also in a CONNECT without accept-version', () => {
    expect(one('SEND\n destination : /a \n\n\0', '1.0').headers).toEqual({ destination: '/a' });
    expect(one('SEND\ndestination: /a \n\n\0', '1.1').headers).toEqual({ destination: ' /a ' });
    expect(one('CONNECT\nlogin: me\n\n\0', null).headers).toEqual({ login: 'me' });
    expect(one('CONNECT\naccept-version:1.2\nlogin: me\n\n\0', null).headers['login']).toBe(' me');
  });

  it('takes CR LF in 1.2 and before the version is known, but not in 1.1', () => {
    expect(one('SEND\r\ndestination:/a\r\n\r\nx\r\n\0')).toEqual({
      command: 'SEND',
      headers: { destination: '/a' },
      body: 'x\r\n',
    });
    expect(one('CONNECT\r\naccept-version:1.2\r\n\r\n\0', null).headers['accept-version']).toBe('1.2');
    expect(faultOf('SEND\r\ndestination:/a\r\n\r\nx\0', '1.1')?.code).toBe('malformed');
    expect(faultOf('SEND\na:b\rc\n\n\0')?.code).toBe('malformed');
  });

  it('reads as many octets as content-length says, NULs among them', () => {
    expect(
      one(Buffer.concat([Buffer.from('SEND\ncontent-length:5\n\n'), Buffer.from([0, 255, 0, 10, 0]), Buffer.from([0])]))
        .body,
    ).toBe('\0\xff\0\n\0');
    expect(one('SEND\ncontent-length:0\n\n\0').body).toBe('');
  });

  it('counts line ends between frames as heart-beats', () => {
    const seen = read(['\n\nSEND\n\na\0\n\r\n', 'SEND\n\nb\0\n'], '1.2');
    expect(seen.frames.map(({ body }) => body)).toEqual(['a', 'b']);
    expect(seen.beats).toBe(5);
    expect(seen.fault).toBeNull();
  });

  it('lets the reader stop after a frame and settle the version between two', () => {
    const parser = createStompParser();
    const bodies: unknown[] = [];
    const chunk = Buffer.from('CONNECT\naccept-version:1.2\n\n\0SEND\nh:\\r\n\n\0SEND\n\n\0');
    const fault = feedStomp(parser, chunk, bodies, (to, frame) => {
      to.push(frame.headers['h']);
      parser.version = '1.2';
      return to.length < 2;
    });
    expect(fault).toBeNull();
    expect(bodies).toEqual([undefined, '\r']);
  });
});

describe('faults', () => {
  it.each<[string, string]>([
    ['no colon', 'SEND\nnonsense\n\n\0'],
    ['no name', 'SEND\n:x\n\n\0'],
    ['small letters', 'send\n\n\0'],
    ['NUL in the headers', 'SEND\ndestination:/a\n\0'],
    ['NUL in the command', 'SE\0'],
    ['a NUL too many', 'SEND\n\n\0\0'],
    ['CR alone between frames', '\rSEND\n\n\0'],
    ['length that is no number', 'SEND\ncontent-length:-1\n\n\0'],
    ['length with a fraction', 'SEND\ncontent-length:1.5\n\nx\0'],
    ['too short a length', 'SEND\ncontent-length:1\n\nabc\0'],
  ])('%s is malformed', (_, text) => {
    const fault = faultOf(text);
    expect(fault?.code).toBe('malformed');
    expect(fault?.message).not.toContain('nonsense');
  });

  it('a header that is not UTF-8 is malformed', () => {
    expect(
      faultOf(Buffer.concat([Buffer.from('SEND\na:'), Buffer.from([0xc3, 0x28]), Buffer.from('\n\n\0')]))?.code,
    ).toBe('malformed');
  });

  it('names the receipt of the broken frame and stays faulty', () => {
    const parser = createStompParser(FRAME_LIMITS, '1.2');
    const first = feedStomp(parser, Buffer.from('SEND\nreceipt:7\nbroken\n\n\0'), null, () => true);
    expect(first?.receipt).toBe('7');
    expect(feedStomp(parser, Buffer.from('SEND\n\n\0'), null, () => true)).toBe(first);
  });

  const small: StompFrameLimits = {
    commandBytes: 8,
    headerCount: 3,
    headerLineBytes: 20,
    headBytes: 50,
    bodyBytes: 100,
    frameBytes: 120,
  };
  it.each<[string, string]>([
    ['command', 'UNSUBSCRIBE'],
    ['header line', `SEND\nx:${'y'.repeat(30)}`],
    ['count of headers', 'SEND\na:1\nb:2\nc:3\nd:4\n\n\0'],
    ['head', `SEND\na:${'1'.repeat(18)}\nb:${'1'.repeat(18)}\nc:${'1'.repeat(18)}\n\n\0`],
    ['claimed length', 'SEND\ncontent-length:101\n\n'],
    ['huge claimed length', 'SEND\ncontent-length:99999999999\n\n'],
    ['body without length', `SEND\n\n${'x'.repeat(101)}`],
    ['frame', `SEND\na:${'1'.repeat(17)}\ncontent-length:99\n\n`],
  ])('an excess of %s is too large', (_, text) => expect(faultOf(text, '1.2', small)?.code).toBe('too_large'));

  it('keeps no more than has come, whatever content-length claims', () => {
    const parser = createStompParser(FRAME_LIMITS, '1.2');
    feedStomp(parser, Buffer.from('SEND\ncontent-length:65000\n\n123'), null, () => true);
    expect(parser.partialLength).toBe(3);
    expect(parser.partial!.length).toBeLessThan(128);
  });

  it('never keeps more than a frame may have', () => {
    const parser = createStompParser(small, '1.2');
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 40 }), (chunks) => {
        for (const chunk of chunks) {
          feedStomp(parser, chunk, null, () => true);
          expect(parser.partialLength).toBeLessThanOrEqual(small.frameBytes);
        }
      }),
    );
  });
});

describe('heads read before', () => {
  const text = 'SEND\ndestination:/a\n\n1\0';

  it('are shared by the frames that begin with the same bytes, and cannot be written to', () => {
    const heads = createHeadCache();
    const found: StompFrame[] = [];
    for (const version of ['1.2', '1.2', '1.1'] as const)
      feedStomp(
        createStompParser(FRAME_LIMITS, version, heads),
        Buffer.from(text),
        null,
        (_, frame) => found.push(frame) > 0,
      );
    expect(found[1]!.headers).toBe(found[0]!.headers);
    expect(found[2]!.headers).not.toBe(found[0]!.headers);
    expect(Object.isFrozen(found[0]!.headers)).toBe(true);
  });

  it('differ by a byte, and by what their version makes of them', () => {
    const heads = createHeadCache();
    const of = (wire: string, version: StompVersion) =>
      read([wire], version, FRAME_LIMITS, heads).frames.map(({ headers }) => headers);
    for (let again = 0; again < 2; again++) {
      expect(of('SEND\na: 1\\n\n\n\0', '1.0')).toEqual([{ a: '1\\n' }]);
      expect(of('SEND\na: 1\\n\n\n\0', '1.1')).toEqual([{ a: ' 1\n' }]);
      expect(of('SEND\na: 2\\n\n\n\0', '1.1')).toEqual([{ a: ' 2\n' }]);
    }
  });

  it('carry the length of the body', () => {
    const heads = createHeadCache();
    const wire = 'SEND\ncontent-length:3\n\na\0b\0';
    expect(read([wire + wire], '1.2', FRAME_LIMITS, heads).frames.map(({ body }) => body)).toEqual(['a\0b', 'a\0b']);
    expect(read(['SEND\ncontent-length:3\n\nabcd\0'], '1.2', FRAME_LIMITS, heads).fault?.code).toBe('malformed');
  });

  it('count towards the size of the frame', () => {
    const heads = createHeadCache();
    const tight: StompFrameLimits = { ...FRAME_LIMITS, bodyBytes: 100, frameBytes: 120 };
    const wire = `SEND\nx:${'y'.repeat(40)}\n\n${'z'.repeat(90)}\0`;
    for (let again = 0; again < 2; again++) expect(read([wire], '1.2', tight, heads).fault?.code).toBe('too_large');
    expect(heads['1.2'].size).toBe(1);
  });

  it('are complete: the end of one that was cut means nothing', () => {
    const heads = createHeadCache();
    expect(read(['SEND\na:1\n', 'SEND:2\n\n\0'], '1.2', FRAME_LIMITS, heads).frames).toHaveLength(1);
    expect(read(['SEND:2\n\n\0'], '1.2', FRAME_LIMITS, heads).fault?.code).toBe('malformed');
  });

  it('are bounded, whatever is sent', () => {
    const heads = createHeadCache();
    const kept = () => [...heads['1.2'].keys()];
    for (let n = 0; n < 1000; n++) {
      read([`SEND\nx:${n}\n\n\0`], '1.2', FRAME_LIMITS, heads);
      expect(kept().length).toBeLessThanOrEqual(256);
    }
    const before = kept();
    read(
      [
        `SEND\nx:${'y'.repeat(300)}\n\n\0`,
        'SEND\nreceipt:1\n\n\0',
        'SEND\ntransaction:1\n\n\0',
        'ACK\nid:1\n\n\0',
        'SEND\nbroken\n\n\0',
      ],
      '1.2',
      FRAME_LIMITS,
      heads,
    );
    expect(kept()).toEqual(before);
  });
});

describe('properties', () => {
  const version = fc.constantFrom<StompVersion>('1.0', '1.1', '1.2');
  const word = fc.string({ unit: fc.constantFrom('a', 'B', '7', '-', '/', 'ő', '🙂'), minLength: 1, maxLength: 12 });
  const wild = fc.string({
    unit: fc.constantFrom('a', ':', '\\', '\n', '\r', ' ', 'n', 'c', 'ș', '🙂', '"'),
    maxLength: 12,
  });
  const frame = version.chain((v) =>
    fc.record({
      version: fc.constant(v),
      // 1.0 has no escapes; in 1.1 a carriage return is an octet like any other.
      headers:
        v === '1.0'
          ? fc.dictionary(word, word, { maxKeys: 5 })
          : fc.dictionary(
              wild.filter((name) => name !== ''),
              wild,
              { maxKeys: 5 },
            ),
      body: fc.uint8Array({ maxLength: 300 }),
      command: fc.constantFrom('SEND', 'MESSAGE', 'ERROR', 'ACK'),
    }),
  );

  it('reads back what it wrote, however it is cut', () => {
    fc.assert(
      fc.property(
        version,
        fc.array(frame, { minLength: 1, maxLength: 4 }),
        fc.array(fc.nat(200), { maxLength: 30 }),
        (v, frames, cuts) => {
          const same = frames.filter((f) => f.version === v);
          const bytes = Buffer.concat(same.flatMap((f) => [serializeStomp(f, v), Buffer.from('\n')]));
          const chunks: Uint8Array[] = [];
          let at = 0;
          for (const cut of cuts) chunks.push(bytes.subarray(at, (at += cut)));
          chunks.push(bytes.subarray(at));
          const seen = read(chunks, v);
          expect(seen.fault).toBeNull();
          expect(seen.beats).toBe(same.length);
          expect(seen.frames).toEqual(
            same.map((f) => ({
              command: f.command,
              headers: f.body.length > 0 ? { ...f.headers, 'content-length': String(f.body.length) } : f.headers,
              body: Buffer.from(f.body).toString('latin1'),
            })),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('no header value can end a line or a frame', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('CONNECTED', 'MESSAGE', 'ERROR'),
        version,
        fc.string(),
        fc.string({ minLength: 1 }),
        (command, v, value, name) => {
          const bytes = serializeStomp(
            { command, headers: { before: '1', [name]: `${value}\n\nx\0\r`, after: '2' }, body: 'body' },
            v,
          );
          const text = bytes.toString('utf8');
          expect(text.indexOf('\0')).toBe(text.length - 1);
          expect(text.split('\n\n')).toHaveLength(2);
        },
      ),
    );
  });

  it('garbage and broken frames give frames or one fault, the same however they are cut', () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 30 }),
      fc
        .constantFrom(
          'SEND\n',
          'destination:/a\n',
          '\n',
          '\0',
          '\r\n',
          'SEND\ndestination:/a\n\n',
          'content-length:4\n',
          'content-length:x\n',
          'a\\q:b\n',
          'CONNECT\n',
          'body',
        )
        .map((text) => Buffer.from(text)),
    );
    const shared = createHeadCache();
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }),
        fc.constantFrom<StompVersion | null>(null, '1.0', '1.1', '1.2'),
        (pieces, v) => {
          const whole = Buffer.concat(pieces);
          const together = read([whole], v);
          // A head that was read before must mean the same as if it were read for the first time, whatever else came
          // before it.
          const known = read([whole], v, FRAME_LIMITS, shared);
          expect(known.frames).toEqual(together.frames);
          expect(known.fault).toEqual(together.fault);
          expect(known.beats).toBe(together.beats);
          const single = read(
            Array.from(whole, (byte) => Uint8Array.of(byte)),
            v,
          );
          expect(single.frames).toEqual(together.frames);
          expect(single.fault?.code).toBe(together.fault?.code);
          if (single.fault === null) expect(single.beats).toBe(together.beats);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
