/** Reads and saves a profile for its owner: name, language, time zone, public page, picture. Rules: README.md. */
import { SHARE_SIZE } from '@fieldroom/contract/events';
import type { BodyOf } from '@fieldroom/contract/http';
import { Problem } from '../../platform/problem.ts';
import {
  type Profile,
  PROFILE_PICTURE_PX,
  type pageInput,
  chosenSlug,
  SLUG_CHANGES_A_DAY,
  SLUG_MAX,
  type updateAccountInfo,
} from '@fieldroom/contract/profile';
import type * as z from 'zod/mini';
import type { Account } from '../../access.ts';
import type { Limit } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Files } from '../../platform/files/files.ts';
import type { Bytes } from '../../platform/http/http.ts';
import type { Limits } from '../../platform/limits.ts';
import type { PictureWork } from '../../platform/files/picture-work.ts';
import { renderPicture, renderWholeJpeg } from '../../platform/files/pictures.ts';
import { type Accounts, latin, picturePathOf } from '../accounts/index.ts';
import * as store from './profile.store.ts';

export interface ProfileServiceParts {
  db: Db;
  files: Pick<Files, 'write' | 'put' | 'read' | 'remove'>;
  limits: Pick<Limits, 'take' | 'counter' | 'takeTogether'>;
  pictureWork: PictureWork;
  /** Uploads per hour and therapist. */
  uploadLimit: Limit;
  accounts: Pick<Accounts, 'forget'>;
}

/** Counted by the transaction that makes them, so that a failed change does not count. */
const SLUG_CHANGES: Limit = { max: SLUG_CHANGES_A_DAY, windowSeconds: 86_400 };
const PICTURE_TYPE = 'image/webp';
const SHARE_TYPE = 'image/jpeg';
const PICTURE_SIZE = { width: PROFILE_PICTURE_PX, height: PROFILE_PICTURE_PX, square: true };
/** One day, because a picture that was removed, or whose account was deleted, must not be shown for long. */
const CACHE_SECONDS = 86_400;
/** `anna-berg`, `anna-berg-2` and so on are tried. */
const PROPOSALS = 20;

type Me = Omit<BodyOf<typeof updateAccountInfo>, 'id'>;
type Page = Partial<z.output<typeof pageInput>>;

export type ProfileService = ReturnType<typeof createProfileService>;

