/** Settings of what is kept and where: database, files, and the Redis that joins several nodes. */
import * as path from 'node:path';
import { z } from 'zod';
import { address, webAddress, whole, type Read } from './values.ts';

export interface StorageConfig {
  /** Absolute path. */
  readonly dataDir: string;
  /** The bucket that holds uploaded files and the web's scripts for all nodes; null: they lie in `dataDir`. */
  readonly s3: S3Config | null;
  readonly databaseUrl: string | null;
  /** Maximum number of connections of this process to the database. */
  readonly databaseConnections: number;
  /** How long somebody who waits for an answer waits for the database. */
  readonly databaseTimeoutMs: number;
  /** Joins this node to others; null for a service of one node. */
  readonly redisUrl: string | null;
}

/** A bucket of an S3-compatible store. */
export interface S3Config {
  /** Address of the store, without a slash at the end. */
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** What our names in the bucket begin with: empty, or with a slash at the end. */
  readonly prefix: string;
  /** How long somebody who waits for an answer waits for the store. */
  readonly timeoutMs: number;
}

/** Goes into a header, where a line break would end it. */
const s3Key = z.string().regex(/^[!-~]+$/, 'has to be one word of printable characters');

export const storageSettings = {
  DATA_DIR: z.string().optional(),
  S3_URL: webAddress(
    ({ href }) => (href.endsWith('/') ? href.slice(0, -1) : href),
    'has to be the address of an S3-compatible store without keys, such as https://s3.example.org',
  ).optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{1,61}[A-Za-z0-9]$/, 'has to be the name of a bucket, such as fieldroom-files')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'has to be the name of a region, such as eu-central-1')
    .optional(),
  S3_ACCESS_KEY: s3Key.optional(),
  S3_SECRET_KEY: s3Key.optional(),
  S3_PREFIX: z
    .string()
    .regex(
      /^\w[\w-]*(?:\/\w[\w-]*)*\/?$/,
      'has to be made of letters, digits, - and _, with / between folders, such as fieldroom',
    )
    // The owner of the folder above removes from its `web` what is no file of its own.
    .refine((text) => !text.split('/').includes('web'), 'has to be without a folder that is called web')
    .optional(),
  S3_TIMEOUT_MS: whole(100, 60_000).optional(),
  DATABASE_URL: address(['postgres:', 'postgresql:'], 'postgresql://user@host/fieldroom').optional(),
  // Live rooms, background work and calls each have a share.
  DATABASE_CONNECTIONS: whole(4, 200).optional(),
  DATABASE_TIMEOUT_MS: whole(100, 60_000).optional(),
  REDIS_URL: address(['redis:', 'rediss:'], 'redis://localhost:6379').optional(),
};

type StorageRead = Read<typeof storageSettings>;

/**
 * Default time for which somebody who waits for an answer waits for the database, all waits together. A refusal may
 * come twice the grace for answers later (`ANSWER_GRACE_MS`), and no later than after two seconds.
 */
export const DATABASE_TIMEOUT_MS = 1300;

const S3_NEEDED = ['S3_URL', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const;
const S3_MORE = ['S3_REGION', 'S3_PREFIX', 'S3_TIMEOUT_MS'] as const;

/** Returns a line for each of these settings that needs another one, which is missing. */
export function storageFaults(read: StorageRead): string[] {
  const faults: string[] = [];
  // An embedded database belongs to one node: people of one room would not see one another.
  if (read.REDIS_URL !== undefined && read.DATABASE_URL === undefined)
    faults.push('REDIS_URL: several nodes share one database, which DATABASE_URL has to name');
  // A typing error must not send files to a folder that only this node sees.
  const missing = S3_NEEDED.filter((name) => read[name] === undefined);
  const given = [...S3_NEEDED, ...S3_MORE].filter((name) => read[name] !== undefined);
  if (given.length > 0 && missing.length > 0) {
    const [are, need] = [missing.length === 1 ? 'is' : 'are', given.length === 1 ? 'needs' : 'need'];
    faults.push(`${missing.join(', ')}: ${are} missing; ${given.join(', ')} ${need} all of ${S3_NEEDED.join(', ')}`);
  }
  return faults;
}

/** Returns these settings with their defaults. */
export function storageConfig(read: StorageRead): StorageConfig {
  return {
    dataDir: path.resolve(read.DATA_DIR ?? './data'),
    s3: s3Of(read),
    databaseUrl: read.DATABASE_URL ?? null,
    databaseConnections: read.DATABASE_CONNECTIONS ?? 20,
    databaseTimeoutMs: read.DATABASE_TIMEOUT_MS ?? DATABASE_TIMEOUT_MS,
    redisUrl: read.REDIS_URL ?? null,
  };
}

function s3Of(read: StorageRead): S3Config | null {
  const [url, bucket, accessKey, secretKey] = S3_NEEDED.map((name) => read[name]);
  if (url === undefined || bucket === undefined || accessKey === undefined || secretKey === undefined) return null;
  const prefix = read.S3_PREFIX ?? '';
  return {
    ...{ url, bucket, accessKey, secretKey },
    region: read.S3_REGION ?? 'us-east-1',
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
    timeoutMs: read.S3_TIMEOUT_MS ?? 1500,
  };
}
