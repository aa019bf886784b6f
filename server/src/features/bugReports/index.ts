/** Reports about faults, for the operator. Rules: docs/product.md#12.20. */
import * as calls from '@fieldroom/contract/bugReports';
import type { Feature } from '../../feature.ts';
import { type BugReports, type BugReportsParts, createBugReportsService } from './bugReports.service.ts';

/** Makes the bug reports. The retention uses `removeOutdated`. */
export function createBugReports(
  parts: BugReportsParts,
): Required<Pick<Feature, 'routes'>> & Pick<BugReports, 'removeOutdated'> {
  const service = createBugReportsService(parts);
  return {
    removeOutdated: service.removeOutdated,
    routes(http) {
      http.handle(calls.saveBugReport, ({ access, body, file }) =>
        service.save(access, body.value, file?.bytes ?? null),
      );
      http.handle(calls.findBugReports, ({ body, query }) => service.find(body?.state ?? null, query));
      http.handle(calls.bugReportPicture, ({ params }) => service.picture(params.reportId));
      http.handle(calls.setBugReportState, ({ params, body }) => service.setState(params.reportId, body.state));
    },
  };
}
