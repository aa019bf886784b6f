/** The therapist's start page: the next event, the latest sessions, and the way into the room. */
import { joinPage } from '@fieldroom/contract/pages';
import { Button, Skeleton } from '@mantine/core';
import { useClipboard, useDocumentVisibility, useWindowEvent } from '@mantine/hooks';
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createElement, useCallback, useDeferredValue, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetAskedAhead } from '../../platform/fetching/askedAhead.ts';
import type { StoredUser } from '../../platform/storage.ts';
import { lazyPart } from '../../ui/lazy/lazyPart.ts';
import { useCurrentUser } from '../accounts/index.ts';
import {
  eventQueries,
  LazyEventDialogs,
  type OfferedUndo,
  type OpenDialog,
  type Outcome,
  useOutcome,
} from '../events/list/index.ts';
import { sessionQueries } from '../sessions/index.ts';
import { BookingsCard } from './cards/BookingsCard.tsx';
import { FieldCard } from './cards/FieldCard.tsx';
import { FirstSteps, useFirstSteps } from './cards/FirstSteps.tsx';
import { HoursCard } from './cards/HoursCard.tsx';
import { CodeCard, LinkCard } from './cards/JoinCards.tsx';
import { NextEventCard } from './cards/NextEventCard.tsx';
import { PeopleHelpedCard } from './cards/PeopleHelpedCard.tsx';
import { SessionsCard } from './cards/SessionsCard.tsx';
import { TreesCard } from './cards/TreesCard.tsx';
import { DashboardHead } from './DashboardHead.tsx';
import { dashboardQueries } from './dashboardQueries.ts';
import { useLaterPart } from './useLaterPart.ts';
import styles from './Dashboard.module.css';

export { fetchDashboardAhead } from './fetchDashboardAhead.ts';

const retentionCard = lazyPart(() => import('../retention/index.ts').then((module) => module.RetentionCard));

/** The signed-in person, fetched again whenever the page gets the focus: a renewed join link must not be passed on. */
function useFreshUser(): StoredUser | null {
  const { user, refresh } = useCurrentUser();
  const visibility = useDocumentVisibility();
  useEffect(() => {
    if (visibility === 'visible') refresh();
  }, [visibility, refresh]);
  useWindowEvent('focus', () => {
    if (document.visibilityState === 'visible') refresh();
  });
  return user;
}

/**
 * The page (`/app/dashboard`) for therapists. The cards of the left column appear once it is known whether the first
 * steps lead them, so that nothing moves (docs/product.md#11.74).
 */
export function DashboardPage() {
  const queries = useQueryClient();
  const user = useFreshUser();
  const joinLink = user?.joinLink ?? '';
  const joinAddress = `${window.location.origin}${joinPage(joinLink)}`;
  // The message stays.
  const clipboard = useClipboard({ timeout: 2 ** 31 - 1 });
  const onChanged = useCallback(() => {
    void queries.invalidateQueries({ queryKey: eventQueries.lists() });
    void queries.invalidateQueries(dashboardQueries.bookings());
  }, [queries]);
  const { outcome, setOutcome, undo, newsHandlers } = useOutcome(onChanged);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const running = useQuery(sessionQueries.latest()).data?.content.some(({ endedOn }) => endedOn === null) ?? false;

  const steps = useFirstSteps();
  // Once the cards are drawn, they stay: they repeat failed requests themselves.
  const [standing, setStanding] = useState(false);
  if (!standing && steps !== 'loading') setStanding(true);
  useEffect(() => forgetAskedAhead, []);
  // The next event is drawn first, and the cards below it right after it: all at once they would block a weak phone.
  const whole = useDeferredValue(true, false);

  const copy = () => {
    setOutcome(null);
    clipboard.copy(joinAddress);
  };
  const close = useCallback(() => setOpen(null), []);
  const onOutcome = useCallback(
    (next: Outcome) => {
      clipboard.reset();
      setOutcome(next);
    },
    [clipboard, setOutcome],
  );
  const onAttendees = useCallback((eventId: number) => setOpen({ kind: 'attendees', eventId }), []);
  const onEdit = useCallback((eventId: number) => setOpen({ kind: 'edit', eventId }), []);

  return (
    <>
      <DashboardHead firstName={user?.firstName ?? ''} running={running} onCopy={copy} />
      <Told
        outcome={outcome}
        newsHandlers={newsHandlers}
        onUndo={undo}
        copied={clipboard.copied && !clipboard.error}
        uncopied={clipboard.error ? joinAddress : null}
      />
      <div className={styles.grid}>
        <div className={styles.column}>
          {standing ? (
            <>
              {steps && steps !== 'loading' ? <FirstSteps steps={steps} onCopy={copy} /> : null}
              <NextEventCard onAttendees={onAttendees} onEdit={onEdit} />
              {whole ? (
                <>
                  <SessionsCard />
                  <HoursCard />
                  <FieldCard />
                </>
              ) : null}
            </>
          ) : (
            <CardsToCome />
          )}
        </div>
        <div className={styles.column}>
          {whole ? (
            <>
              <TreesCard />
              <PeopleHelpedCard />
              <BookingsCard onAttendees={onAttendees} />
              <LinkCard joinLink={joinLink} address={joinAddress} />
              <CodeCard />
              <LaterRetentionCard />
            </>
          ) : null}
        </div>
      </div>
      <LazyEventDialogs open={open} onClose={close} onChanged={onChanged} onOutcome={onOutcome} />
    </>
  );
}

