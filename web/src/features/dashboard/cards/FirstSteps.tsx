/** The first steps of a new therapist: each with its state and one act. Removed when all are done. */
import { PACKAGE_PAGE, PROGRAM_PAGE, THERAPIST_ROOM } from '@fieldroom/contract/pages';
import { Button } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { eventQueries } from '../../events/list/index.ts';
import { sessionQueries } from '../../sessions/index.ts';
import { usageQuery } from '../../usage/running/index.ts';
import { Card } from '../Card.tsx';
import { firstSteps, type StepName } from '../firstSteps.ts';
import own from './FirstSteps.module.css';

export type Steps = Record<StepName, boolean>;

/**
 * Returns the state of each step; `loading` while it is not known, and null once all are done or if it cannot be known.
 */
export function useFirstSteps(): Steps | 'loading' | null {
  const sessions = useQuery(sessionQueries.latest());
  const usage = useQuery(usageQuery());
  const upcoming = useQuery(eventQueries.page('upcoming', {}, 0));
  const none = upcoming.data?.totalElements === 0;
  const latest = useQuery({ ...eventQueries.latest(), enabled: none });
  if (sessions.data && usage.data && upcoming.data && !(none && latest.data === undefined))
    return firstSteps({
      sessions: sessions.data.totalElements,
      peopleHelped: usage.data.peopleHelped,
      hasEvent: !none || Boolean(latest.data),
      plan: usage.data.plan,
    });
  return [sessions, usage, upcoming, latest].some(({ error }) => error) ? null : 'loading';
}

/**
 * The card with the steps: open the room, invite, publish an event, register. A finished step keeps its place without
 * its button. `onCopy` copies the join link.
 */
export function FirstSteps({ steps, onCopy }: { steps: Steps; onCopy(): void }) {
  const { t } = useTranslation('dashboard');
  const done = Object.values(steps).filter(Boolean).length;
  // Not a route that this page's types know: the address is that of the billing page.
  const packagePage: string = PACKAGE_PAGE;
  const acts: Record<StepName, ReactNode> = {
    open: (
      <Button size="sm" variant="default" component={Link} to={THERAPIST_ROOM}>
        {t('steps.open.act')}
      </Button>
    ),
    invite: (
      <Button size="sm" variant="default" onClick={onCopy}>
        {t('steps.invite.act')}
      </Button>
    ),
    publish: (
      <Button size="sm" variant="default" component={Link} to={PROGRAM_PAGE}>
        {t('steps.publish.act')}
      </Button>
    ),
    register: (
      <Button size="sm" variant="default" component={Link} to={packagePage}>
        {t('steps.register.act')}
      </Button>
    ),
  };
  return (
    <Card title={t('steps.title')} rows aside={<span>{t('steps.count', { done, count: 4 })}</span>}>
      <ol className={own.steps}>
        {(Object.keys(steps) as StepName[]).map((name, index) => (
          <li key={name} data-done={steps[name] || undefined}>
            <span className={own.mark} aria-hidden>
              {steps[name] ? <IconCheck size={18} stroke={2} /> : index + 1}
            </span>
            <span className={own.words}>
              <span>
                {t(`steps.${name}.title`)}
                {steps[name] ? <span className="fr-hidden"> ({t('steps.done')})</span> : null}
              </span>
              {steps[name] ? null : <span>{t(`steps.${name}.text`)}</span>}
            </span>
            {steps[name] ? null : acts[name]}
          </li>
        ))}
      </ol>
    </Card>
  );
}
