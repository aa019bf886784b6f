/** Pictures of events: uploaded, shared by occurrences of a series, shown. */
import { type EventScope, SHARE_SIZE } from '@fieldroom/contract/events';
import { Problem } from '@fieldroom/contract/problems';
import type { Limit } from '../../../platform/config.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Files } from '../../../platform/files.ts';
import type { Bytes } from '../../../platform/http/http.ts';
import { createLanes } from '../../../platform/scheduling/lanes.ts';
import type { Limits } from '../../../platform/limits.ts';
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

/** A decoded picture takes up to 80 MB, so few are rendered at the same time. */
const RENDERING_TOGETHER = 2;
/** Maximum number of pictures of one therapist that wait. */
const RENDERING_WAITING = 5;
/** Maximum number of pictures for messengers that wait; one is rendered at a time. */
const SHARING_WAITING = 20;
/** A landscape may change with its event's name. */
const LANDSCAPE_CACHE_SECONDS = 86_400;

export type EventPictures = ReturnType<typeof createPictures>;

export interface ImagesParts {
  db: Db;
  files: Files;
  limits: Pick<Limits, 'take'>;
  /** Uploads per hour and therapist. */
  uploadLimit: Limit;
  dropUnused: EventsService['dropUnused'];
  /** Renders uploaded bytes. Problems: `image_unreadable`, `image_too_large`. */
  render: (bytes: Buffer) => Promise<Buffer>;
  /** Makes a JPEG of a stored picture, or of an SVG of ours, in the size that messengers show. */
  renderShare: (bytes: Uint8Array, size: typeof SHARE_SIZE) => Promise<Buffer>;
}

/**
 * The occurrences that get the picture of one of them. Takes the series in order of time; cancelled and deleted ones
 * keep theirs.
 */
function picturedWith(series: readonly EventRow[], current: EventRow, scope: EventScope | undefined): EventRow[] {
  const standing = series.filter(({ status, deletedAt }) => status !== 'CANCELLED' && deletedAt === null);
  if (scope === 'later') return standing.slice(standing.indexOf(current));
  return scope === undefined && series.every(({ imageFile }) => imageFile === null) ? standing : [current];
}

export function createPictures({ db, files, limits, uploadLimit, dropUnused, render, renderShare }: ImagesParts) {
  const rendering = createLanes({ together: RENDERING_TOGETHER, waitingMax: RENDERING_WAITING });
  const sharing = createLanes({ together: 1, waitingMax: SHARING_WAITING });
  const shareable = (bytes: Uint8Array) => sharing.run('share', () => renderShare(bytes, SHARE_SIZE));

  /** The landscape of an event that everybody may see. Problems: `not_found`, `too_many_requests`. */
  async function landscape(eventId: number): Promise<Bytes> {
    const event = await store.findEvent(db, eventId);
    const host = event === null || event.deletedAt !== null ? null : await store.findHost(db, event.therapistId);
    if (event === null || host === null) throw new Problem('not_found');
    return {
      contentType: SHARE_TYPE,
      bytes: await shareable(Buffer.from(landscapeSvg(event.name, SHARE_SIZE.height))),
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
     * Takes the uploaded bytes; without a scope the first picture of a series is for all of it, any other for this
     * occurrence. Problems: `image_unreadable`, `image_too_large`, `not_found`, `event_cancelled`, `quota_reached`,
     * `too_many_requests`.
     */
    async upload(
      therapistId: number,
      eventId: number,
      bytes: Buffer,
      scope?: EventScope,
    ): Promise<{ fileName: string }> {
      await limits.take(`upload ${therapistId}`, uploadLimit);
      const webp = await rendering.run(String(therapistId), () => render(bytes));
      return db.transaction(async (tx) => {
        await store.lockPictures(tx, therapistId);
        const found = await store.findEvent(tx, eventId);
        if (found === null) throw new Problem('not_found');
        // Before rows are locked, so that no booking waits for the disk.
        const { id } = await files.put(tx, {
          ownerId: therapistId,
          kind: 'event picture',
          contentType: PICTURE_TYPE,
          bytes: webp,
        });
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
     * A picture by its event, or its landscape for messengers. Takes names as the address has them, and the account that
     * asks. Names are only looked up, never a path. Problem: `not_found`, also for a picture that the event no longer shows, or of a deleted one unless
     * its owner asks; `too_many_requests` where very many are asked for by messengers.
     */
    async show(eventId: number, fileName: string, askerId: number | null): Promise<Bytes> {
      if (fileName === LANDSCAPE_NAME) return landscape(eventId);
      const asked = askedPicture(fileName);
      const picture = asked === null ? null : await store.findPicture(db, eventId, asked.imageFile);
      if (picture === null || (!picture.published && picture.therapistId !== askerId)) throw new Problem('not_found');
      const { imageFile, shared } = asked!;
      const stored = await files.read(imageFile);
      if (stored === null) throw new Problem('not_found');
      const bytes = shared ? await shareable(stored) : stored;
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
