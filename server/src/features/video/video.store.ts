/** Rows of `video_rooms`. A room without a row has the standard settings. */
import { eq } from 'drizzle-orm';
import type { VideoSettings } from '@fieldroom/contract/video';
import type { Queryable } from '../../platform/db/db.ts';
import { videoRooms } from './video.tables.ts';

const columns = {
  clientsVisible: videoRooms.clientsVisible,
  highQuality: videoRooms.highQuality,
  encrypted: videoRooms.encrypted,
};

export async function readSettings(db: Queryable, therapistId: number): Promise<VideoSettings> {
  const [row] = await db.select(columns).from(videoRooms).where(eq(videoRooms.therapistId, therapistId));
  return row ?? { clientsVisible: true, highQuality: false, encrypted: false };
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
  if (Object.values(changed).every((value) => value === undefined)) return readSettings(db, therapistId);
  const [row] = await db
    .insert(videoRooms)
    .values({ therapistId, ...changed })
    .onConflictDoUpdate({ target: videoRooms.therapistId, set: changed })
    .returning(columns);
  return row!;
}