/** How long names are stored: at the end of the page, and seldom needed. */
function LaterRetentionCard() {
  const { box, part } = useLaterPart(retentionCard);
  if (part) return createElement(part, { className: styles.card });
  return (
    <section ref={box} className={styles.card} aria-hidden>
      <Skeleton height={24} width="40%" radius={8} mb={16} />
      <Skeleton height={150} radius={12} />
    </section>
  );
}

/**
 * The places of a column's cards, until it is known whether the first steps lead it: otherwise these would push the
 * others down.
 */
function CardsToCome() {
  const { t: tc } = useTranslation('common');
  return (
    <div className={styles.column} role="status" aria-busy="true" aria-label={tc('loading')}>
      {[220, 260, 180].map((height) => (
        <div key={height} className={styles.card}>
          <Skeleton height={24} width="40%" radius={8} mb={16} />
          <Skeleton height={height - 100} radius={12} />
        </div>
      ))}
    </div>
  );
}

interface ToldProps {
  outcome: Outcome | null;
  /** From `useOutcome`: the event handlers that keep the outcome visible. */
  newsHandlers: ReturnType<typeof useOutcome>['newsHandlers'];
  onUndo(undo: OfferedUndo): void;
  copied: boolean;
  /** The join address if it could not be copied. */
  uncopied: string | null;
}

/** The result of the last act: shown once, below the heading. */
function Told({ outcome, newsHandlers, onUndo, copied, uncopied }: ToldProps) {
  const { t } = useTranslation('dashboard');
  const Icon = outcome?.tone === 'fault' ? IconAlertCircle : IconCircleCheck;
  return (
    <p className={styles.told} role="status" data-tone={outcome?.tone} {...newsHandlers}>
      {outcome ? (
        <>
          <Icon size={20} stroke={1.75} aria-hidden /> {outcome.text}
        </>
      ) : null}
      {outcome?.undo ? <Undo undo={outcome.undo} onUndo={onUndo} /> : null}
      {!outcome && copied ? (
        <>
          <IconCircleCheck size={20} stroke={1.75} aria-hidden /> {t('copied')}
        </>
      ) : null}
      {!outcome && uncopied !== null ? (
        <>
          {t('copyFailed')} <code>{uncopied}</code>
        </>
      ) : null}
    </p>
  );
}

function Undo({ undo, onUndo }: { undo: OfferedUndo; onUndo(undo: OfferedUndo): void }) {
  return (
    <Button size="sm" variant="default" onClick={() => onUndo(undo)}>
      {undo.label}
    </Button>
  );
}
