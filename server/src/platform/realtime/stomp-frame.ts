/**
 * STOMP frames as bytes: an incremental parser that never buffers more than its limits, and a serializer. Pure: no
 * sockets, no clocks. Source: STOMP 1.0, 1.1, 1.2 (stomp.github.io), sections "STOMP Frames", "Value Encoding", "Size
 * Limits", "Repeated Header Entries".
 *
 * Where versions differ
 *   1.0  no escapes; padding around names and values is trimmed, as its own examples are padded
 *   1.1  \n \c \\ in names and values; anything else after a backslash is fatal; nothing is trimmed
 *   1.2  adds \r; a line may end in CR LF, a bare CR is fatal
 *   CONNECT, STOMP and CONNECTED are never escaped. A parser whose version is null awaits CONNECT and takes both line
 *   ends.
 * A raw colon in a value is accepted in every version: the first colon of the line parts name and value, and widespread
 * clients don't escape for 1.1.
 */
import { isUtf8 } from 'node:buffer';

export const STOMP_VERSIONS = ['1.2', '1.1', '1.0'] as const;
export type StompVersion = (typeof STOMP_VERSIONS)[number];

/**
 * Headers without a prototype, so that a header called `__proto__` is nothing special. Of repeated ones the first
 * counts.
 */
export type StompHeaders = Readonly<Record<string, string | undefined>>;

export interface StompFrame {
  readonly command: string;
  readonly headers: StompHeaders;
  /** May be a view into the received chunk: copy what has to outlive the handling of it. */
  readonly body: Uint8Array;
  /** When it began to wait for its turn (`performance.now()`); missing on frames that are handled at once. */
  readonly queuedAt?: number;
}

export interface StompFrameLimits {
  /** Bytes of the command. */
  commandBytes: number;
  /** Header lines of one frame, repeated ones counted. */
  headerCount: number;
  /** Bytes of one header line. */
  headerLineBytes: number;
  /** Bytes of command and header lines together. */
  headBytes: number;
  bodyBytes: number;
  /** Bytes of head and body together: with the one open chunk this is the most that a connection can make us keep. */
  frameBytes: number;
}

export const FRAME_LIMITS: Readonly<StompFrameLimits> = {
  commandBytes: 32,
  headerCount: 64,
  headerLineBytes: 4_096,
  headBytes: 16_384,
  bodyBytes: 65_536,
  frameBytes: 65_536,
};

/** What is wrong with the bytes. After it the stream cannot be trusted: answer ERROR and close. */
export interface StompFault {
  readonly code: 'malformed' | 'too_large';
  /** Plain words that repeat nothing of what was received. */
  readonly message: string;
  /** The receipt header of the broken frame, if it was already read. */
  readonly receipt: string | undefined;
}

/** The parsed head of a frame; frames that begin with the same bytes share it, so it is never changed. */
interface Head {
  readonly headers: StompHeaders;
  readonly bytes: number;
  /** As `StompParser.bodyBytes`. */
  readonly bodyBytes: number;
}

/**
 * Heads of SEND frames that were read before, by their exact bytes: a hand that moves sends the same head thirty times
 * a second. Parsers with the same limits share it. A head is found only by all of its bytes, so it can mean nothing
 * else than when it was read in full.
 */
export type HeadCache = Readonly<Record<StompVersion, Map<string, Head>>>;

/**
 * Number of heads kept for each version; if there are more, all are forgotten and those in use come back by themselves.
 */
const HEADS_KEPT = 256;
/** Longer ones are not kept. */
const KEPT_HEAD_BYTES = 256;

/** Makes an empty memory of heads, for parsers with the same limits. */
export const createHeadCache = (): HeadCache => ({ '1.2': new Map(), '1.1': new Map(), '1.0': new Map() });

/** State of one stream. Opaque except for `version`, which its owner sets as soon as CONNECT has settled it. */
export interface StompParser {
  version: StompVersion | null;
  readonly limits: Readonly<StompFrameLimits>;
  readonly heads: HeadCache | null;
  phase: number;
  command: string;
  headers: StompHeaders | null;
  headerCount: number;
  headBytes: number;
  /** Bytes of the body by content-length; -1 when it ends at the first NUL. */
  bodyBytes: number;
  /** Beginning of a line or body whose end has not come yet. */
  partial: Buffer | null;
  partialLength: number;
  fault: StompFault | null;
}

const BETWEEN = 0;
const BETWEEN_AFTER_CR = 1;
const COMMAND = 2;
const HEADER = 3;
const BODY = 4;
const LF = 10;
const CR = 13;
const CAPITAL_S = 83;
const COLON = 58;
const BACKSLASH = 92;
const NOTHING = Buffer.alloc(0);

