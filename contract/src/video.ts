/**
 * Video and audio in the room. Media and its negotiation use `/video` in the Janus protocol (videoroom plugin,
 * multistream), see `docs/video.md`. What everybody in the room has to know goes over STOMP (`realtime.ts`); the
 * therapist's acts are calls. Rules: docs/product.md#10.
 *
 * Messages
 *   SEND /app/video.line    NetworkQualityMessage   the quality of one's own network
 *   SEND /app/video.key     VideoKeyMessage         passed on to one person, never kept
 *
 * Invariants
 *  1. A ticket is given to members of a room whose live session runs, opens one Janus session once, and becomes void
 *     when the membership ends.
 *  2. The server alone decides room number, participant id (the person's id), display name, bitrate, number of
 *     publishers and secrets. What a program sends in their place is ignored or refused.
 *  3. One person publishes once: a join with a newer ticket replaces the older connection.
 *  4. With `clientsVisible: false` no client receives another client's video, whatever it asks for. Audio is not
 *     affected.
 *  5. Somebody whom the therapist muted is heard again only by an act of their own. Nobody's microphone or camera is
 *     opened by somebody else.
 *  6. VIDEO_STATE is the complete state each time; the last one counts. It goes to the room, and to a connection that
 *     subscribes to it.
 *  7. The stage is the therapist's, and ends with the live session. While there is one, with `stageOnly: true` no
 *     client receives the video of a client who is not on it, whatever it asks for. Audio is not affected, and the
 *     therapist sees everybody. Nobody is shown to more people because somebody left the stage.
 *  8. Encryption keys pass through the server encrypted for one person. The server keeps none.
 */
import * as z from 'zod/mini';
import { SEATS } from './clients.ts';
import { endpoint } from './http.ts';
import { messagesTo } from './realtime.ts';
import { id } from './text.ts';

/** Where browsers and other programs speak the Janus protocol (subprotocol `janus-protocol`). */
export const VIDEO_PATH = '/video';
export const VIDEO_PLUGIN = 'janus.plugin.videoroom';
/** A ticket opens one Janus session, once, within this time. Real time, not product time. */
export const TICKET_SECONDS = 60;
/**
 * START_VIDEO is sent once for each offer. A therapist whose video is back within this time, because a connection was
 * lost or they published again, continues the same offer. One who leaves the video and starts it again makes another
 * offer.
 */
export const OFFER_KEPT_SECONDS = 15;
/** Publishers in a room, the therapist among them. */
export const VIDEO_PEOPLE_MAX = 25;
/** Tiles on one page of the grid. */
export const TILES_A_PAGE = 12;
/**
 * How many people's audio is forwarded at once, besides the therapist's, which always is. Nobody understands more than
 * four people at once, and each of them costs everybody bandwidth.
 */
export const LOUDEST_VOICES = 3;
/** Maximum seconds between key frames, and the two thresholds for talking (docs/product.md#10.6). */
export const KEYFRAME_SECONDS = 10;
export const TALKING_LEVEL = 50;
export const TALKING_PACKETS = 100;

/** Bits per second (docs/product.md#10.5). */
export const BITRATE = {
  therapist: 200_000,
  alone: 200_000,
  firefoxAlone: 150_000,
  firefoxAmongSeveral: 75_000,
  other: 100_000,
  selected: 200_000,
  highQuality: 1_200_000,
} as const;

interface Publishing {
  as: 'therapist' | 'client';
  /** The page reports it when it asks for the ticket. */
  firefox: boolean;
  /** The client whom the therapist selected. */
  selected: boolean;
  /** Clients who take part in the video, this one among them. */
  clients: number;
  /** The room's switch. */
  highQuality: boolean;
}

/**
 * How many bits per second somebody's video and audio may take: the cap that the server enforces by REMB.
 * Rule: docs/product.md#10.5.
 */
export function bitrateOf({ as, firefox, selected, clients, highQuality }: Publishing): number {
  if (highQuality) return BITRATE.highQuality;
  if (as === 'therapist') return BITRATE.therapist;
  if (selected) return BITRATE.selected;
  if (firefox) return clients > 1 ? BITRATE.firefoxAmongSeveral : BITRATE.firefoxAlone;
  return clients > 1 ? BITRATE.other : BITRATE.alone;
}

/** What others see as `display` on the video connection. It marks the therapist (docs/product.md#1.5). */
export function displayName(person: { as: 'therapist' | 'client'; id: number }): string {
  return person.as === 'therapist' ? `${person.id}@therapist` : String(person.id);
}
/** Returns whom a display name belongs to; null when `displayName` did not make it. */
export function personOfDisplay(display: string): { as: 'therapist' | 'client'; id: number } | null {
  const match = /^([1-9]\d{0,15})(@therapist)?$/.exec(display);
  return match ? { as: match[2] === undefined ? 'client' : 'therapist', id: Number(match[1]) } : null;
}

/** The quality of somebody's network, as their own browser measures it. On the wire its field is called `line`. */
const NETWORK_QUALITIES = ['good', 'weak', 'poor'] as const;
export type NetworkQuality = (typeof NETWORK_QUALITIES)[number];

export const videoSettings = z.strictObject({
  /** False: clients receive no video but the therapist's (`setVideoVisible`). */
  clientsVisible: z.boolean(),
  /** While there is a stage, clients receive no video of the clients who are not on it. */
  stageOnly: z.boolean(),
  /** Raises the cap, so that there are bits for the upper simulcast layers. */
  highQuality: z.boolean(),
  /** Audio and video are encrypted from browser to browser. */
  encrypted: z.boolean(),
});
export type VideoSettings = z.infer<typeof videoSettings>;
export const DEFAULT_VIDEO_SETTINGS: VideoSettings = {
  clientsVisible: true,
  stageOnly: false,
  highQuality: false,
  encrypted: false,
};

