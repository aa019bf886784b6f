/**
 * The Janus WebSocket protocol as the gateway speaks it: error numbers, messages in, and messages out. Source:
 * Janus 1.x documentation, "JavaScript API", "WebSockets interface" and "VideoRoom plugin".
 */
import { z } from 'zod';
import { VIDEO_PLUGIN } from '@fieldroom/contract/video';
import type { PluginBody } from '../janus/janus.videoroom.ts';
import { type Jsep, REFUSAL, type TrickledCandidate } from '../video.types.ts';

/** Errors of the protocol itself. */
export const JANUS = {
  unauthorized: 403,
  unknown: 490,
  missingRequest: 452,
  unknownRequest: 453,
  notJson: 454,
  notObject: 455,
  missingElement: 456,
  noSession: 458,
  noHandle: 459,
  noPlugin: 460,
  attach: 461,
  message: 462,
  badSdp: 465,
  badTrickle: 466,
  badElement: 467,
  sessionConflict: 468,
} as const;

/** The protocol refuses a message; the sender gets `{janus: 'error'}`. */
export class JanusRefusal extends Error {
  readonly code: number;
  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** The plugin refuses a request; the sender gets data with `error_code`. */
export class RoomRefusal extends JanusRefusal {}

/** Verbs the gateway knows; everything else is refused and changes nothing. */
export const VERBS = [
  'info',
  'ping',
  'create',
  'attach',
  'keepalive',
  'message',
  'trickle',
  'hangup',
  'detach',
  'destroy',
] as const;

const outerId = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

const jsep = z.object({
  type: z.enum(['offer', 'answer']),
  sdp: z.string().min(1),
  e2ee: z.boolean().optional(),
  /** How the layers of a simulcast offer are ordered: highest first or lowest first. */
  rid_order: z.enum(['hml', 'lmh']).optional(),
});

const candidate = z.object({
  candidate: z.string().max(1024).optional(),
  sdpMid: z.string().max(64).nullish(),
  sdpMLineIndex: z.number().int().min(0).max(255).nullish(),
  completed: z.literal(true).optional(),
});

/**
 * The envelope. Fields not listed here (`apisecret`, `admin_secret`, `loop_index`, `min_port`, `handle` settings …) are
 * dropped.
 */
export const envelope = z.object({
  janus: z.string().max(32),
  transaction: z.string().min(1).max(64),
  token: z.string().max(512).optional(),
  session_id: outerId.optional(),
  handle_id: outerId.optional(),
  plugin: z.string().max(64).optional(),
  opaque_id: z.string().max(256).optional(),
  body: z.record(z.string(), z.unknown()).optional(),
  jsep: jsep.optional(),
  // null, as in browsers' own last event: no more candidates.
  candidate: candidate.nullish(),
  candidates: z.array(candidate.nullable()).max(64).optional(),
});
export type Envelope = z.infer<typeof envelope>;

/**
 * Reads the candidates of a trickle message; null is the last one. `.local` names are dropped: only the browser's own
 * network could resolve them, and the engine learns the address from the first packet.
 */
export function candidatesOf({
  candidate: one,
  candidates,
}: Pick<Envelope, 'candidate' | 'candidates'>): (TrickledCandidate | null)[] {
  const given = candidates ?? (one === undefined ? [] : [one]);
  if (given.length === 0)
    throw new JanusRefusal(JANUS.missingElement, 'Missing mandatory element (candidate|candidates)');
  return given.flatMap((entry) => {
    if (entry === null) return [null];
    const { candidate: line, sdpMid, sdpMLineIndex, completed } = entry;
    if (completed || line === undefined || line === '') return [null];
    if (!/^(?:a=)?candidate:[\x20-\x7e]+$/.test(line)) throw new JanusRefusal(JANUS.badTrickle, 'Invalid candidate');
    if (/\s[\w-]+\.local\s/i.test(line)) return [];
    return [
      {
        candidate: line.replace(/^a=/, ''),
        ...(sdpMid == null ? {} : { sdpMid }),
        ...(sdpMLineIndex == null ? {} : { sdpMLineIndex }),
      },
    ];
  });
}

/** Wraps data of the plugin for sending. */
export const plugindata = (data: PluginBody) => ({ plugin: VIDEO_PLUGIN, data });

/** Maximum bytes of an SDP: a room of 25 in one connection takes about 80 kB. */
export const SDP_BYTES = 256 * 1024;
/** Maximum m-lines: what 25 people send, twice over for m-lines that came and went. A publisher needs two. */
const MEDIA_LINES = { subscriber: 160, publisher: 8 } as const;
const SDP_LINE = 8 * 1024;

/** Refuses what is no session description, as Janus does before its plugin sees it. Throws JanusRefusal 465. */
export function checkSdp({ sdp }: Pick<Jsep, 'sdp'>): void {
  const refuse = (why: string): never => {
    throw new JanusRefusal(JANUS.badSdp, `Invalid SDP: ${why}`);
  };
  if (Buffer.byteLength(sdp) > SDP_BYTES) refuse('too long');
  if (!sdp.startsWith('v=0')) refuse('no session');
  const lines = sdp.split(/\r?\n/);
  if (lines.some((line) => line.length > SDP_LINE)) refuse('a line is too long');
  // oxlint-disable-next-line no-control-regex -- that is what is looked for
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(sdp)) refuse('control characters');
}

/** Refuses descriptions with more media than a room can have. Throws RoomRefusal 437. */
export function checkMediaLines({ sdp }: Pick<Jsep, 'sdp'>, who: keyof typeof MEDIA_LINES): void {
  if (sdp.split(/\r?\nm=/).length - 1 > MEDIA_LINES[who])
    throw new RoomRefusal(REFUSAL.invalidSdp, 'Invalid SDP: too many media lines');
}

/** What anyone may ask about this server, as with Janus; versions stay private. */
export const SERVER_INFO = {
  janus: 'server_info',
  name: 'Fieldroom',
  plugins: { [VIDEO_PLUGIN]: { name: 'Fieldroom videoroom' } },
  transports: {},
} as const;
