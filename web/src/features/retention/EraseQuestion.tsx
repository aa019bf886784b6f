/** Asks before names of clients are erased; its code is fetched with a choice that would erase some. */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import dialog from '../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';

export interface EraseQuestionProps {
  opened: boolean;
  /** The new period. */
  months: number | null;
  onKeep(): void;
  onErase(): void;
}

/** The dialog that asks before a shorter period takes effect (docs/product.md#12.4). Closing it keeps the names. */
export function EraseQuestion({ opened, months, onKeep, onErase }: EraseQuestionProps) {
  const { t } = useTranslation('shell');
  return (
    <Dialog opened={opened} onClose={onKeep} size={560} title={t('retention.sure')} close={t('retention.keep')}>
      <div className={dialog.scroll}>
        <p className={dialog.question}>{t('retention.sureText', { count: months ?? 0 })}</p>
      </div>
      <div className={dialog.acts}>
        <Button variant="default" data-autofocus onClick={onKeep}>
          {t('retention.keep')}
        </Button>
        <Button color="danger" onClick={onErase}>
          {t('retention.erase')}
        </Button>
      </div>
    </Dialog>
  );
}
