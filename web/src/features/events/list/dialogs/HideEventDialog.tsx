/** Hides an event without bookings, after a confirmation. */
import type { OwnEvent } from '@fieldroom/contract/events';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../../platform/i18n/app.ts';
import { problemText } from '../../../../platform/i18n/faults.ts';
import dialog from '../../../../ui/dialogs/Dialog.module.css';
import { Dialog } from '../../../../ui/dialogs/Dialog.tsx';
import { deleteEvent } from '../../eventsApi.ts';
import type { Outcome } from '../outcome/OutcomeNotice.tsx';

export interface HideEventDialogProps {
  event: OwnEvent | null;
  onClose(): void;
  /** It is hidden, or hiding failed. */
  onOutcome(outcome: Outcome): void;
}

/**
 * Deletes the event from public and upcoming lists; it stays in the history (docs/product.md#9.14). The server refuses
 * it while anybody is booked. `event` is null while no dialog is open.
 */
export function HideEventDialog({ event, onClose, onOutcome }: HideEventDialogProps) {
  const { t } = useTranslation('my-events');
  const { t: tc } = useTranslation('common');
  const hide = useMutation({
    mutationFn: ({ id }: OwnEvent) => deleteEvent(id),
    onSuccess: (_, { eventName }) => onOutcome({ text: t('told.hidden', { name: eventName }), tone: 'done' }),
    onError: (fault) => onOutcome({ text: problemText(sayProblem, fault), tone: 'fault' }),
  });
  return (
    <Dialog
      opened={event !== null}
      onClose={onClose}
      size={560}
      title={t('hide.title')}
      close={tc('close')}
      busy={hide.isPending}
      closeOnClickOutside
    >
      <p className={dialog.line}>{t('hide.text', { name: event?.eventName ?? '' })}</p>
      <div className={dialog.acts}>
        <Button variant="default" disabled={hide.isPending} onClick={onClose}>
          {t('hide.keep')}
        </Button>
        <Button color="danger" loading={hide.isPending} onClick={() => event && hide.mutate(event)}>
          {t('hide.ok')}
        </Button>
      </div>
    </Dialog>
  );
}