/** Makes the state of one stream, for `feedStomp`. `version` is null until CONNECT has settled it. */
export function createStompParser(
  limits: Readonly<StompFrameLimits> = FRAME_LIMITS,
  version: StompVersion | null = null,
  heads: HeadCache | null = null,
): StompParser {
  return {
    version,
    limits,
    heads,
    phase: BETWEEN,
    command: '',
    headers: null,
    headerCount: 0,
    headBytes: 0,
    bodyBytes: -1,
    partial: null,
    partialLength: 0,
    fault: null,
  };
}

/** Thrown inside this file only; `feedStomp` turns it into the fault it returns. */
class Fault extends Error {
  readonly code: StompFault['code'];
  constructor(code: StompFault['code'], message: string) {
    super(message);
    this.code = code;
  }
}
const malformed = (message: string) => new Fault('malformed', message);
const tooLarge = (message: string) => new Fault('too_large', message);

/**
 * Reads a chunk: any part of the stream, be it a piece of a frame or several frames.
 * @param onFrame called for each whole frame, in order; returning false stops reading (the rest is thrown away). It may
 *   set `parser.version`, which applies from the next frame on. It must not throw.
 * @param onBeat called for each end of line between frames (heart-beats, and the line ends that may follow a frame).
 * @returns the fault that ended the stream, or null. After a fault, every further call returns the same one.
 */
export function feedStomp<C>(
  parser: StompParser,
  data: Uint8Array,
  context: C,
  onFrame: (context: C, frame: StompFrame) => boolean,
  onBeat?: (context: C) => void,
): StompFault | null {
  if (parser.fault !== null) return parser.fault;
  const chunk = Buffer.isBuffer(data) ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  try {
    let at = 0;
    // Where the head under way begins in this chunk; -1 when it began in an earlier one.
    let headFrom = -1;
    while (at < chunk.length) {
      if (parser.phase === BODY) {
        const end = readBody(parser, chunk, at);
        if (end < 0) break;
        at = end;
        const frame = finish(parser);
        if (!onFrame(context, frame)) break;
      } else if (parser.phase === COMMAND || parser.phase === HEADER) {
        at = readLine(parser, chunk, at);
        if (headFrom >= 0 && headIsRead(parser)) remember(parser, chunk, headFrom, at);
      } else {
        const byte = chunk[at];
        if (byte === LF) {
          parser.phase = BETWEEN;
          at++;
          onBeat?.(context);
        } else if (parser.phase === BETWEEN_AFTER_CR) {
          throw malformed('a carriage return between frames is not followed by a line feed');
        } else if (byte === CR) {
          parser.phase = BETWEEN_AFTER_CR;
          at++;
        } else {
          headFrom = at;
          parser.phase = COMMAND;
          if (byte === CAPITAL_S && parser.heads !== null && parser.version !== null)
            at = recall(parser, parser.heads[parser.version], chunk, at);
        }
      }
    }
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    parser.fault = { code: error.code, message: error.message, receipt: parser.headers?.['receipt'] };
    parser.partial = null;
    parser.partialLength = 0;
    parser.headers = null;
    return parser.fault;
  }
}

const headIsRead = (parser: StompParser) => parser.phase === BODY;

/**
 * Takes the head that begins here as it was read before. Returns where its body begins, or `from` if it is not known.
 */
function recall(parser: StompParser, heads: Map<string, Head>, chunk: Buffer, from: number): number {
  const most = Math.min(chunk.length, from + KEPT_HEAD_BYTES) - 1;
  for (let i = from; i < most; i++) {
    if (chunk[i] !== LF || chunk[i + 1] !== LF) continue;
    const head = heads.get(chunk.toString('latin1', from, i + 2));
    if (head === undefined) return from;
    parser.command = 'SEND';
    parser.headers = head.headers;
    parser.headBytes = head.bytes;
    parser.bodyBytes = head.bodyBytes;
    parser.phase = BODY;
    return i + 2;
  }
  return from;
}

/** Keeps the head that was just read in full. One with a receipt or in a transaction hardly ever comes again. */
function remember(parser: StompParser, chunk: Buffer, from: number, end: number): void {
  const { command, headers, heads, version } = parser;
  if (command !== 'SEND' || heads === null || version === null || end - from > KEPT_HEAD_BYTES) return;
  if (headers!['receipt'] !== undefined || headers!['transaction'] !== undefined) return;
  if (heads[version].size >= HEADS_KEPT) heads[version].clear();
  heads[version].set(chunk.toString('latin1', from, end), {
    headers: Object.freeze(headers!),
    bytes: parser.headBytes,
    bodyBytes: parser.bodyBytes,
  });
}

