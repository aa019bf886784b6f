/**
 * Faces and voices in the room. Media and its negotiation go over `/video` in the Janus protocol (videoroom plugin,
 * multistream), see `docs/video.md`; what all of the room have to know goes over STOMP (`realtime.ts`), and the
 * therapist's acts are calls.
 * Rules: docs/product.md#10.
 *
 * Messages
 *   SEND /app/video.line    VideoLineMessage   how one's own video connection carries
 *   SEND /app/video.key     VideoKeyMessage    passed on to one person, never kept
 *
 * Invariants
 *  1. A ticket is given to members of a room whose live session runs, opens one Janus session once, and dies with the
 *  membership.
 *  2. Room number, participant id (the person's id), display name, bitrate, number of publishers and secrets are the
 *  server's alone;
 *     what a program sends in their place is ignored or refused.
 *  3. One person publishes once: a newer ticket's join takes the place of the older line.
 *  4. `clientsVisible: false` means that no client receives another client's picture, whatever it asks for; voices go
 *  on.
 *  5. Who was muted by the therapist is heard again only by an act of their own; nobody's microphone or camera is
 *  opened from afar.
 *  6. VIDEO_STATE is the whole truth each time; the last one counts. It goes to the room, and to a connection that
 *  subscribes to it.
 *  7. Keys of encryption pass the server sealed for one person; the server keeps none.
 */
import * as z from 'zod/mini';
import { endpoint } from './http.ts';
import { id } from './text.ts';

/** Where browsers and foreign programs speak the Janus protocol (subprotocol `janus-protocol`). */
export const VIDEO_PATH = '/video';
export const VIDEO_PLUGIN = 'janus.plugin.videoroom';
/** A ticket opens one Janus session, once, within this time (product time is not meant: seconds of the machine). */
export const TICKET_SECONDS = 60;
/**
 * START_VIDEO is sent once an offer. A therapist whose picture is back within this time, because a connection was lost
 * or the picture offered anew, goes on with the same offer; who leaves the video and starts it again makes another one.
 */
export const OFFER_KEPT_SECONDS = 15;
/** Publishers in a room, the therapist among them. */
export const VIDEO_PEOPLE_MAX = 25;
/** Tiles a page of the grid. */
export const TILES_A_PAGE = 12;
/**
 * Voices heard at once beside the therapist's, which always is: more than four people at once nobody understands, and
 * each costs everybody's line.
 */
export const LOUDEST_VOICES = 3;
/** Seconds between key frames at most, and the two numbers by which talking is told (docs/product.md#10.6). */
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

export interface Publishing {
  as: 'therapist' | 'client';
  /** Told at join. */
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

/** What others see of one as `display` on the video line; the therapist's is told apart by it (docs/product.md#1.5). */
export function displayName(person: { as: 'therapist' | 'client'; id: number }): string {
  return person.as === 'therapist' ? `${person.id}@therapist` : String(person.id);
}
/** Whose picture a display name belongs to; null when nobody of ours made it. */
export function personOfDisplay(display: string): { as: 'therapist' | 'client'; id: number } | null {
  const match = /^([1-9]\d{0,15})(@therapist)?$/.exec(display);
  return match ? { as: match[2] === undefined ? 'client' : 'therapist', id: Number(match[1]) } : null;
}

/** How somebody's line carries; told by the person's own browser. */
export const LINES = ['good', 'weak', 'poor'] as const;
export type VideoLine = (typeof LINES)[number];

export const videoSettings = z.strictObject({
  /** False: every client sees the therapist's picture alone (`setVideoVisible`). */
  clientsVisible: z.boolean(),
  /** Lifts the cap so that the upper simulcast layers live. */
  highQuality: z.boolean(),
  /** Sound and picture are sealed from browser to browser. */
  encrypted: z.boolean(),
});
export type VideoSettings = z.infer<typeof videoSettings>;

/** Somebody who takes part in the video, also those who only watch. */
export interface VideoFace {
  id: number;
  /** Whether voice and picture are sent; a muted person sends no voice. */
  audio: boolean;
  video: boolean;
  /** The therapist muted this person, and they have not spoken up since. */
  mutedByTherapist: boolean;
  line: VideoLine;
}

export interface VideoState {
  /** The therapist is publishing. */
  running: boolean;
  settings: VideoSettings;
  faces: VideoFace[];
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
  summary: 'A one-use ticket for the video line, with the ICE servers to use',
  body: z.strictObject({ firefox: z._default(z.boolean(), false) }),
  reply: z.strictObject({
    ticket: z.string(),
    expiresInSeconds: z.int(),
    /** The room number to name on the video line: the therapist's id. */
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
export const muteClients = endpoint({
  method: 'POST',
  path: '/api/room/video/mute',
  access: 'therapist',
  summary: 'Mutes some or all clients; only they can unmute themselves',
  body: z.strictObject({
    clientIds: z.union([z.literal('all'), z.array(id).check(z.minLength(1, 'required'), z.maxLength(24, 'too_long'))]),
  }),
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

export const VIDEO_SEND = { line: '/app/video.line', key: '/app/video.key' } as const;

declare module './realtime.ts' {
  interface PlainChanges {
    /** The therapist has begun to publish: offer to join. */
    START_VIDEO: { userId: number };
    VIDEO_STATE: VideoState;
    /** Whose voice is heard right now; volatile. */
    TALKING: { ids: number[] };
    /** To one client: the therapist muted it, or asks it to speak up. */
    VIDEO_ASK: { ask: 'muted' | 'unmute' };
    /** To one person: see VideoKeyMessage. */
    VIDEO_KEY: Omit<VideoKeyMessage, 'to'> & { from: number };
  }
}

/** How one's own line carries, sent when it changes. */
export const videoLineMessage = z.strictObject({ line: z.enum(LINES) });
export type VideoLineMessage = z.infer<typeof videoLineMessage>;

const base64url = (max: number) =>
  z.string().check(z.minLength(1, 'required'), z.maxLength(max, 'too_long'), z.regex(/^[\w-]+$/, 'invalid_format'));
/**
 * The hand-over of the room's key: a client shows its public key (P-256, raw, base64url) to the therapist, whose
 * browser answers with its own public key and the room key sealed by both (ECDH, HKDF-SHA-256, AES-GCM). To: the
 * therapist (from clients) or one client.
 */
export const videoKeyMessage = z.strictObject({
  to: id,
  publicKey: base64url(128),
  sealed: z.optional(base64url(256)),
  generation: z.optional(z.int().check(z.nonnegative(), z.maximum(1_000_000))),
});
export type VideoKeyMessage = z.infer<typeof videoKeyMessage>;