/** Somebody who takes part in the video, also those who only watch. */
export interface VideoPerson {
  id: number;
  /** Whether others can receive their audio, their video. */
  audio: boolean;
  video: boolean;
  /** The therapist muted this person, and they have not unmuted themselves since. */
  mutedByTherapist: boolean;
  line: NetworkQuality;
}

export interface VideoState {
  /** The therapist is publishing. */
  running: boolean;
  settings: VideoSettings;
  /**
   * Clients whom the therapist put on stage, in the order they came to the room; null while there is no stage. Somebody
   * who leaves the room leaves the stage, too. The stage remains, even with nobody on it.
   */
  stage: readonly number[] | null;
  /** Everybody who takes part; other programs know the field by this name. */
  faces: VideoPerson[];
}

export const iceServer = z.strictObject({
  urls: z.array(z.string()),
  username: z.optional(z.string()),
  credential: z.optional(z.string()),
});
export type IceServer = z.infer<typeof iceServer>;

export const getVideoTicket = endpoint({
  method: 'POST',
  path: '/api/room/video-ticket',
  access: 'roomMember',
  summary: 'A one-use ticket for the video connection, with the ICE servers to use',
  body: z.strictObject({ firefox: z._default(z.boolean(), false) }),
  reply: z.strictObject({
    ticket: z.string(),
    expiresInSeconds: z.int(),
    /** The room number to name on the video connection: the therapist's id. */
    room: id,
    iceServers: z.array(iceServer),
    /** Bits per second this person may send for now. */
    bitrate: z.int(),
    settings: videoSettings,
  }),
  problems: ['no_live_session', 'video_unavailable', 'too_many_requests'],
});
export const setVideoSettings = endpoint({
  method: 'POST',
  path: '/api/room/video',
  access: 'therapist',
  summary: 'Sets who is seen, high quality, and encryption from end to end',
  body: z.partial(videoSettings),
  reply: videoSettings,
});
export const setStage = endpoint({
  method: 'POST',
  path: '/api/room/video/stage',
  access: 'therapist',
  summary: 'Puts these clients on stage and no others, or those with a role; null ends the stage',
  body: z.strictObject({
    clientIds: z.nullable(z.union([z.literal('withRole'), z.array(id).check(z.maxLength(SEATS, 'too_long'))])),
  }),
  /** The clients on stage now: those of the list who are in the room. */
  reply: z.strictObject({ stage: z.nullable(z.array(id)) }),
  problems: ['no_live_session', 'not_found'],
});
export const muteClients = endpoint({
  method: 'POST',
  path: '/api/room/video/mute',
  access: 'therapist',
  summary: 'Mutes some or all clients; only they can unmute themselves',
  body: z.strictObject({
    clientIds: z.union([z.literal('all'), z.array(id).check(z.minLength(1, 'required'), z.maxLength(24, 'too_long'))]),
  }),
  problems: ['video_unavailable'],
});
export const askToUnmute = endpoint({
  method: 'POST',
  path: '/api/room/video/ask',
  access: 'therapist',
  summary: 'Asks a client to unmute',
  body: z.strictObject({ clientId: id }),
  problems: ['not_found'],
});
export const raiseHand = endpoint({
  method: 'POST',
  path: '/api/room/hand',
  access: 'roomMember',
  summary: 'Raises or lowers one’s own hand; the therapist lowers others’',
  body: z.strictObject({ raised: z.boolean(), clientId: z.optional(id) }),
  problems: ['not_found', 'forbidden'],
});

// ---- over STOMP

export const VIDEO_SEND = { networkQuality: '/app/video.line', key: '/app/video.key' } as const;

declare module './realtime.ts' {
  interface PlainChanges {
    /** The therapist has begun to publish: offer to join. */
    START_VIDEO: { userId: number };
    VIDEO_STATE: VideoState;
    /** Who is talking now; volatile. */
    TALKING: { ids: number[] };
    /** To one client: the therapist muted them, or asks them to unmute. */
    VIDEO_ASK: { ask: 'muted' | 'unmute' };
    /** To one person: see VideoKeyMessage. */
    VIDEO_KEY: Omit<VideoKeyMessage, 'to'> & { from: number };
  }
}

/** The quality of one's own network, sent when it changes. */
export const networkQualityMessage = z.strictObject({ line: z.enum(NETWORK_QUALITIES) });

const base64url = (max: number) =>
  z.string().check(z.minLength(1, 'required'), z.maxLength(max, 'too_long'), z.regex(/^[\w-]+$/, 'invalid_format'));
/**
 * Passes the room's key on. A client sends its public key (P-256, raw, base64url) to the therapist. The therapist's
 * browser answers with its own public key and the room key, encrypted with both (ECDH, HKDF-SHA-256, AES-GCM) as
 * `sealed`. `to`: the therapist (from clients) or one client.
 */
export const videoKeyMessage = z.strictObject({
  to: id,
  publicKey: base64url(128),
  sealed: z.optional(base64url(256)),
  generation: z.optional(z.int().check(z.nonnegative(), z.maximum(1_000_000))),
});
export type VideoKeyMessage = z.infer<typeof videoKeyMessage>;

export const SENT_MESSAGES = messagesTo(VIDEO_SEND, { networkQuality: networkQualityMessage, key: videoKeyMessage });
