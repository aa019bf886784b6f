/** The operator's calls. */
import * as calls from '@fieldroom/contract/admin';
import type { Http } from '../../access.ts';
import type { Admin } from './admin.service.ts';

/** Mounts the calls. */
export function adminRoutes(http: Http, admin: Admin): void {
  http.handle(calls.findUsage, ({ body, query }) => admin.findUsage(body, query));
  http.handle(calls.exportUsage, async ({ access, body }) => ({
    contentType: 'text/csv',
    bytes: await admin.exportUsage(body, access.language),
    headers: { 'content-disposition': 'attachment; filename="usage.csv"' },
  }));
  http.handle(calls.suspendTherapist, ({ params }) => admin.suspend(params.therapistId));
  http.handle(calls.reinstateTherapist, ({ params }) => admin.reinstate(params.therapistId));
  http.handle(calls.findCronJobs, ({ body }) => admin.cronJobs(body?.type ?? null));
  http.handle(calls.saveCronJob, ({ body: { type, schedule, enabled } }) =>
    admin.saveCronJob(type, {
      ...(schedule == null ? {} : { schedule }),
      ...(enabled == null ? {} : { enabled }),
    }),
  );
  http.handle(calls.runCronJob, ({ body }) => admin.runCronJob(body.type));
}
