/** Settings of audio and video: the embedded engine, Janus servers instead of it, and TURN servers. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { address, isLoopback, list, sharedSecret, whole, type Read } from './values.ts';

export interface VideoConfig {
  readonly video: {
    /** UDP ports of the embedded engine, both ends included. */
    readonly ports: { readonly first: number; readonly last: number };
    /** Addresses to which browsers send; empty: those of the host. */
    readonly addresses: readonly string[];
    /** Threads that carry rooms; null: as many as there are cores. */
    readonly workers: number | null;
  };
  /**
   * Janus servers that carry audio and video; empty for the embedded engine. The secret is Janus' `api_secret`, the key
   * the videoroom plugin's `admin_key`.
   */
  readonly janus: {
    readonly urls: readonly string[];
    readonly secret: string | null;
    readonly adminKey: string | null;
  };
  readonly turn: { readonly urls: readonly string[]; readonly secret: string } | null;
}

/** One person needs two: one to send, one to receive. */
const VIDEO_PORTS_LEAST = 50;

export const videoSettings = {
  VIDEO_PORTS: z
    .string()
    .transform((text, context) => {
      const [first, last] = /^\d{1,5}-\d{1,5}$/.test(text) ? text.split('-').map(Number) : [];
      if (
        first !== undefined &&
        last !== undefined &&
        first >= 1024 &&
        last <= 65_535 &&
        last - first >= VIDEO_PORTS_LEAST - 1
      )
        return { first, last };
      context.addIssue({
        code: 'custom',
        message: `has to be a range of at least ${VIDEO_PORTS_LEAST} ports from 1024 to 65535, such as 40000-40999`,
      });
      return z.NEVER;
    })
    .optional(),
  VIDEO_ADDRESS: z
    .string()
    .transform(list)
    .pipe(
      z.array(z.string().refine((text) => isIP(text) !== 0, 'has to be one IP address or several, comma separated')),
    )
    .optional(),
  VIDEO_WORKERS: whole(1, 64).optional(),
  JANUS_URL: z
    .string()
    .transform(list)
    .pipe(z.array(address(['ws:', 'wss:'], 'wss://janus.example.org/janus')))
    .optional(),
  JANUS_SECRET: sharedSecret.optional(),
  JANUS_ADMIN_KEY: sharedSecret.optional(),
  TURN_URL: z
    .string()
    .transform(list)
    .pipe(z.array(z.string().regex(/^turns?:[^\s]+$/, 'has to be an address such as turn:turn.example.org:3478')))
    .optional(),
  TURN_SECRET: z.string().optional(),
};

type VideoRead = Read<typeof videoSettings>;

/** Returns a line for each of these settings that needs another one, which is missing. */
export function videoFaults(read: VideoRead): string[] {
  const faults: string[] = [];
  if ((read.TURN_URL === undefined) !== (read.TURN_SECRET === undefined))
    faults.push('TURN_URL, TURN_SECRET: the one needs the other');
  // A Janus without a secret obeys everybody who reaches it: they could list, record and destroy rooms.
  if (read.JANUS_SECRET === undefined && (read.JANUS_URL ?? []).some((url) => !isLoopback(new URL(url).hostname)))
    faults.push('JANUS_URL: a Janus on another machine needs JANUS_SECRET (its api_secret)');
  if (read.JANUS_URL === undefined && (read.JANUS_SECRET ?? read.JANUS_ADMIN_KEY) !== undefined)
    faults.push('JANUS_SECRET, JANUS_ADMIN_KEY: are of no use without JANUS_URL');
  return faults;
}

/** Returns these settings with their defaults. */
export function videoConfig(read: VideoRead): VideoConfig {
  return {
    video: {
      ports: read.VIDEO_PORTS ?? { first: 40_000, last: 40_999 },
      addresses: read.VIDEO_ADDRESS ?? [],
      workers: read.VIDEO_WORKERS ?? null,
    },
    janus: { urls: read.JANUS_URL ?? [], secret: read.JANUS_SECRET ?? null, adminKey: read.JANUS_ADMIN_KEY ?? null },
    turn: read.TURN_URL && read.TURN_SECRET ? { urls: read.TURN_URL, secret: read.TURN_SECRET } : null,
  };
}
