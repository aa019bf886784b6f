/** The calls about the timer. */
import * as calls from '@fieldroom/contract/usage';
import { Problem } from '../../platform/problem.ts';
import type { Http, Principal } from '../../access.ts';
import type { UsageService } from './usage.service.ts';

/** Only therapists have a timer; `self` lets a client's own id through as well. */
function therapistId(self: Principal): number {
  if (self.kind !== 'account' || !self.roles.includes('ROLE_THERAPIST')) throw new Problem('forbidden');
  return self.id;
}

/** Mounts the calls. */
export function usageRoutes(http: Http, usage: UsageService): void {
  http.handle(calls.getTimer, ({ access }) => usage.timerOf(access.therapistId));
  http.handle(calls.startTimer, ({ access, body }) => usage.start(therapistId(access), body?.tab));
  http.handle(calls.stopTimer, ({ access }) => usage.stop(therapistId(access)));
  http.handle(calls.scheduleTimerStop, ({ access, params, body }) =>
    usage.scheduleStop(therapistId(access), params.seconds, body?.tab),
  );
  http.handle(calls.sendFourHourWarningMail, ({ access }) => usage.sendFourHourMail(access.id));
  http.handle(calls.getUsage, ({ access }) => usage.usageOf(access.id));
  http.handle(calls.claimFourHours, async ({ access }) => ({ show: await usage.claimFourHours(access.id) }));
}
