/**
 * The therapist's control of the stage: who is on it, one act for everybody with a role, and whether the others are
 * shown.
 */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Switch } from '../../../ui/controls/choices/Switch.tsx';
import { useVideoPart } from '../store/useVideo.ts';
import type { VideoCalls } from '../store/videoStore.ts';
import styles from '../video.module.css';

export interface StageControlProps {
  calls: Pick<VideoCalls, 'setStage' | 'setSettings'>;
  onFailed(): void;
}

/**
 * In the list of people while the therapist takes part (docs/product.md#10.13). Its buttons wait for one call at a
 * time.
 */
export function StageControl({ calls, onFailed }: StageControlProps) {
  const { t } = useTranslation('video');
  const stage = useVideoPart((model) => model.room?.stage ?? null);
  const stageOnly = useVideoPart((model) => model.room?.settings.stageOnly ?? false);
  const [busy, setBusy] = useState(false);
  const run = (work: Promise<unknown>) => {
    setBusy(true);
    void work.catch(onFailed).finally(() => setBusy(false));
  };
  return (
    <>
      <footer className={styles.stageControl}>
        <div>
          <strong>{t('stage.title')}</strong>
          <span aria-live="polite">{stage === null ? t('stage.none') : t('stage.count', { count: stage.length })}</span>
          <div className={styles.stageActs}>
            <button type="button" disabled={busy} onClick={() => run(calls.setStage('withRole'))}>
              {t('stage.withRole')}
            </button>
            {stage !== null && (
              <button type="button" disabled={busy} onClick={() => run(calls.setStage(null))}>
                {t('stage.end')}
              </button>
            )}
          </div>
        </div>
      </footer>
      {stage !== null && (
        <footer>
          <div>
            <strong id="stage-only">{t('stage.only')}</strong>
            <span>{t('stage.onlyHint')}</span>
          </div>
          <Switch
            labelledBy="stage-only"
            on={stageOnly}
            disabled={busy}
            onTurn={(on) => run(calls.setSettings({ stageOnly: on }))}
          />
        </footer>
      )}
    </>
  );
}
