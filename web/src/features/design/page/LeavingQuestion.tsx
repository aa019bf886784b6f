/** Asks once before a page is left on which something is not saved. */
import { Button } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { storage } from '../../../platform/storage.ts';
import dialog from '../../../ui/Dialog.module.css';
import { Dialog } from '../../../ui/Dialog.tsx';

export function LeavingQuestion({ dirty }: { dirty: boolean }) {
  const { t } = useTranslation('design');
  const { t: tc } = useTranslation('common');
  // Whoever has signed out can save nothing any more.
  const asks = () => dirty && storage.get('user') !== null;
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && asks(),
    enableBeforeUnload: asks,
    withResolver: true,
  });
  return (
    <Dialog
      opened={leaving.status === 'blocked'}
      onClose={() => leaving.reset?.()}
      size={560}
      title={t('leave.title')}
      close={tc('close')}
    >
      <p className={dialog.question}>{t('leave.text')}</p>
      <div className={dialog.acts}>
        <Button variant="default" data-autofocus onClick={() => leaving.reset?.()}>
          {t('leave.stay')}
        </Button>
        <Button onClick={() => leaving.proceed?.()}>{t('leave.go')}</Button>
      </div>
    </Dialog>
  );
}
