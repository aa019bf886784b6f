/**
 * A running live session on every page of the app but the room (docs/product.md#7.7): how to go back and how to end it.
 * Who left the room without ending it reads once that the timer stays on.
 */
import { endLiveSession, getRoom } from '@fieldroom/contract/clients';
import { claimFourHours } from '@fieldroom/contract/usage';
import { Button, Modal } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { useSinglePress } from '../../../platform/useSinglePress.ts';
import dialog from '../../../ui/dialogParts.module.css';
import { LazyUsageDialog } from '../dialogs/lazyUsageDialogs.tsx';
import { claimTimerStays } from '../leftRoom.ts';
import { TimerBadge } from '../timer/TimerBadge.tsx';
import { usageQuery } from '../usageQueries.ts';
import styles from './RunningSession.module.css';

/** How often a page outside the room looks, beside the moments when it gets the focus. */
const LOOK_MS = 60_000;

const FOUR_HOURS = { dialog: 'fourhours', until: null } as const;

const looking = { refetchInterval: LOOK_MS, refetchOnWindowFocus: true } as const;
const roomQuery = () => queryOptions({ queryKey: ['room'], queryFn: ({ signal }) => api.call(getRoom, { signal }) });

/** The badge of the shell's top bar, for therapists. */
export function ShellTimer() {
  const { data } = useQuery({ ...usageQuery(), ...looking });
  return <TimerBadge timer={data?.timer ?? null} />;
}

export function RunningSession() {
  const { t } = useTranslation('usage');
  const { data: room } = useQuery({ ...roomQuery(), ...looking });
  const [asked, setAsked] = useState(false);
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: () => api.call(endLiveSession),
    onSuccess: () => setAsked(false),
    // It may have ended by itself meanwhile; either way the pages ask again.
    onSettled: () => queries.invalidateQueries(),
  });
  const endNow = useSinglePress(end.mutateAsync);
  const running = room?.liveSession ?? null;
  const ask = () => {
    end.reset();
    setAsked(true);
  };
  return (
    <>
      {running !== null && (
        <section className={styles.bar} aria-label={t('running.title')}>
          <span className={styles.dot} aria-hidden />
          <span className={styles.words}>{t('running.title')}</span>
          <Button component={Link} to="/app/play-area" size="compact-md" variant="light">
            {t('running.back')}
          </Button>
          <Button size="compact-md" variant="default" onClick={ask}>
            {t('running.end')}
          </Button>
        </section>
      )}
      <Modal
        opened={asked && running !== null}
        onClose={() => setAsked(false)}
        title={t('running.endTitle')}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <p style={{ margin: 0 }}>{t('running.endText')}</p>
        {end.isError && (
          <p className={styles.fault} role="alert">
            {t('running.endFailed')}
          </p>
        )}
        <div className={dialog.acts}>
          <Button variant="default" onClick={() => setAsked(false)}>
            {t('running.endNo')}
          </Button>
          <Button data-autofocus color="danger" loading={end.isPending} onClick={() => endNow()}>
            {t('running.endYes')}
          </Button>
        </div>
      </Modal>
      <TimerStays sessionId={running?.id ?? null} />
      <FourHoursInShell />
    </>
  );
}

/** Tells whoever left the room in this tab, once for each live session, that the timer stays on. */
function TimerStays({ sessionId }: { sessionId: number | null }) {
  const { t } = useTranslation('usage');
  const [opened, setOpened] = useState(false);
  useEffect(() => {
    if (sessionId !== null && claimTimerStays(sessionId)) setOpened(true);
  }, [sessionId]);
  return (
    <Modal
      opened={opened && sessionId !== null}
      onClose={() => setOpened(false)}
      title={t('stays.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <p style={{ margin: 0 }}>{t('stays.text')}</p>
      <div className={dialog.acts}>
        <Button data-autofocus onClick={() => setOpened(false)}>
          {t('stays.understood')}
        </Button>
      </div>
    </Modal>
  );
}

/** The dialog about the fourth hour, where no room was open when it came due. */
function FourHoursInShell() {
  const { data } = useQuery(usageQuery());
  const [opened, setOpened] = useState<boolean | null>(null);
  const due = data?.fourHoursDue === true;
  useEffect(() => {
    if (!due) return;
    api.call(claimFourHours).then(
      ({ show }) => {
        if (show) setOpened(true);
      },
      () => undefined,
    );
  }, [due]);
  if (opened === null) return null;
  return <LazyUsageDialog opened={opened} which={FOUR_HOURS} onClose={() => setOpened(false)} />;
}
