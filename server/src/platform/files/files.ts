/**
 * Files that people uploaded: bytes in a folder or a bucket (`blobs/`) by a random inner id, everything else in the
 * database. A person's file name never becomes a path. The sweep removes bytes without a row (the transaction was
 * rolled back, or the row was removed).
 */
import { createHash, randomUUID } from 'node:crypto';
import { Problem } from '../problem.ts';
import { eq, inArray, sql } from 'drizzle-orm';
import type { Blobs } from '../blobs/blobs.ts';
import { UNFINISHED } from '../blobs/folder.ts';
import type { Db, Queryable } from '../db/db.ts';
import { storedFiles } from '../platform.tables.ts';

/** 200 MB per therapist (docs/product.md#14.8). */
const OWNER_BYTES = 200 * 1024 * 1024;
/**
 * A younger file may belong to a transaction that is still open, and the clocks of nodes and of the file server may
 * differ.
 */
const ORPHAN_AGE_MS = 24 * 3_600_000;
/** The folder of uploaded files, in `DATA_DIR` or in the bucket. */
export const FILES = 'files';
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface NewFile {
  /** Whose quota it uses. */
  readonly ownerId: number;
  /** What it is for, such as `icon`. */
  readonly kind: string;
  /** Decided by looking at the bytes, not by what the sender says. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Bytes that are stored and have no row yet. */
export interface WrittenFile extends Omit<NewFile, 'bytes'> {
  readonly id: string;
  /** How many. */
  readonly bytes: number;
  readonly sha256: Buffer;
}

interface StoredFile {
  readonly id: string;
  readonly ownerId: number;
  readonly kind: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface Files {
  /**
   * Stores bytes. Belongs before the transaction that calls `put`: a store that is slow or away must hold neither a
   * connection to the database nor a lock. Takes what to ask about the quota. @throws Problem quota_reached
   */
  write(queries: Queryable, file: NewFile): Promise<WrittenFile>;
  /** Gives stored bytes their row, in the transaction. Returns the inner id. @throws Problem quota_reached */
  put(tx: Queryable, file: WrittenFile): Promise<{ id: string }>;
  /** Returns the file; null if there is none or its bytes are lost or changed. */
  get(id: string): Promise<StoredFile | null>;
  /** Returns its bytes alone. */
  read(id: string): Promise<Buffer | null>;
  /** Removes the row in the transaction; the sweep removes the bytes. */
  remove(tx: Queryable, id: string): Promise<void>;
  /** Rejects while no file can be written. */
  check(): Promise<void>;
  /** Removes bytes that belong to no row. Returns how many files. */
  sweep(): Promise<number>;
}

/** Makes the store. Takes the database, where the bytes lie, and a quota if it is not the usual one. */
export function createFiles(
  db: Db,
  {
    blobs,
    ownerBytes = OWNER_BYTES,
    orphanAgeMs = ORPHAN_AGE_MS,
  }: { blobs: Blobs; ownerBytes?: number; orphanAgeMs?: number },
): Files {
  let probing: Promise<void> | null = null;

  async function checkQuota(tx: Queryable, ownerId: number, bytes: number): Promise<void> {
    const [used] = await tx
      .select({ bytes: sql<number>`coalesce(sum(${storedFiles.bytes}), 0)::bigint` })
      .from(storedFiles)
      .where(eq(storedFiles.ownerId, ownerId));
    if (used!.bytes + bytes > ownerBytes) throw new Problem('quota_reached');
  }

  async function get(id: string): Promise<StoredFile | null> {
    if (!ID.test(id)) return null;
    const [row] = await db.select().from(storedFiles).where(eq(storedFiles.id, id));
    if (row === undefined) return null;
    const bytes = await blobs.read(nameOf(id));
    if (bytes === null || !sha256(bytes).equals(row.sha256)) return null;
    return { id, ownerId: row.ownerId, kind: row.kind, contentType: row.contentType, bytes };
  }

  return {
    async write(queries, { ownerId, kind, contentType, bytes }) {
      // Only so that bytes are not stored in vain; `put` decides.
      await checkQuota(queries, ownerId, bytes.byteLength);
      const id = randomUUID();
      await blobs.write(nameOf(id), bytes);
      return { id, ownerId, kind, contentType, bytes: bytes.byteLength, sha256: sha256(bytes) };
    },

    async put(tx, file) {
      // One owner's uploads are counted one after another; otherwise two at once would both fit into the last place.
      await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('stored files', ${file.ownerId}))`);
      await checkQuota(tx, file.ownerId, file.bytes);
      const { id, ownerId, kind, contentType, bytes, sha256: hash } = file;
      await tx.insert(storedFiles).values({ id, ownerId, kind, contentType, bytes, sha256: hash });
      return { id };
    },

    get,
    read: async (id) => (await get(id))?.bytes ?? null,

    async remove(tx, id) {
      await tx.delete(storedFiles).where(eq(storedFiles.id, id));
    },

    check: () =>
      (probing ??= blobs.probe().finally(() => {
        probing = null;
      })),

    async sweep() {
      let removed = 0;
      for await (const some of blobs.list(FILES)) {
        const old = some.filter(({ ageMs }) => ageMs >= orphanAgeMs).map(({ name }) => name);
        const ids = old.map(idOf).filter((id) => id !== null);
        const kept = new Set(
          ids.length === 0
            ? []
            : (await db.select({ id: storedFiles.id }).from(storedFiles).where(inArray(storedFiles.id, ids))).map(
                ({ id }) => id,
              ),
        );
        for (const name of old) {
          const id = idOf(name);
          // Of other names only unfinished writes are ours.
          if (id === null ? !name.endsWith(UNFINISHED) : kept.has(id)) continue;
          await blobs.remove(name);
          removed += 1;
        }
      }
      return removed;
    },
  };
}

const nameOf = (id: string) => `${FILES}/${id.slice(0, 2)}/${id}`;

/** Whether a blob is an uploaded file. */
export const isUploaded = (name: string): boolean => idOf(name) !== null;

/** The id of a blob; null if it is no uploaded file. */
function idOf(name: string): string | null {
  const id = name.slice(name.lastIndexOf('/') + 1);
  return ID.test(id) && name === nameOf(id) ? id : null;
}

/** Whether a disk, or this user's share of it, is full. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown } | null)?.code));

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
