/** Usage: the timer of each therapist, the trial, trees and people helped. */
import type { Feature } from '../../feature.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import { createUsageChannel } from './usage.channel.ts';
import { createUsageEmails } from './emails/usage.emails.ts';
import { gates } from './usage.gates.ts';
import { usageRoutes } from './usage.routes.ts';
import type { UsageParts } from './usage.parts.ts';
import { createUsageService, type UsageService } from './usage.service.ts';

export interface Usage
  extends
    Pick<
      UsageService,
      | 'timerOf'
      | 'isCounting'
      | 'planOf'
      | 'becomeProfessional'
      | 'billedSeconds'
      | 'settle'
      | 'acted'
      | 'therapistHere'
      | 'afterStart'
    >,
    Required<Pick<Feature, 'routes' | 'channel' | 'jobs' | 'scheduled' | 'stop'>> {
  readonly gates: typeof gates;
}

/** Makes the timers. Takes the platform's parts, and the features whose rooms they count. */
export function createUsage({
  outbox,
  publicUrl,
  ...parts
}: Omit<UsageParts, 'mail'> & { outbox: Pick<Outbox, 'put'>; publicUrl: string }): Usage {
  const service = createUsageService({ ...parts, mail: createUsageEmails(outbox, publicUrl) });
  const { timerOf, isCounting, planOf, becomeProfessional, billedSeconds, settle } = service;
  const { acted, therapistHere, afterStart, sweep, stopForgotten, stopAll } = service;
  return {
    ...{ timerOf, isCounting, planOf, becomeProfessional, billedSeconds, settle },
    ...{ acted, therapistHere, afterStart, gates },
    routes: (http) => usageRoutes(http, service),
    channel: createUsageChannel(service),
    jobs: [{ name: 'usage.sweep', everySeconds: 1, run: sweep }],
    scheduled: [{ type: 'STOP_FORGOTTEN_TIMERS', schedule: '*/10 * * * *', timeZone: 'UTC', run: stopForgotten }],
    stop: stopAll,
  };
}
