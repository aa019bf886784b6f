/** The operator's pages: therapists and their usage, suspensions, scheduled jobs. Rules: docs/product.md#15. */
import type { CronJob, CronJobType, TherapistUsage } from '@fieldroom/contract/admin';
import { csvSeparator, csvText } from '@fieldroom/contract/csv';
import type { PageQuery } from '@fieldroom/contract/lists';
import { Problem } from '../../platform/problem.ts';
import type { Language } from '@fieldroom/contract/text';
import type { Db } from '../../platform/db/db.ts';
import type { Schedule, ScheduleEntry } from '../../platform/scheduling/schedule.ts';
import { patternOf } from '../../platform/db/search-text.ts';
import type { Accounts } from '../accounts/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { readUsage, countUsage, type UsageWanted } from './admin.store.ts';
import { CSV_WORDS } from './admin.words.ts';

export interface AdminParts {
  db: Db;
  schedule: Pick<Schedule, 'list' | 'save' | 'runNow'>;
  accounts: Pick<Accounts, 'suspend' | 'reinstate'>;
  sessions: Pick<Sessions, 'end'>;
}

/** The filter of the contract, unchanged. */
export interface UsageFilterInput {
  keyword?: string | null | undefined;
  state?: TherapistUsage['state'] | null | undefined;
  sort?: UsageWanted['sort'] | null | undefined;
  descending?: boolean | null | undefined;
}

export type Admin = ReturnType<typeof createAdminService>;

const wantedOf = ({ keyword, state, sort, descending }: UsageFilterInput = {}): UsageWanted => ({
  pattern: patternOf(keyword),
  state: state ?? null,
  sort: sort ?? 'name',
  descending: descending ?? false,
});

const toCronJob = (entry: ScheduleEntry): CronJob => ({
  type: entry.type as CronJobType,
  schedule: entry.schedule,
  timeZone: entry.timeZone,
  enabled: entry.enabled,
  running: entry.running,
  lastRunOn: entry.lastRunAt?.toISOString() ?? null,
  lastResult: entry.lastResult,
  lastCounts: entry.lastCounts,
  lastFault: entry.lastFault,
  nextRunOn: entry.enabled ? (entry.nextRunAt?.toISOString() ?? null) : null,
});

/** Hours and minutes, as spreadsheets read durations. */
const duration = (seconds: number): string =>
  `${Math.floor(seconds / 3600)}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')}`;

/**
 * Makes the acts of the operator. Takes database, scheduled jobs, and what suspends an account and ends its live
 * session.
 */
export function createAdminService({ db, schedule, accounts, sessions }: AdminParts) {
  /** Problem: `not_found`, also for accounts of other people than therapists. */
  async function usageOf(id: number): Promise<TherapistUsage> {
    const wanted: UsageWanted = { pattern: null, state: null, sort: 'name', descending: false, id };
    const [row] = await readUsage(db, wanted, { limit: 1, offset: 0 });
    if (row === undefined) throw new Problem('not_found');
    return row;
  }

  return {
    async findUsage(filter: UsageFilterInput | undefined, { page, size }: PageQuery) {
      const wanted = wantedOf(filter);
      return {
        content: await readUsage(db, wanted, { limit: size, offset: page * size }),
        page,
        size,
        totalElements: await countUsage(db, wanted),
      };
    },

    /** All therapists that the filter finds, as CSV in the operator's language. */
    async exportUsage(filter: UsageFilterInput | undefined, language: Language): Promise<Uint8Array> {
      const words = CSV_WORDS[language];
      const rows = await readUsage(db, wantedOf(filter), { limit: null, offset: 0 });
      return Buffer.from(
        csvText(
          [
            words.headings,
            ...rows.map((row) => [
              String(row.id),
              row.firstName,
              row.lastName,
              row.email,
              words.states[row.state],
              words.plans[row.plan],
              duration(row.seconds),
              String(row.sessions),
              String(row.trees),
              String(row.peopleHelped),
              row.registeredOn.slice(0, 10),
              row.lastSessionOn?.slice(0, 10) ?? '',
            ]),
          ],
          csvSeparator(language),
        ),
      );
    },

    /** Ends live session and sign-ins. Problems: `not_found`; `forbidden` for admins, who would lock themselves out. */
    async suspend(therapistId: number): Promise<TherapistUsage> {
      await usageOf(therapistId);
      await accounts.suspend(therapistId);
      await sessions.end(therapistId, 'signed_out');
      return usageOf(therapistId);
    },

    async reinstate(therapistId: number): Promise<TherapistUsage> {
      await usageOf(therapistId);
      await accounts.reinstate(therapistId);
      return usageOf(therapistId);
    },

    async cronJobs(type: CronJobType | null): Promise<CronJob[]> {
      const jobs = (await schedule.list()).map(toCronJob);
      return type === null ? jobs : jobs.filter((job) => job.type === type);
    },
    async saveCronJob(type: CronJobType, change: { schedule?: string; enabled?: boolean }): Promise<CronJob> {
      return toCronJob(await schedule.save(type, change));
    },
    async runCronJob(type: CronJobType): Promise<CronJob> {
      return toCronJob(await schedule.runNow(type));
    },
  };
}
