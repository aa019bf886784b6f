/** Rows of `video_rooms`. A room without a row has the standard settings. */
import { eq } from 'drizzle-orm';
import { DEFAULT_VIDEO_SETTINGS, type VideoSettings } from '@fieldroom/contract/video';
import type { Queryable } from '../../platform/db/db.ts';
import { videoRooms } from './video.tables.ts';

const columns = {
  clientsVisible: videoRooms.clientsVisible,
  stageOnly: videoRooms.stageOnly,
  highQuality: videoRooms.highQuality,
  encrypted: videoRooms.encrypted,
};

export interface StoredRoom {
  settings: VideoSettings;
  /** Ids of the clients on stage; null without a stage. */
  stage: number[] | null;
}

/** The settings and the stage of a room; the standard settings if nothing was ever set. */
export async function readRoom(db: Queryable, therapistId: number): Promise<StoredRoom> {
  const [row] = await db
    .select({ ...columns, stage: videoRooms.stage })
    .from(videoRooms)
    .where(eq(videoRooms.therapistId, therapistId));
  if (!row) return { settings: DEFAULT_VIDEO_SETTINGS, stage: null };
  const { stage, ...settings } = row;
  return { settings, stage };
}

/**
 * Sets what is given and leaves the rest. Returns the settings afterwards. One statement, so that two pages never undo
 * each other's switch.
 */
export async function writeSettings(
  db: Queryable,
  therapistId: number,
  changed: Partial<VideoSettings>,
): Promise<VideoSettings> {
  if (Object.values(changed).every((value) => value === undefined)) return (await readRoom(db, therapistId)).settings;
  const [row] = await db
    .insert(videoRooms)
    .values({ therapistId, ...changed })
    .onConflictDoUpdate({ target: videoRooms.therapistId, set: changed })
    .returning(columns);
  return row!;
}

/** Sets who is on stage; null ends the stage. */
export async function writeStage(db: Queryable, therapistId: number, stage: number[] | null): Promise<void> {
  if (stage === null) {
    await db.update(videoRooms).set({ stage }).where(eq(videoRooms.therapistId, therapistId));
    return;
  }
  await db
    .insert(videoRooms)
    .values({ therapistId, stage })
    .onConflictDoUpdate({ target: videoRooms.therapistId, set: { stage } });
}