/** Reads up to the end of the line or of the chunk. Returns where to go on. */
function readLine(parser: StompParser, chunk: Buffer, from: number): number {
  const limit = parser.phase === COMMAND ? parser.limits.commandBytes : parser.limits.headerLineBytes;
  const lineEnd = chunk.indexOf(LF, from);
  const end = lineEnd < 0 ? chunk.length : lineEnd;
  // NUL ends a frame, so a head that contains one is incomplete; reported at once, not when a line feed comes at last.
  const nul = chunk.subarray(from, end).indexOf(0);
  const length = parser.partialLength + (nul < 0 ? end - from : nul + 1);
  // One byte more than the limit: the CR of a CR LF.
  if (length > limit + 1)
    throw tooLarge(parser.phase === COMMAND ? 'the command is too long' : 'a header line is too long');
  if (parser.headBytes + length > parser.limits.headBytes) throw tooLarge('the headers are too large');
  if (nul >= 0) throw malformed('the frame ends before the blank line after its headers');
  if (lineEnd < 0) {
    keep(parser, chunk, from, end);
    return end;
  }
  if (parser.partialLength > 0) {
    keep(parser, chunk, from, end);
    const line = parser.partial!.subarray(0, parser.partialLength);
    parser.partial = null;
    parser.partialLength = 0;
    takeLine(parser, line, 0, line.length, limit);
  } else {
    takeLine(parser, chunk, from, end, limit);
  }
  parser.headBytes += length + 1;
  return lineEnd + 1;
}

function takeLine(parser: StompParser, bytes: Buffer, from: number, lineEnd: number, limit: number): void {
  const version = parser.version;
  let end = lineEnd;
  if (end > from && bytes[end - 1] === CR && (version === null || version === '1.2')) end--;
  if (end - from > limit)
    throw tooLarge(parser.phase === COMMAND ? 'the command is too long' : 'a header line is too long');

  let ascii = true;
  let escaped = false;
  let colon = -1;
  for (let i = from; i < end; i++) {
    const byte = bytes[i]!;
    if (byte >= 0x80) ascii = false;
    else if (byte === COLON) {
      if (colon < 0) colon = i;
    } else if (byte === BACKSLASH) escaped = true;
    else if (byte === CR && version === '1.2') throw malformed('a carriage return stands inside a line');
  }

  if (parser.phase === COMMAND) {
    const command =
      version === '1.0' ? bytes.toString('latin1', from, end).trim() : bytes.toString('latin1', from, end);
    if (!/^[A-Z]+$/.test(command)) throw malformed('the command is not a word of capital letters');
    parser.command = command;
    parser.headers = Object.create(null) as StompHeaders;
    parser.phase = HEADER;
    return;
  }

  if (!ascii && !isUtf8(bytes.subarray(from, end))) throw malformed('a header is not UTF-8');
  const text = (start: number, stop: number) =>
    ascii ? bytes.toString('latin1', start, stop) : bytes.toString('utf8', start, stop);
  if (end === from || (version === '1.0' && text(from, end).trim() === '')) {
    endHead(parser);
    return;
  }
  if (++parser.headerCount > parser.limits.headerCount) throw tooLarge('there are too many headers');
  if (colon < 0) throw malformed('a header line has no colon');
  let name = text(from, colon);
  let value = text(colon + 1, end);
  if (version === '1.0') {
    name = name.trim();
    value = value.trim();
  } else if (escaped && (version === '1.1' || version === '1.2') && !neverEscaped(parser.command)) {
    name = unescapeHeader(name, version);
    value = unescapeHeader(value, version);
  }
  if (name === '') throw malformed('a header has no name');
  const headers = parser.headers as Record<string, string | undefined>;
  if (headers[name] === undefined) headers[name] = value;
}

function endHead(parser: StompParser): void {
  let headers = parser.headers!;
  // Before CONNECT has settled the version: no accept-version means 1.0, whose clients may pad.
  if (parser.version === null && headers['accept-version'] === undefined) {
    const trimmed = Object.create(null) as Record<string, string | undefined>;
    for (const name of Object.keys(headers)) trimmed[name.trim()] ??= headers[name]!.trim();
    parser.headers = headers = trimmed;
  }
  const length = headers['content-length'];
  const room = Math.min(parser.limits.bodyBytes, parser.limits.frameBytes - parser.headBytes);
  if (room < 0) throw tooLarge('the frame is too large');
  if (length === undefined) parser.bodyBytes = -1;
  else {
    if (!/^\d{1,15}$/.test(length)) throw malformed('content-length is not a number of octets');
    parser.bodyBytes = Number(length);
    if (parser.bodyBytes > room) throw tooLarge('the body is too large');
  }
  parser.phase = BODY;
}

