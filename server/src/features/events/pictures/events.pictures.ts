/** Pictures of events: uploaded, shared by occurrences of a series, shown. */
import { type EventScope, SHARE_SIZE } from '@fieldroom/contract/events';
import { Problem } from '../../../platform/problem.ts';
import type { Limit } from '../../../platform/config.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Files } from '../../../platform/files/files.ts';
import type { Bytes } from '../../../platform/http/http.ts';
import type { Limits } from '../../../platform/limits.ts';
import type { PictureWork } from '../../../platform/files/picture-work.ts';
import { askedPicture, fileNameOf, LANDSCAPE_NAME } from '../events.views.ts';
import type { EventsService } from '../events.service.ts';
import * as store from '../events.store.ts';
import type { EventRow } from '../events.types.ts';
import { landscapeSvg } from './events.landscape.ts';

/** Every stored picture was written by us, so the type never comes from an upload. */
const PICTURE_TYPE = 'image/webp';
const SHARE_TYPE = 'image/jpeg';
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
};
/** Messengers ask for pictures from their own sites. */
const SHARE_HEADERS = { ...HEADERS, 'cross-origin-resource-policy': 'cross-origin' };

/** A landscape may change with its event's name. */
const LANDSCAPE_CACHE_SECONDS = 86_400;

export type EventPictures = ReturnType<typeof createPictures>;

export interface ImagesParts {
  db: Db;
  files: Files;
  limits: Pick<Limits, 'take'>;
  pictureWork: PictureWork;
  /** Uploads per hour and therapist. */
  uploadLimit: Limit;
  dropUnused: EventsService['dropUnused'];
  /** Renders uploaded bytes. Problems: `image_unreadable`, `image_too_large`. */
  render: (bytes: Buffer) => Promise<Buffer>;
  /** Makes a JPEG of a stored picture, or of an SVG of ours, in the size that messengers show. */
  renderShare: (bytes: Uint8Array, size: typeof SHARE_SIZE) => Promise<Buffer>;
}

/**
 * Returns the occurrences that share the picture of one of them. Takes the series in order of time; cancelled and
 * deleted ones keep theirs.
 */
function picturedWith(series: readonly EventRow[], current: EventRow, scope: EventScope | undefined): EventRow[] {
  const standing = series.filter(({ status, deletedAt }) => status !== 'CANCELLED' && deletedAt === null);
  if (scope === 'later') return standing.slice(standing.indexOf(current));
  return scope === undefined && series.every(({ imageFile }) => imageFile === null) ? standing : [current];
}

/** Makes the pictures of events: uploads, and the pictures for pages and messengers. */
export function createPictures({
  db,
  files,
  limits,
  pictureWork,
  uploadLimit,
  dropUnused,
  render,
  renderShare,
}: ImagesParts) {
  /** The landscape of an event that everybody may see. Problems: `not_found`, `too_many_requests`. */
  async function landscape(eventId: number, block: string): Promise<Bytes> {
    const event = await store.findEvent(db, eventId);
    const host = event === null || event.deletedAt !== null ? null : await store.findHost(db, event.therapistId);
    if (event === null || host === null) throw new Problem('not_found');
    return {
      contentType: SHARE_TYPE,
      bytes: await pictureWork.share(`landscape of ${event.name}`, block, () =>
        renderShare(Buffer.from(landscapeSvg(event.name, SHARE_SIZE.height)), SHARE_SIZE),
      ),
      headers: {
        ...SHARE_HEADERS,
        'content-disposition': 'inline; filename="picture.jpg"',
        'cache-control': `public, max-age=${LANDSCAPE_CACHE_SECONDS}`,
      },
    };
  }

  return {
    /**
     * Gives an event its picture: this occurrence, or this and all later ones of its series that are not cancelled.
     * Takes the uploaded bytes; without a scope the first picture of a series applies to all of it, any other only to
     * this occurrence. Problems: `image_unreadable`, `image_too_large`, `not_found`, `event_cancelled`,
     * `quota_reached`, `too_many_requests`.
     */
    async upload(
      therapistId: number,
      eventId: number,
      bytes: Buffer,
      scope?: EventScope,
    ): Promise<{ fileName: string }> {
      await limits.take(`upload ${therapistId}`, uploadLimit);
      const webp = await pictureWork.render(`account ${therapistId}`, () => render(bytes));
      const written = await files.write(db, {
        ownerId: therapistId,
        kind: 'event picture',
        contentType: PICTURE_TYPE,
        bytes: webp,
      });
      return db.transaction(async (tx) => {
        await store.lockPictures(tx, therapistId);
        const found = await store.findEvent(tx, eventId);
        if (found === null) throw new Problem('not_found');
        const { id } = await files.put(tx, written);
        const series = await store.lockSeries(tx, found.seriesId);
        const current = series.find((row) => row.id === eventId)!;
        if (current.deletedAt !== null) throw new Problem('not_found');
        if (current.status === 'CANCELLED') throw new Problem('event_cancelled');
        const shown = picturedWith(series, current, scope);
        await store.setPicture(
          tx,
          shown.map((row) => row.id),
          id,
        );
        await dropUnused(
          tx,
          therapistId,
          shown.map(({ imageFile }) => imageFile),
        );
        return { fileName: fileNameOf(id) };
      });
    },

    /**
     * A picture by its event, or its landscape for messengers. Takes names from the address, and the account that asks,
     * with its address block. Names are only looked up, never a path. Problem: `not_found`, also for a picture that the
     * event no longer shows, or of a deleted one unless its owner asks; `too_many_requests` if a messenger requests
     * very many.
     */
    async show(
      eventId: number,
      fileName: string,
      { askerId, block }: { askerId: number | null; block: string },
    ): Promise<Bytes> {
      if (fileName === LANDSCAPE_NAME) return landscape(eventId, block);
      const asked = askedPicture(fileName);
      const picture = asked === null ? null : await store.findPicture(db, eventId, asked.imageFile);
      if (picture === null || (!picture.published && picture.therapistId !== askerId)) throw new Problem('not_found');
      const { imageFile, shared } = asked!;
      const read = async () => {
        const stored = await files.read(imageFile);
        if (stored === null) throw new Problem('not_found');
        return stored;
      };
      const bytes = shared
        ? await pictureWork.share(`event ${imageFile}`, block, async () => renderShare(await read(), SHARE_SIZE))
        : await read();
      // A new picture gets a new name, so this one may be cached.
      return {
        contentType: shared ? SHARE_TYPE : PICTURE_TYPE,
        bytes,
        headers: {
          ...(shared ? SHARE_HEADERS : HEADERS),
          'content-disposition': `inline; filename="picture.${shared ? 'jpg' : 'webp'}"`,
          'cache-control': picture.published ? 'public, max-age=31536000, immutable' : 'private, no-store',
        },
      };
    },
  };
}
