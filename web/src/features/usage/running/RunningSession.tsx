/**
 * A running live session on every page of the app except the room (docs/product.md#7.7, 11.51): who is in, how to go
 * back and how to end it. A therapist who left the room without ending it reads once that the timer continues.
 */
import { endLiveSession, type RoomState } from '@fieldroom/contract/clients';
import { THERAPIST_ROOM } from '@fieldroom/contract/pages';
import { claimFourHours } from '@fieldroom/contract/usage';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { useSinglePress } from '../../../platform/forms/useSinglePress.ts';
import { lazyPart, OpenAfterMount, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import { LazyUsageDialog, staysDue } from '../dialogs/lazyUsageDialogs.tsx';
import { claimTimerStays } from '../leftRoom.ts';
import { TimerBadge } from '../timer/TimerBadge.tsx';
import { usageQuery } from '../usageQueries.ts';
import { LOOK_MS, roomQuery } from './roomQuery.ts';
import styles from './RunningSession.module.css';

const runningDialogs = lazyPart(() => import('./RunningDialogs.tsx'));
const FOUR_HOURS = { dialog: 'fourhours', until: null } as const;

/**
 * The badge of the shell's top bar, for therapists. `FourHoursInShell` has already made the request before it is drawn.
 */
export function ShellTimer() {
  const { data } = useQuery({
    ...usageQuery(),
    refetchOnMount: false,
    refetchInterval: LOOK_MS,
    refetchOnWindowFocus: true,
  });
  return <TimerBadge timer={data?.timer ?? null} />;
}

/**
 * At the head of a therapist's pages; draws nothing while no session is running. Ending asks first. Changes are
 * announced politely to screen readers. Also shows the dialog about the fourth hour if no room was open
 * (docs/product.md#7.4).
 */
export function RunningSession() {
  const { t } = useTranslation('usage');
  const { data: room } = useQuery(roomQuery());
  const [asked, setAsked] = useState(false);
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => api.call(endLiveSession),
    onSuccess: () => setAsked(false),
    // It may have ended by itself; either way the pages fetch again.
    onSettled: () => queries.invalidateQueries(),
  });
  const endNow = useSinglePress(end.mutateAsync);
  const running = room?.liveSession ?? null;
  const words = useWhoIsIn(room);
  const isAsked = asked && running !== null;
  const keep = () => setAsked(false);
  const dialogs = useLazyPart(runningDialogs, isAsked, keep);
  const ask = () => {
    end.reset();
    setAsked(true);
  };
  return (
    <>
      {running !== null && (
        <section className={styles.bar} aria-label={t('running.title')}>
          <span className={styles.dot} aria-hidden />
          <span className={styles.words}>{words}</span>
          <Button component={Link} to={THERAPIST_ROOM} size="compact-md" variant="light">
            {t('running.back')}
          </Button>
          <Button size="compact-md" variant="default" onClick={ask}>
            {t('running.end')}
          </Button>
        </section>
      )}
      <News words={room === undefined ? null : words} />
      {dialogs && (
        <OpenAfterMount
          dialog={dialogs.EndDialog}
          given={{ opened: isAsked, failed: end.isError, busy: end.isPending, onClose: keep, onEnd: () => endNow() }}
        />
      )}
      <TimerStays sessionId={running?.id ?? null} />
      <FourHoursInShell />
    </>
  );
}

/** “Your session is running, 3 people are in · 1 person is waiting”; an empty text while none runs. */
function useWhoIsIn(room: RoomState | undefined): string {
  const { t } = useTranslation('usage');
  if (!room?.liveSession) return '';
  const { people, waiting } = room;
  const inside = people.length === 0 ? t('running.nobody') : t('running.people', { count: people.length });
  return waiting.length === 0 ? inside : `${inside} · ${t('running.waiting', { count: waiting.length })}`;
}

/** Announces to screen readers politely what has changed since the page opened; null while it is not known. */
function News({ words }: { words: string | null }) {
  const { t } = useTranslation('usage');
  const before = useRef<string | null>(null);
  const [told, setTold] = useState('');
  useEffect(() => {
    if (words === null) return;
    if (before.current !== null && words !== before.current) setTold(words === '' ? t('running.over') : words);
    before.current = words;
  }, [words, t]);
  return (
    <span role="status" className="fr-hidden">
      {told}
    </span>
  );
}

/** Tells a therapist who left the room in this tab, once for each live session, that the timer continues. */
function TimerStays({ sessionId }: { sessionId: number | null }) {
  const [told, setTold] = useState(false);
  useEffect(() => {
    if (sessionId !== null && claimTimerStays(sessionId)) setTold(true);
  }, [sessionId]);
  const opened = told && sessionId !== null;
  const dialogs = useLazyPart(runningDialogs, opened);
  return (
    dialogs && <OpenAfterMount dialog={dialogs.TimerStaysDialog} given={{ opened, onClose: () => setTold(false) }} />
  );
}

/** The dialog about the fourth hour, if no room was open when it became due. */
function FourHoursInShell() {
  const { data, dataUpdatedAt } = useQuery(usageQuery());
  const [opened, setOpened] = useState<boolean | null>(null);
  const due = data?.fourHoursDue === true;
  const claimed = useRef(false);
  // With each answer that reports it: a failed claim is repeated with the next one.
  useEffect(() => {
    if (!due || claimed.current) return;
    claimed.current = true;
    api.call(claimFourHours).then(
      ({ show }) => {
        if (show) setOpened(true);
      },
      () => {
        claimed.current = false;
      },
    );
  }, [due, dataUpdatedAt]);
  if (opened === null) return null;
  return <LazyUsageDialog opened={opened} which={FOUR_HOURS} onClose={() => setOpened(false)} onFailed={staysDue} />;
}
