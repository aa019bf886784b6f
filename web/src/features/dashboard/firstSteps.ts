import type { Plan } from '@fieldroom/contract/usage';

export type StepName = 'open' | 'invite' | 'publish' | 'register';

export interface Known {
  /** Live sessions so far. */
  sessions: number;
  /** Different clients who have been in the room. */
  peopleHelped: number;
  /** Whether an event was ever published. */
  hasEvent: boolean;
  plan: Plan;
}

/**
 * Which of the first steps are done. Returns null once no step is left: all are done, or a therapist with a complete
 * registration works with clients and just publishes no events.
 */
export function firstSteps({ sessions, peopleHelped, hasEvent, plan }: Known): Record<StepName, boolean> | null {
  const steps = {
    open: sessions > 0,
    // Whether a link was sent is not known; that somebody used it is.
    invite: peopleHelped > 0,
    publish: hasEvent,
    register: plan === 'PROFESSIONAL',
  };
  return steps.open && steps.invite && steps.register ? null : steps;
}
