/** The calls about browser logs. */
import * as calls from '@fieldroom/contract/logs';
import type { Http } from '../../access.ts';
import type { Logs } from './logs.service.ts';

/** An IPv4 address in the notation of a dual-stack socket. */
const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** Mounts the calls. */
export function logsRoutes(http: Http, logs: Logs): void {
  http.handle(calls.saveLog, ({ access, body }) => logs.save(access, body.loggerEntries));
  http.handle(calls.logFile, ({ params }) => logs.file(params.date, params.therapistId, params.fileName));
  http.handle(calls.getMyIp, ({ ip }) => ({ ip: ip.replace(MAPPED, '') }));
  http.handle(calls.findLogDays, () => logs.days());
  http.handle(calls.findLogOwners, ({ params }) => logs.owners(params.date));
  http.handle(calls.findLogFiles, ({ params }) => logs.files(params.date, params.therapistId));
}
