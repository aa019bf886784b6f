/**
 * Faces and voices in the room. Media and its negotiation go over `/video` in the Janus protocol (videoroom plugin, multistream),
 * see `docs/video.md`; what all of the room have to know goes over STOMP (`realtime.ts`), and the therapist's acts are calls.
 * Specification 2.4, 4.8, 6, 7.7, 9; PRODUCT 10.
 *
 * Invariants
 *  1. A ticket is given to members of a room whose live session runs, opens one Janus session once, and dies with the membership.
 *  2. Room number, participant id (the person's id), display name, bitrate, number of publishers and secrets are the server's alone;
 *     what a program sends in their place is ignored or refused.
 *  3. One person publishes once: a newer ticket's join takes the place of the older line.
 *  4. `clientsVisible: false` means that no client receives another client's picture, whatever it asks for; voices go on.
 *  5. Who was muted by the therapist is heard again only by an act of their own; nobody's microphone or camera is opened from afar.
 *  6. VIDEO_STATE is the whole truth each time; the last one counts. It goes to the room, and to a connection that subscribes to it.
 *  7. Keys of encryption pass the server sealed for one person; the server keeps none.
 */
import { z } from 'zod';
import { endpoint } from './http.ts';
import { id } from './text.ts';
import { LINES, type VideoLine } from './video.rules.ts';

export * from './video.rules.ts';

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
  username: z.string().optional(),
  credential: z.string().optional(),
});
export type IceServer = z.infer<typeof iceServer>;

export const getVideoTicket = endpoint({
  method: 'POST',
  path: '/api/room/video-ticket',
  access: 'members of the room',
  summary: 'A one-use ticket for the video line, with the ICE servers to use',
  body: z.strictObject({ firefox: z.boolean().default(false) }),
  reply: z.strictObject({
    ticket: z.string(),
    expiresInSeconds: z.number().int(),
    /** The room number to name on the video line: the therapist's id. */
    room: id,
    iceServers: z.array(iceServer),
    /** Bits per second this person may send for now. */
    bitrate: z.number().int(),
    settings: videoSettings,
  }),
  problems: ['no_live_session', 'video_unavailable', 'too_many_requests'],
});
export const setVideoSettings = endpoint({
  method: 'POST',
  path: '/api/room/video',
  access: 'therapist',
  summary: 'Sets who is seen, high quality, and encryption from end to end',
  body: videoSettings.partial(),
  reply: videoSettings,
});
export const muteClients = endpoint({
  method: 'POST',
  path: '/api/room/video/mute',
  access: 'therapist',
  summary: 'Mutes some or all clients; only they can unmute themselves',
  body: z.strictObject({ clientIds: z.union([z.literal('all'), z.array(id).min(1, 'required').max(24, 'too_long')]) }),
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
  access: 'members of the room',
  summary: 'Raises or lowers one’s own hand; the therapist lowers others’',
  body: z.strictObject({ raised: z.boolean(), clientId: id.optional() }),
  problems: ['not_found', 'forbidden'],
});

// ---- over STOMP

/** How one's own line carries, sent when it changes. */
export const videoLineMessage = z.strictObject({ line: z.enum(LINES) });
export type VideoLineMessage = z.infer<typeof videoLineMessage>;

const base64url = (max: number) =>
  z
    .string()
    .min(1, 'required')
    .max(max, 'too_long')
    .regex(/^[\w-]+$/, 'invalid_format');
/**
 * The hand-over of the room's key: a client shows its public key (P-256, raw, base64url) to the therapist, whose browser answers
 * with its own public key and the room key sealed by both (ECDH, HKDF-SHA-256, AES-GCM). To: the therapist (from clients) or one client.
 */
export const videoKeyMessage = z.strictObject({
  to: id,
  publicKey: base64url(128),
  sealed: base64url(256).optional(),
  generation: z.number().int().nonnegative().max(1_000_000).optional(),
});
export type VideoKeyMessage = z.infer<typeof videoKeyMessage>;
