/** Pictures of events, as they are shown. */
import { Problem } from '@fieldroom/contract/problems';
import type { Db } from '../../platform/db/db.ts';
import type { Files } from '../../platform/files.ts';
import type { Bytes } from '../../platform/http/http.ts';
import { imageFileOf } from './events.answers.ts';
import * as store from './events.store.ts';

/** All that is kept is what we wrote ourselves; nobody's type is believed when it goes out. */
export const PICTURE_TYPE = 'image/webp';
const HEADERS = { 'content-disposition': 'inline; filename="picture.webp"', 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' };

export type EventsImages = ReturnType<typeof createImages>;

export function createImages({ db, files }: { db: Db; files: Pick<Files, 'read'> }) {
  return {
    /**
     * A picture by its event. In: names as the address has them, and the account that asks. Names are only looked up, never
     * a path. Problem: `not_found`, also for a picture that the event no longer shows, or of a deleted one unless its owner asks.
     */
    async show(eventId: number, fileName: string, askerId: number | null): Promise<Bytes> {
      const imageFile = imageFileOf(fileName);
      const picture = imageFile === null ? null : await store.findPicture(db, eventId, imageFile);
      if (picture === null || (!picture.published && picture.therapistId !== askerId)) throw new Problem('not_found');
      const bytes = await files.read(imageFile!);
      if (bytes === null) throw new Problem('not_found');
      // Another picture gets another name, so that this one may be kept.
      return { contentType: PICTURE_TYPE, bytes, headers: { ...HEADERS, 'cache-control': picture.published ? 'public, max-age=31536000, immutable' : 'private, no-store' } };
    },
  };
}
