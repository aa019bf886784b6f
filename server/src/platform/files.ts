/**
 * Files that people uploaded: bytes under `DATA_DIR/files` by a random inner id, everything else in the database. A
 * person's file name never becomes a path. The sweep removes files without a row (the transaction was rolled back, or
 * the row was removed).
 */
import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { Problem } from './problem.ts';
import { eq, inArray, sql } from 'drizzle-orm';
import type { Db, Queryable } from './db/db.ts';
import { storedFiles } from './platform.tables.ts';

/** 200 MB per therapist (docs/product.md#14.8). */
const OWNER_BYTES = 200 * 1024 * 1024;
/**
 * A younger file may belong to a transaction that is still open, and the clocks of nodes and of the file server may
 * differ.
 */
const ORPHAN_AGE_MS = 24 * 3_600_000;
/** Bytes written to find out whether there is room. */
const PROBE = 'room-probe';
const PROBE_BYTES = 65_536;
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

interface StoredFile {
  readonly id: string;
  readonly ownerId: number;
  readonly kind: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface Files {
  /**
   * Stores bytes and, in the transaction, their row. Returns the inner id. @throws Problem quota_reached
   */
  put(tx: Queryable, file: NewFile): Promise<{ id: string }>;
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

/** Makes the store. Takes the database, the data folder, and a quota if it is not the usual one. */
export function createFiles(
  db: Db,
  {
    dataDir,
    ownerBytes = OWNER_BYTES,
    orphanAgeMs = ORPHAN_AGE_MS,
  }: { dataDir: string; ownerBytes?: number; orphanAgeMs?: number },
): Files {
  const folder = path.join(dataDir, 'files');
  let probing: Promise<void> | null = null;
  const placeOf = (id: string) => path.join(folder, id.slice(0, 2), id);

  async function get(id: string): Promise<StoredFile | null> {
    if (!ID.test(id)) return null;
    const [row] = await db.select().from(storedFiles).where(eq(storedFiles.id, id));
    if (row === undefined) return null;
    const bytes = await fs.readFile(placeOf(id)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (bytes === null || !sha256(bytes).equals(row.sha256)) return null;
    return { id, ownerId: row.ownerId, kind: row.kind, contentType: row.contentType, bytes };
  }

  return {
    async put(tx, { ownerId, kind, contentType, bytes }) {
      // One owner's uploads are counted one after another; otherwise two at once would both fit into the last place.
      await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('stored files', ${ownerId}))`);
      const [used] = await tx
        .select({ bytes: sql<number>`coalesce(sum(${storedFiles.bytes}), 0)::bigint` })
        .from(storedFiles)
        .where(eq(storedFiles.ownerId, ownerId));
      if (used!.bytes + bytes.byteLength > ownerBytes) throw new Problem('quota_reached');
      const id = randomUUID();
      await writeDurably(placeOf(id), bytes);
      await tx
        .insert(storedFiles)
        .values({ id, ownerId, kind, contentType, bytes: bytes.byteLength, sha256: sha256(bytes) });
      return { id };
    },

    get,
    read: async (id) => (await get(id))?.bytes ?? null,

    async remove(tx, id) {
      await tx.delete(storedFiles).where(eq(storedFiles.id, id));
    },

    check: () =>
      (probing ??= (async () => {
        const probe = path.join(folder, PROBE);
        try {
          await fs.mkdir(folder, { recursive: true, mode: 0o700 });
          await fs.writeFile(probe, new Uint8Array(PROBE_BYTES), { mode: 0o600 });
        } finally {
          await fs.rm(probe, { force: true });
        }
      })().finally(() => {
        probing = null;
      })),

    async sweep() {
      let removed = 0;
      for (const shelf of await fs.readdir(folder).catch(() => [])) {
        const old: string[] = [];
        for (const name of await fs.readdir(path.join(folder, shelf)).catch(() => [])) {
          const info = await fs.stat(path.join(folder, shelf, name)).catch(() => null);
          if (info && Date.now() - info.mtimeMs >= orphanAgeMs) old.push(name);
        }
        const ids = old.filter((name) => ID.test(name));
        const kept = new Set(
          ids.length === 0
            ? []
            : (await db.select({ id: storedFiles.id }).from(storedFiles).where(inArray(storedFiles.id, ids))).map(
                ({ id }) => id,
              ),
        );
        // A name that is no id belongs to a write that never finished.
        for (const name of old.filter((one) => !kept.has(one))) {
          await fs.rm(path.join(folder, shelf, name), { force: true });
          removed += 1;
        }
      }
      return removed;
    },
  };
}

/** Whether a disk, or this user's share of it, is full. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown } | null)?.code));

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();

/**
 * Completely or not at all, also when the power fails: written beside, forced to disk, renamed, and the folder forced
 * too.
 */
async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const folder = path.dirname(file);
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const beside = `${file}.part`;
  const handle = await fs.open(beside, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    // A half-written file takes the room that is missing.
    await fs.rm(beside, { force: true }).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
  await fs.rename(beside, file);
  const directory = await fs.open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
