/** The therapist's design: storing it, announcing it, and the picture behind the figures. Rules: README.md. */
import type { Ground, Template, templateInput } from '@fieldroom/contract/design';
import { Problem } from '../../platform/problem.ts';
import { roomDestination } from '@fieldroom/contract/realtime';
import type * as z from 'zod/mini';
import type { RoomAccess } from '../../access.ts';

import type { Limit } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Files } from '../../platform/files/files.ts';
import type { Bytes } from '../../platform/http/http.ts';
import type { Limits } from '../../platform/limits.ts';
import type { PictureWork } from '../../platform/files/picture-work.ts';
import { renderPicture } from '../../platform/files/pictures.ts';
import { createRoomReading, type Publish, type Room } from '../room/index.ts';
import * as store from './design.store.ts';

export interface DesignParts {
  db: Db;
  room: Pick<Room, 'act' | 'inOrder'>;
  publish: Publish;
  files: Pick<Files, 'write' | 'put' | 'read' | 'remove'>;
  limits: Pick<Limits, 'take'>;
  pictureWork: Pick<PictureWork, 'render'>;
  /** Uploads per hour and therapist. */
  uploadLimit: Limit;
}

/** Sharp on a large screen; the field is 1600 by 1000 units. */
const PICTURE_SIZE = { width: 1920, height: 1920 };
const PICTURE_TYPE = 'image/webp';

const groundOf = ({ background, backgroundImage }: store.DesignRow): Ground => ({
  color: background,
  imageId: backgroundImage,
});

function templatesOf(row: store.DesignRow): Template[] {
  return [
    { type: 'BACKGROUND_COLOR', bgColor: row.background },
    { type: 'BACKGROUND_IMAGE', imageId: row.backgroundImage },
    { type: 'LEFT_MENU', bgColor: row.leftMenu, textColor: row.leftMenuText, selectedColor: row.leftMenuSelected },
    { type: 'TOP_MENU', bgColor: row.topMenu, textColor: row.topMenuText },
  ];
}

function columnsOf(part: z.output<typeof templateInput>): Partial<store.DesignRow> {
  switch (part.type) {
    case 'BACKGROUND_COLOR':
      return { background: part.bgColor };
    case 'BACKGROUND_IMAGE':
      return { backgroundImage: null };
    case 'LEFT_MENU':
      return { leftMenu: part.bgColor, leftMenuText: part.textColor, leftMenuSelected: part.selectedColor };
    case 'TOP_MENU':
      return { topMenu: part.bgColor, topMenuText: part.textColor };
  }
}

export type Design = ReturnType<typeof createDesignService>;

/** Makes the design. Every change is an act on the room, so that its screens learn of changes in their order. */
export function createDesignService({ db, room, publish, files, limits, pictureWork, uploadLimit }: DesignParts) {
  /** Writes columns, removes a picture that is no longer shown, and sends the room its current background. */
  async function write(
    therapistId: number,
    columnsIn: (tx: Parameters<Parameters<Room['act']>[1]>[0]) => Promise<Partial<store.DesignRow>>,
  ): Promise<void> {
    await room.act(therapistId, async (tx, _row, afterCommit) => {
      const before = await store.readDesign(tx, therapistId);
      const columns = await columnsIn(tx);
      const after = { ...before, ...columns };
      await store.writeDesign(tx, therapistId, columns);
      if (before.backgroundImage !== null && before.backgroundImage !== after.backgroundImage)
        await files.remove(tx, before.backgroundImage);
      if (before.background === after.background && before.backgroundImage === after.backgroundImage) return;
      afterCommit(() =>
        publish(roomDestination(therapistId), { eventType: 'GROUND', contents: groundOf(after) }, { lane: 'stored' }),
      );
    });
  }

  const tellGround = createRoomReading(room, async (therapistId) => groundOf(await store.readDesign(db, therapistId)));

  return {
    /** All parts for the therapist, those of the field for a client, and the defaults for a call without a room. */
    async all(access: RoomAccess | null): Promise<Template[]> {
      const row = access === null ? store.NO_DESIGN : await store.readDesign(db, access.therapistId);
      const templates = templatesOf(row);
      return access?.as === 'client' ? templates.filter(({ type }) => type.startsWith('BACKGROUND')) : templates;
    },

    save: (therapistId: number, part: z.output<typeof templateInput>): Promise<void> =>
      write(therapistId, async () => columnsOf(part)),

    reset: (therapistId: number): Promise<void> => write(therapistId, async () => store.NO_DESIGN),

    /**
     * Puts a picture behind the figures. Takes the uploaded bytes. Problems: `image_unreadable`, `image_too_large`,
     * `quota_reached`, `too_many_requests`.
     */
    async upload(therapistId: number, bytes: Buffer): Promise<{ imageId: string }> {
      await limits.take(`upload ${therapistId}`, uploadLimit);
      const webp = await pictureWork.render(`account ${therapistId}`, () => renderPicture(bytes, PICTURE_SIZE));
      const written = await files.write(db, {
        ownerId: therapistId,
        kind: 'field picture',
        contentType: PICTURE_TYPE,
        bytes: webp,
      });
      let imageId = '';
      await write(therapistId, async (tx) => {
        imageId = (await files.put(tx, written)).id;
        return { backgroundImage: imageId };
      });
      return { imageId };
    },

    /** The picture behind the figures. Problem: `not_found`. */
    async image({ therapistId }: RoomAccess): Promise<Bytes> {
      const { backgroundImage } = await store.readDesign(db, therapistId);
      const bytes = backgroundImage === null ? null : await files.read(backgroundImage);
      if (bytes === null) throw new Problem('not_found');
      return {
        contentType: PICTURE_TYPE,
        bytes,
        // The address stays when the picture changes.
        headers: {
          'content-disposition': 'inline; filename="field.webp"',
          'cross-origin-resource-policy': 'same-origin',
          'cache-control': 'private, no-store',
        },
      };
    },

    /** Returns the background of the figures, before the room's next change. */
    tellGround: (access: RoomAccess, tell: (ground: Ground) => void): Promise<void> =>
      tellGround(access.therapistId, tell),
  };
}
