/** A therapist's own icons: cleaned off the main thread, counted, kept as files, shown only as images. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ICON_BYTES_MAX, ICONS_MAX, type Icon } from '@fieldroom/contract/field';
import { Problem } from '../../../platform/problem.ts';
import type { Limit } from '../../../platform/config.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { WrittenFile } from '../../../platform/files/files.ts';
import { createFairQueue } from '../../../platform/scheduling/fair-queue.ts';
import type { Limits } from '../../../platform/limits.ts';
import type { Queries, Room } from '../../room/index.ts';
import type { Cleaned } from './icons.clean.ts';
import * as store from './icons.store.ts';

/** The part of the file store that the icons need. */
export interface IconFiles {
  /** Stores bytes under a new inner id, before the transaction. Problem: `quota_reached`. */
  write(
    queries: Queries,
    file: { ownerId: number; kind: string; contentType: string; bytes: Uint8Array },
  ): Promise<WrittenFile>;
  /** Writes their row in `tx`. Problem: `quota_reached`. */
  put(tx: Queries, file: WrittenFile): Promise<{ id: string }>;
  /** Returns the bytes, or null if none are stored. */
  read(id: string): Promise<Uint8Array | null>;
  /** Removes the row in `tx`; the bytes go when no row names them. */
  remove(tx: Queries, id: string): Promise<void>;
}

export interface IconsService {
  /** Stores a drawing. Problems: `icon_unreadable`, `icon_unsafe`, `quota_reached`, `too_many_requests`. */
  save(therapistId: number, input: { name?: string; image: string }): Promise<Icon>;
  all(therapistId: number): Promise<Icon[]>;
  /** Deletes an own icon. Problems: `not_found`, `icon_in_use`. */
  remove(therapistId: number, iconId: number): Promise<void>;
  /** The cleaned SVG with its own headers. Problem: `not_found`. */
  image(
    therapistId: number,
    iconId: number,
  ): Promise<{ contentType: string; bytes: Uint8Array; headers: Record<string, string> }>;
}

/**
 * Processor time for cleaning one drawing: the largest harmless one takes up to a second, and more than twice as much
 * while other programs share the processor's caches. Real time would punish a drawing for a busy machine even more, so
 * it has only a limit against a worker that hangs.
 */
const CLEANING_CPU_MS = 5000;
const CLEANING_MS = 30_000;
const CPU_WATCH_MS = 200;
const CLEANER = new URL('./icons.worker.ts', import.meta.url);
/** A DOM takes up to 256 MB and a core, so half of the cores stay free for the rooms. */
const CLEANING_TOGETHER = Math.max(1, Math.floor(availableParallelism() / 2));
/** Number of drawings of one therapist that may wait. */
const CLEANING_WAITING = 5;

/**
 * Headers of an icon. Opened directly, it is a document: nothing may run, load or embed it, and browsers must not guess
 * its type. It never changes under its id.
 */
const ICON_HEADERS = {
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'content-disposition': 'attachment; filename="icon.svg"',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, max-age=31536000, immutable',
};

/** Makes the icons of all therapists. `clean` makes a drawing harmless, by default in a worker. */
export function createIcons({
  db,
  room,
  files,
  limits,
  uploadLimit,
  clean = cleanInWorker,
}: {
  db: Db;
  room: Room;
  files: IconFiles;
  limits: Pick<Limits, 'take'>;
  uploadLimit: Limit;
  clean?: (image: string) => Promise<Cleaned>;
}): IconsService {
  const cleaning = createFairQueue({ together: CLEANING_TOGETHER, waitingMax: CLEANING_WAITING });

  async function getFile(tx: Queries, therapistId: number, iconId: number): Promise<string> {
    const fileId = await store.findIconFile(tx, therapistId, iconId);
    if (fileId === null) throw new Problem('not_found');
    return fileId;
  }

  /** The therapist's other screens show the same icons. */
  const tellScreens = (therapistId: number) =>
    room.tell(therapistId, { eventType: 'REFRESH_ADMIN', contents: { what: 'icons' } });

  return {
    async save(therapistId, { name, image }) {
      await limits.take(`upload ${therapistId}`, uploadLimit);
      if (Buffer.byteLength(image) > ICON_BYTES_MAX)
        throw new Problem('invalid_input', { fields: [{ path: 'image', code: 'too_long' }] });
      const cleaned = await cleaning.run(String(therapistId), () => clean(image));
      if (cleaned.kind !== 'clean') throw new Problem(cleaned.kind);
      const written = await files.write(db, {
        ownerId: therapistId,
        kind: 'icon',
        contentType: 'image/svg+xml',
        bytes: Buffer.from(cleaned.svg),
      });
      const icon = await db.transaction(async (tx) => {
        // Locked, so that two uploads at once do not both take the last place.
        await room.lock(tx, therapistId);
        if ((await store.countIcons(tx, therapistId)) >= ICONS_MAX) throw new Problem('quota_reached');
        const file = await files.put(tx, written);
        return store.insertIcon(tx, {
          therapistId,
          name: name ?? '',
          fileId: file.id,
          width: cleaned.width,
          height: cleaned.height,
        });
      });
      tellScreens(therapistId);
      return icon;
    },

    all: (therapistId) => store.readIcons(db, therapistId),

    async remove(therapistId, iconId) {
      await db.transaction(async (tx) => {
        // Until then, the lock prevents acts from putting the icon on a figure.
        await room.lock(tx, therapistId);
        const fileId = await getFile(tx, therapistId, iconId);
        if (await store.isWorn(tx, iconId)) throw new Problem('icon_in_use');
        await store.deleteIcon(tx, iconId);
        await files.remove(tx, fileId);
      });
      tellScreens(therapistId);
    },

    async image(therapistId, iconId) {
      const bytes = await files.read(await getFile(db, therapistId, iconId));
      if (!bytes) throw new Problem('not_found');
      return { contentType: 'image/svg+xml', bytes, headers: ICON_HEADERS };
    },
  };
}

/**
 * Cleans in a worker with limits on time and memory; a drawing that exceeds them is `icon_unsafe`.
 * @param cpuMs processor time that the drawing itself may take
 * @param program what the worker runs; tests bring one that never ends
 */
export function cleanInWorker(image: string, cpuMs = CLEANING_CPU_MS, program = CLEANER): Promise<Cleaned> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, {
      workerData: image,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
    });
    let watch: NodeJS.Timeout | undefined;
    const end = () => {
      clearTimeout(limit);
      clearInterval(watch);
      void worker.terminate();
    };
    const done = (cleaned: Cleaned) => {
      end();
      resolve(cleaned);
    };
    const fail = (error: Error & { code?: string }) => {
      end();
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ kind: 'icon_unsafe' });
      else reject(error);
    };
    const limit = setTimeout(() => done({ kind: 'icon_unsafe' }), CLEANING_MS);
    const watchCpu = async () => {
      const atStart = await worker.cpuUsage();
      watch = setInterval(() => {
        worker.cpuUsage(atStart).then(
          ({ user, system }) => {
            if ((user + system) / 1000 > cpuMs) done({ kind: 'icon_unsafe' });
          },
          // The worker has just ended; its own events say how.
          () => {},
        );
      }, CPU_WATCH_MS);
    };
    worker.on('message', (message: 'ready' | Cleaned) => {
      if (message === 'ready') watchCpu().catch(() => {});
      else done(message);
    });
    worker.once('error', fail);
  });
}
