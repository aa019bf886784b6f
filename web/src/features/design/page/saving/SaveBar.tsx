/** The page's main act, with its result; it stays visible while something is unsaved. */
import { Button } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../../platform/i18n/app.ts';
import { ProgressLine } from '../../../../ui/states/ProgressLine.tsx';
import type { DesignForm } from './useDesignForm.ts';
import styles from '../DesignPage.module.css';

/**
 * The bar with "Save" and "Discard", the state of the last save in words, and an upload's progress. Preparing the
 * picture on the server cannot be stopped.
 */
export function SaveBar({ form: { dirty, progress, uploaded, discard, stopUpload } }: { form: DesignForm }) {
  const { t } = useTranslation('design');
  const saving = progress === 'saving';
  const said = dirty && (progress === 'none' || progress === 'saved') ? 'unsaved' : progress;
  return (
    <div className={styles.bar} data-dirty={dirty || undefined}>
      {uploaded === null ? null : (
        <ProgressLine
          words={uploaded < 1 ? t('upload.running') : t('upload.preparing')}
          part={uploaded}
          language={currentLanguage()}
          {...(uploaded < 1 ? { stop: { word: t('upload.stop'), onStop: stopUpload } } : {})}
        />
      )}
      <p className={styles.said} role="status" data-said={said}>
        {said === 'saved' || said === 'reset' ? <IconCircleCheck size={20} stroke={1.75} aria-hidden /> : null}
        {said === 'none' ? '' : t(`said.${said}`)}
      </p>
      <div className={styles.acts}>
        <Button variant="default" disabled={!dirty || saving} onClick={discard}>
          {t('discard')}
        </Button>
        <Button type="submit" loading={saving} disabled={!dirty}>
          {t('save')}
        </Button>
      </div>
    </div>
  );
}
