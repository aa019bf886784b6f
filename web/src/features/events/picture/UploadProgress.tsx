import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import dialog from '../../../ui/dialogs/Dialog.module.css';
import { ProgressLine } from '../../../ui/states/ProgressLine.tsx';

/** The progress of an upload: `part` is the sent share, 0 to 1. Once all is sent it cannot be stopped. */
export function UploadProgress({ part, onStop }: { part: number; onStop(): void }) {
  const { t } = useTranslation('events');
  const running = part < 1;
  return (
    <div className={dialog.foot}>
      <ProgressLine
        words={running ? t('upload.running') : t('upload.preparing')}
        part={part}
        language={currentLanguage()}
        {...(running ? { stop: { word: t('upload.stop'), onStop } } : {})}
      />
    </div>
  );
}