/** Makes the acts on the profile. */
export function createProfileService({ db, files, limits, pictureWork, uploadLimit, accounts }: ProfileServiceParts) {
  /** A free slug from the name, or the current one. */
  async function propose({ id, firstName, lastName, slug }: store.AccountRow): Promise<string> {
    const name = latin(`${firstName} ${lastName}`).slice(0, SLUG_MAX - 3);
    const proposals = Array.from({ length: PROPOSALS }, (_, index) => (index === 0 ? name : `${name}-${index + 1}`))
      .map((proposal) => proposal.replace(/--+/g, '-'))
      .filter((proposal) => chosenSlug.safeParse(proposal).success);
    if (proposals.length === 0) return slug;
    const taken = await store.takenSlugs(db, proposals, id);
    return proposals.find((proposal) => !taken.has(proposal)) ?? slug;
  }

  async function read({ id }: Account): Promise<Profile> {
    const row = await store.findAccount(db, id);
    if (row === null) throw new Problem('session_expired');
    const [page, change, proposedSlug] = await Promise.all([
      store.readPage(db, id),
      store.findOpenChange(db, id),
      propose(row),
    ]);
    return {
      id,
      firstName: row.firstName,
      lastName: row.lastName,
      gender: row.gender,
      language: row.language,
      timeZone: row.timeZone,
      picture: picturePathOf(row),
      slug: row.slug,
      proposedSlug,
      ...page,
      email: row.email,
      pendingEmail: change && { email: change.newEmail, expiresAt: change.expiresAt.toISOString() },
      joinLink: row.joinLink,
      deletesOn: row.deletesAt?.toISOString() ?? null,
    };
  }

  /** Gives the account another picture, or none, and removes the previous one. */
  async function setPicture(id: number, put: (tx: Parameters<Files['put']>[0]) => Promise<string | null>) {
    const pictureFile = await db.transaction(async (tx) => {
      const row = await store.lockAccount(tx, id);
      if (row === null) throw new Problem('session_expired');
      const next = await put(tx);
      await store.updateAccount(tx, id, { pictureFile: next });
      if (row.pictureFile !== null) await files.remove(tx, row.pictureFile);
      return next;
    });
    accounts.forget(id);
    return picturePathOf({ id, pictureFile });
  }

  return {
    read,

    /** Saves the given values and leaves the rest. */
    async saveMe({ id }: Account, { firstName, lastName, gender, language, timeZone }: Me): Promise<void> {
      await store.updateAccount(db, id, {
        firstName,
        lastName,
        ...(gender === undefined ? {} : { gender }),
        ...(language === undefined ? {} : { language }),
        ...(timeZone === undefined ? {} : { timeZone }),
      });
      accounts.forget(id);
    },

    /**
     * Saves the given values of the public page and leaves the rest. Problems: `slug_taken`; `too_many_requests` for
     * too many changes of the slug.
     */
    async savePage({ id }: Account, { slug, line, about }: Page): Promise<void> {
      const changes = await limits.counter(`slug ${id}`, SLUG_CHANGES);
      await db.transaction(async (tx) => {
        await store.lockSlugs(tx);
        const row = await store.lockAccount(tx, id);
        if (row === null) throw new Problem('session_expired');
        if (slug !== undefined && slug !== row.slug) {
          if ((await store.takenSlugs(tx, [slug], id)).size > 0) throw new Problem('slug_taken');
          await limits.takeTogether(tx, [changes]);
          await store.changeSlug(tx, row, slug);
        }
        const page = await store.readPage(tx, id);
        await store.writePage(tx, id, { line: line ?? page.line, about: about ?? page.about });
      });
      accounts.forget(id);
    },

    /**
     * Sets the picture. Takes the uploaded bytes. Problems: `image_unreadable`, `image_too_large`, `quota_reached`,
     * `too_many_requests`.
     */
    async uploadPicture({ id }: Account, bytes: Buffer): Promise<{ picture: string }> {
      await limits.take(`upload ${id}`, uploadLimit);
      const webp = await pictureWork.render(`account ${id}`, () => renderPicture(bytes, PICTURE_SIZE));
      const written = await files.write(db, {
        ownerId: id,
        kind: 'profile picture',
        contentType: PICTURE_TYPE,
        bytes: webp,
      });
      const picture = await setPicture(id, async (tx) => (await files.put(tx, written)).id);
      return { picture: picture! };
    },

    async removePicture({ id }: Account): Promise<void> {
      await setPicture(id, async () => null);
    },

    /**
     * The picture of a therapist with a public page, for messengers as a JPEG with all of the face. Takes the caller's
     * address block. Problems: `not_found`; `too_many_requests` if a messenger requests very many.
     */
    async picture(therapistId: number, shared: boolean, block: string): Promise<Bytes> {
      const fileId = await store.findPublicPicture(db, therapistId);
      const read = async () => {
        const stored = fileId === null ? null : await files.read(fileId);
        if (stored === null) throw new Problem('not_found');
        return stored;
      };
      return {
        contentType: shared ? SHARE_TYPE : PICTURE_TYPE,
        bytes: shared
          ? await pictureWork.share(`portrait ${fileId}`, block, async () => renderWholeJpeg(await read(), SHARE_SIZE))
          : await read(),
        headers: {
          'content-disposition': `inline; filename="picture.${shared ? 'jpg' : 'webp'}"`,
          // Messengers ask for pictures from their own sites.
          'cross-origin-resource-policy': shared ? 'cross-origin' : 'same-origin',
          'cache-control': `public, max-age=${CACHE_SECONDS}`,
        },
      };
    },
  };
}
