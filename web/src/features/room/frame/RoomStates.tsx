/** The room before and after: its outline while it opens, and calm words after its end or if it could not be opened. */
import { DASHBOARD_PAGE } from '@fieldroom/contract/pages';
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiProblem } from '../../../platform/api/index.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { FigureIcon } from '../../../ui/figures/index.ts';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import { LazySchemeSwitch } from '../../shell/index.ts';
import styles from './RoomStates.module.css';
import frame from './RoomFrame.module.css';
import parts from '../../../ui/roomParts.module.css';

/** Skeleton of the real layout, shown after 200 ms. */
export function RoomLoading() {
  const { t } = useTranslation('room');
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={`${frame.room} ${frame.client}`} data-room="client" aria-busy="true">
      <p className="fr-hidden" role="status">
        {t('loading')}
      </p>
      {shown && (
        <>
          <div className={frame.top}>
            <div className={parts.skeleton} style={{ width: 220, height: 36, borderRadius: 10 }} />
          </div>
          <div className={`${parts.field} ${parts.skeleton}`} data-room="field" />
        </>
      )}
    </div>
  );
}

/**
 * Why the live session is over. `ended`: here or manually. `meanwhile`: while the page had no connection. `signed_out`:
 * by a sign-out elsewhere. `timed_out`: because of inactivity. `trial_over`: the free hours are used up.
 */
export type EndedBy = 'ended' | 'meanwhile' | 'signed_out' | 'timed_out' | 'trial_over';
const AFTER = {
  ended: 'end.after',
  meanwhile: 'end.meanwhile',
  signed_out: 'end.signedOut',
  timed_out: 'end.timedOut',
  trial_over: 'end.trialOver',
} as const;

/**
 * The page in place of the room after its end (`ended`, with `why`), or when it could not be opened (`failed`, with
 * `problem`). `onAgain` opens it again.
 */
export function RoomStopped({
  kind,
  why = 'ended',
  problem,
  withoutDashboard = false,
  onAgain,
}: {
  kind: 'ended' | 'failed';
  why?: EndedBy;
  problem?: ApiProblem;
  /** Clients have none. */
  withoutDashboard?: boolean;
  onAgain(): void;
}) {
  const { t } = useTranslation('room');
  const { scheme } = useAppearance();
  return (
    <main className={styles.stopped}>
      <LazySchemeSwitch className={styles.scheme} />
      <span className={styles.figures} aria-hidden>
        <FigureIcon kind="MALE_FIGURE" tone="#2B549D" scheme={scheme} size={72} rotation={60} />
        <FigureIcon kind="FEMALE_CIRCLE" tone="#D7739C" scheme={scheme} size={60} rotation={-60} />
      </span>
      <h1>{kind === 'ended' ? t('end.done') : problemText(sayProblem, problem)}</h1>
      {kind === 'ended' && <p>{t(AFTER[why])}</p>}
      {/* The main button comes last: after the end nobody should start a live session by a hasty press. */}
      <div className={styles.acts}>
        {kind === 'ended' && (
          <Button variant="default" onClick={onAgain}>
            {t('end.again')}
          </Button>
        )}
        {withoutDashboard ? null : (
          <Button component="a" href={DASHBOARD_PAGE} variant={kind === 'ended' ? 'filled' : 'default'}>
            {t('top.back')}
          </Button>
        )}
        {kind === 'failed' && <Button onClick={onAgain}>{t('retry')}</Button>}
      </div>
    </main>
  );
}
