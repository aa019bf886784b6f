/** Reports on every page that the account waits for its deletion, and offers to keep it (docs/product.md#3.27). */
import { keepAccount } from '@fieldroom/contract/profile';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { dateFormat } from '../../../platform/i18n/formats.ts';
import type { StoredUser } from '../../../platform/storage.ts';
import styles from '../Shell.module.css';

/**
 * At the head of every page of the app. Takes the signed-in person; without a day of deletion it shows nothing, or
 * confirms once that the account is kept.
 */
export function DeletionNotice({ user }: { user: StoredUser | null }) {
  const { t } = useTranslation('shell');
  const queries = useQueryClient();
  const keeping = useMutation({
    mutationFn: () => api.call(keepAccount),
    // Public page, events and profile show it too.
    onSuccess: () => queries.invalidateQueries(),
  });
  const deletesOn = user?.deletesOn ?? null;
  if (deletesOn === null)
    return (
      <p className={keeping.isSuccess ? styles.deletion : 'fr-hidden'} role="status">
        {keeping.isSuccess ? t('deletion.kept') : ''}
      </p>
    );
  const date = dateFormat(currentLanguage(), { dateStyle: 'long' }).format(new Date(deletesOn));
  return (
    <div className={styles.deletion} data-warning role="region" aria-label={t('deletion.keep')}>
      <p>
        {t('deletion.text', { date })}
        {keeping.error ? ` ${problemText(sayProblem, keeping.error)}` : ''}
      </p>
      <Button variant="default" size="sm" loading={keeping.isPending} onClick={() => keeping.mutate()}>
        {t('deletion.keep')}
      </Button>
    </div>
  );
}