let finishedBody: Buffer = NOTHING;

/** Reads the body up to and including its NUL. Returns where to go on, or -1 if the chunk ended before. */
function readBody(parser: StompParser, chunk: Buffer, from: number): number {
  const known = parser.bodyBytes >= 0;
  const room = known
    ? parser.bodyBytes
    : Math.min(parser.limits.bodyBytes, parser.limits.frameBytes - parser.headBytes);
  let end: number;
  if (known) {
    end = from + parser.bodyBytes - parser.partialLength;
    if (end >= chunk.length) {
      keep(parser, chunk, from, chunk.length);
      return -1;
    }
    if (chunk[end] !== 0) throw malformed('the body is not followed by NUL where content-length says it ends');
  } else {
    end = chunk.indexOf(0, from);
    const length = parser.partialLength + (end < 0 ? chunk.length : end) - from;
    if (length > room) throw tooLarge('the body is too large');
    if (end < 0) {
      keep(parser, chunk, from, chunk.length);
      return -1;
    }
  }
  if (parser.partialLength > 0) {
    keep(parser, chunk, from, end);
    finishedBody = parser.partial!.subarray(0, parser.partialLength);
  } else {
    finishedBody = chunk.subarray(from, end);
  }
  return end + 1;
}

function finish(parser: StompParser): StompFrame {
  const frame: StompFrame = { command: parser.command, headers: parser.headers!, body: finishedBody };
  finishedBody = NOTHING;
  parser.phase = BETWEEN;
  parser.command = '';
  parser.headers = null;
  parser.headerCount = 0;
  parser.headBytes = 0;
  parser.bodyBytes = -1;
  parser.partial = null;
  parser.partialLength = 0;
  return frame;
}

/**
 * Copies the received part of an unfinished line or body. Grows with what arrives, never with what content-length
 * claims.
 */
function keep(parser: StompParser, chunk: Buffer, from: number, end: number): void {
  const needed = parser.partialLength + end - from;
  if (needed === 0) return;
  if (parser.partial === null || parser.partial.length < needed) {
    const larger = Buffer.allocUnsafeSlow(Math.max(64, needed, parser.partialLength * 2));
    if (parser.partial !== null) parser.partial.copy(larger, 0, 0, parser.partialLength);
    parser.partial = larger;
  }
  chunk.copy(parser.partial, parser.partialLength, from, end);
  parser.partialLength = needed;
}

const neverEscaped = (command: string) => command === 'CONNECT' || command === 'CONNECTED' || command === 'STOMP';

function unescapeHeader(text: string, version: '1.1' | '1.2'): string {
  let at = text.indexOf('\\');
  if (at < 0) return text;
  let plain = '';
  let from = 0;
  while (at >= 0) {
    const next = text[at + 1];
    plain += text.slice(from, at);
    if (next === 'n') plain += '\n';
    else if (next === 'c') plain += ':';
    else if (next === '\\') plain += '\\';
    else if (next === 'r' && version === '1.2') plain += '\r';
    else throw malformed('a header has an unknown escape sequence');
    from = at + 2;
    at = text.indexOf('\\', from);
  }
  return plain + text.slice(from);
}

/**
 * Escapes a header name or value for a version. Characters that a version cannot carry (line ends in 1.0 and in
 * CONNECTED, NUL in all) become spaces, so that no value can ever end a line or a frame.
 */
function escapeHeader(text: string, version: StompVersion, command: string): string {
  // eslint-disable-next-line no-control-regex
  if (!/[\\\n\r:\0]/.test(text)) return text;
  const safe = text.replaceAll('\0', ' ');
  if (version === '1.0' || neverEscaped(command)) return safe.replace(/[\r\n]/g, ' ');
  const common = safe.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll(':', '\\c');
  return version === '1.2' ? common.replaceAll('\r', '\\r') : common;
}

/**
 * Command and headers with the blank line, ready for the body.
 * @param bodyBytes length for content-length; null leaves the header out (a frame without body).
 */
export function stompHead(
  command: string,
  headers: Readonly<Record<string, string | undefined>>,
  version: StompVersion,
  bodyBytes: number | null,
): string {
  let head = `${command}\n`;
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || name === 'content-length') continue;
    const key = escapeHeader(name, version, command);
    // 1.0 and CONNECTED know no escape for a colon: in a name it would shift the border to the value.
    head += `${version === '1.0' || neverEscaped(command) ? key.replaceAll(':', ' ') : key}:${escapeHeader(value, version, command)}\n`;
  }
  return bodyBytes === null ? `${head}\n` : `${head}content-length:${bodyBytes}\n\n`;
}
