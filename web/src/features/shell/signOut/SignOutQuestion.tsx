/** Asks before a sign-out that would send clients away; its code is fetched when somebody is in the room. */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import dialog from '../../../ui/dialogs/Dialog.module.css';

export interface SignOutQuestionProps {
  opened: boolean;
  /** How many clients are in the room. */
  inside: number;
  busy: boolean;
  onStay(): void;
  onLeave(): void;
}

/** The dialog before signing out while clients are in the therapist's room. Closing it stays. */
export function SignOutQuestion({ opened, inside, busy, onStay, onLeave }: SignOutQuestionProps) {
  const { t } = useTranslation('shell');
  const { t: tc } = useTranslation('common');
  return (
    <Dialog opened={opened} onClose={onStay} size={560} busy={busy} title={t('signOut.title')} close={tc('close')}>
      <div className={dialog.scroll}>
        <p className={dialog.question}>{t('signOut.text', { count: inside })}</p>
      </div>
      <div className={dialog.acts}>
        <Button variant="default" data-autofocus disabled={busy} onClick={onStay}>
          {t('signOut.stay')}
        </Button>
        <Button color="danger" loading={busy} onClick={onLeave}>
          {t('signOut.leave')}
        </Button>
      </div>
    </Dialog>
  );
}
