/**
 * Settings of the service itself: where it listens, its address, when it refuses calls, whom it trusts, and the codes
 * by which clients enter.
 */
import { z } from 'zod';
import { list, webAddress, whole, type Read } from './values.ts';

export interface ServiceConfig {
  readonly production: boolean;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The address in emails and links, without a slash at the end. */
  readonly publicUrl: string;
  /** Proxies whose forwarding headers the server believes: none, a number of hops, or their addresses. */
  readonly trustProxy: false | number | readonly string[];
  /** Milliseconds by which the event loop may lag before calls are refused; 0 never refuses. */
  readonly maxLagMs: number;
  readonly privilegedUserIds: readonly number[];
  /** Characters of the codes by which clients enter. */
  readonly roomCodeLength: number;
}

export const serviceSettings = {
  NODE_ENV: z.string().optional(),
  PORT: whole(0, 65_535).optional(),
  HOST: z
    .string()
    .regex(/^[^\s/]+$/, 'has to be an address of this machine, such as 127.0.0.1')
    .optional(),
  PUBLIC_URL: webAddress(
    (url) => (url.pathname === '/' ? url.origin : null),
    'has to be the address of the service without a path, such as https://room.example.org',
  ).optional(),
  TRUST_PROXY: z
    .string()
    .transform((text, context) => {
      if (text === '0') return false;
      if (/^\d{1,2}$/.test(text)) return Number(text);
      const addresses = list(text);
      if (addresses.every((entry) => /^(?:[0-9a-fA-F:.]+(?:\/\d{1,3})?|loopback|linklocal|uniquelocal)$/.test(entry)))
        return addresses;
      context.addIssue({
        code: 'custom',
        message: 'has to be the number of proxies before this server, or their addresses, comma separated',
      });
      return z.NEVER;
    })
    .optional(),
  MAX_LAG_MS: whole(0, 60_000).optional(),
  PRIVILEGED_USER_IDS: z
    .string()
    .transform(list)
    .pipe(z.array(whole(1, Number.MAX_SAFE_INTEGER)))
    .optional(),
  ROOM_CODE_LENGTH: whole(5, 12).optional(),
};

export type ServiceRead = Read<typeof serviceSettings>;

/** Returns these settings with their defaults. An impossible host leaves no usable `publicUrl`: see `serviceFaults`. */
export function serviceConfig(read: ServiceRead): ServiceConfig {
  const host = read.HOST ?? '127.0.0.1';
  const port = read.PORT ?? 8080;
  const everywhere = host === '0.0.0.0' || host === '::';
  return {
    production: read.NODE_ENV === 'production',
    host,
    port,
    publicUrl:
      read.PUBLIC_URL ??
      `http://${everywhere ? 'localhost' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`,
    trustProxy: read.TRUST_PROXY ?? false,
    maxLagMs: read.MAX_LAG_MS ?? 2000,
    privilegedUserIds: read.PRIVILEGED_USER_IDS ?? [],
    roomCodeLength: read.ROOM_CODE_LENGTH ?? 5,
  };
}

/** Returns a line if host and port make no address. */
export const serviceFaults = ({ publicUrl }: ServiceConfig): string[] =>
  URL.canParse(publicUrl) ? [] : ['HOST: has to be an address of this machine, such as 127.0.0.1'];
