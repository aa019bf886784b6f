/** Bug reports: storing them, showing them to the operator, and deleting them. Rules: docs/product.md#12.20. */
import type { BugReport, BugReportState, findBugReports, NewBugReport } from '@fieldroom/contract/bugReports';
import type { QueryOf, ReplyOf } from '@fieldroom/contract/http';
import { Problem } from '../../platform/problem.ts';
import type { Principal } from '../../access.ts';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Files } from '../../platform/files/files.ts';
import type { Bytes } from '../../platform/http/http.ts';
import type { Limits } from '../../platform/limits.ts';
import type { PictureWork } from '../../platform/files/picture-work.ts';
import { renderPicture } from '../../platform/files/pictures.ts';
import * as store from './bugReports.store.ts';

export interface BugReportsParts {
  db: Db;
  files: Pick<Files, 'write' | 'put' | 'read'>;
  limits: Pick<Limits, 'take'>;
  pictureWork: Pick<PictureWork, 'render'>;
  config: Pick<Config, 'limits'>;
}

/** A whole page may be long; its text stays readable. */
const PICTURE_SIZE = { width: 1600, height: 8000 };
const PICTURE_TYPE = 'image/webp';
/** A therapist and all their clients together may send this many times as many reports as one person. */
const PRACTICE_TOGETHER = 3;

/** Refuses a form whose statement about its picture does not match what arrived. */
function checkPicture({ noImg }: NewBugReport, picture: Buffer | null): void {
  if (noImg === (picture === null)) return;
  throw new Problem('invalid_input', {
    fields: [noImg ? { path: 'value.noImg', code: 'invalid_value' } : { path: 'screenshot', code: 'required' }],
  });
}

/** What is stored about the reporter. */
function reporterOf(principal: Principal): Pick<Parameters<typeof store.insertReport>[1], 'accountId' | 'reporter'> {
  if (principal.kind === 'client') return { accountId: principal.therapistId, reporter: 'client' };
  return { accountId: principal.id, reporter: principal.roles.includes('ROLE_ADMIN') ? 'admin' : 'therapist' };
}

export type BugReports = ReturnType<typeof createBugReportsService>;

/** Makes the service. Takes database, files, and the limits with their settings. */
export function createBugReportsService({ db, files, limits, config, pictureWork }: BugReportsParts) {
  return {
    /**
     * Stores a report, with its picture if there is one. Takes the uploaded bytes. Problems: `invalid_input`,
     * `image_unreadable`, `image_too_large`, `quota_reached`, `too_many_requests` (docs/product.md#12.22).
     */
    async save(principal: Principal, report: NewBugReport, picture: Buffer | null): Promise<void> {
      checkPicture(report, picture);
      const { max, windowSeconds } = config.limits.bugReports;
      const sender = `${principal.kind} ${principal.id}`;
      const { accountId, reporter } = reporterOf(principal);
      await limits.take(`bug report ${sender}`, { max, windowSeconds });
      // By practice: a person who reports very often must not block others.
      await limits.take(`bug report of ${accountId}`, { max: max * PRACTICE_TOGETHER, windowSeconds });
      const bytes =
        picture === null ? null : await pictureWork.render(sender, () => renderPicture(picture, PICTURE_SIZE));
      // The person's name and details are only claims, and the picture is stored already.
      const { appId: _app, name: _name, userDetails: _details, noImg: _noImg, ...kept } = report;
      const written =
        bytes === null
          ? null
          : await files.write(db, {
              ownerId: principal.id,
              kind: store.PICTURE_KIND,
              contentType: PICTURE_TYPE,
              bytes,
            });
      await db.transaction(async (tx) => {
        const file = written === null ? null : await files.put(tx, written);
        await store.insertReport(tx, { ...kept, accountId, reporter, picture: file?.id ?? null });
      });
    },

    /** One page of reports, for the operator. */
    async find(
      state: BugReportState | null,
      { page, size }: QueryOf<typeof findBugReports>,
    ): Promise<ReplyOf<typeof findBugReports>> {
      return {
        content: await store.readReports(db, state, { limit: size, offset: page * size }),
        page,
        size,
        totalElements: await store.countReports(db, state),
      };
    },

    /** The picture of a report. Problem: `not_found`. */
    async picture(id: number): Promise<Bytes> {
      const fileId = await store.findPicture(db, id);
      const bytes = fileId === null ? null : await files.read(fileId);
      if (bytes === null) throw new Problem('not_found');
      return {
        contentType: PICTURE_TYPE,
        bytes,
        headers: {
          'content-disposition': 'inline; filename="bug-report.webp"',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'same-origin',
          'cache-control': 'private, no-store',
        },
      };
    },

    /** Sets the state of a report. Returns the report. Problem: `not_found`. */
    async setState(id: number, state: BugReportState): Promise<BugReport> {
      await store.writeState(db, id, state);
      const report = await store.findReport(db, id);
      if (report === null) throw new Problem('not_found');
      return report;
    },

    /** Deletes reports after 180 days, and pictures that no report shows any more. Returns the number of reports. */
    removeOutdated: (): Promise<{ bugReports: number }> =>
      db.transaction(async (tx) => {
        const removed = await store.deleteOld(tx);
        await store.deleteUnusedPictures(tx);
        return { bugReports: removed };
      }),
  };
}
