/** The files of a day and therapist: their size and start, to be read here or downloaded. */
import { type LogFileInfo, logFile } from '@fieldroom/contract/logs';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { useSinglePress } from '../../../platform/forms/useSinglePress.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import table from '../../../ui/dataTable.module.css';
import { QuietButton } from '../../../ui/controls/QuietButton.tsx';
import { saveFile } from '../../../ui/saveFile.ts';
import { momentWords, numberWords, sizeWords } from '../adminWords.ts';
import styles from './LogsPage.module.css';
import { useFileWords } from './useFileWords.ts';

export interface LogFilesProps {
  day: string;
  therapistId: number;
  files: readonly LogFileInfo[];
  /** The file that is shown below. */
  shown: string | null;
  onShow(fileName: string | null): void;
}

/** The table of a day's files of one therapist. Each can be opened on the page or saved. */
export function LogFiles({ day, therapistId, files, shown, onShow }: LogFilesProps) {
  const { t } = useTranslation('admin');
  const fileWords = useFileWords();
  const saving = useMutation({
    mutationFn: async (fileName: string) =>
      saveFile(
        await api.call(logFile, { params: { date: day, therapistId, fileName } }),
        `${day}-${therapistId}-${fileName}`,
      ),
  });
  const save = useSinglePress(saving.mutateAsync);
  return (
    <>
      <div role="status" className={table.told}>
        {saving.isSuccess ? <span className="fr-hidden">{t('logs.saved')}</span> : null}
        {saving.error ? (
          <Callout tone="fault">
            {t('logs.notSaved')} {problemText(sayProblem, saving.error)}
          </Callout>
        ) : null}
      </div>
      <div className={table.frame}>
        <table className={table.table} aria-label={t('logs.files')}>
          <thead>
            <tr>
              <th scope="col">{t('logs.browser')}</th>
              <th scope="col" data-number>
                {t('logs.entries')}
              </th>
              <th scope="col" data-number>
                {t('logs.size')}
              </th>
              <th scope="col">{t('logs.first')}</th>
              <th scope="col">{t('logs.last')}</th>
              <th scope="col">
                <span className="fr-hidden">{t('usage.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {files.map(({ fileName, entries, bytes, firstOn, lastOn }) => (
              <tr key={fileName} data-shown={fileName === shown || undefined}>
                <th scope="row">{fileWords(fileName)}</th>
                <td data-label={t('logs.entries')} data-number>
                  {numberWords(entries)}
                </td>
                <td data-label={t('logs.size')} data-number>
                  {sizeWords(bytes)}
                </td>
                <td data-label={t('logs.first')}>{momentWords(firstOn)}</td>
                <td data-label={t('logs.last')}>{momentWords(lastOn)}</td>
                <td className={table.act}>
                  <span className={styles.acts}>
                    <Button
                      size="sm"
                      variant="default"
                      aria-expanded={fileName === shown}
                      aria-label={t(fileName === shown ? 'logs.hideFile' : 'logs.showFile', {
                        file: fileWords(fileName),
                      })}
                      onClick={() => onShow(fileName === shown ? null : fileName)}
                    >
                      {fileName === shown ? t('logs.hide') : t('logs.show')}
                    </Button>
                    <QuietButton
                      label={t('logs.download', { file: fileWords(fileName) })}
                      onClick={() => save(fileName)}
                    >
                      <IconDownload size={20} stroke={1.75} aria-hidden />
                    </QuietButton>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
