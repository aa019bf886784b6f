/**
 * A dialog about one event: opened by the event's id, and not closed while something is being sent. Leaving asks once
 * if something was changed.
 */
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog, type DialogProps } from '../../../ui/dialogs/Dialog.tsx';
import { useDiscardQuestion } from './useDiscardQuestion.tsx';

/** The props of such a dialog's content. */
export interface EventDialogContent {
  eventId: number;
  /** Something is being sent; the dialog stays. */
  onBusy(busy: boolean): void;
  /** Something was changed that closing would lose. A stable function. */
  onChanged(changed: boolean): void;
  /** Closes; asks first if something was changed. */
  onLeave(): void;
}

interface EventDialogProps extends Pick<DialogProps, 'title' | 'size' | 'onClose'> {
  /** null shows nothing. */
  eventId: number | null;
  content(parts: EventDialogContent): ReactNode;
}

/**
 * Frames the dialogs for editing and cancelling. While it is busy or asks, neither the cross nor Escape closes it
 * (docs/product.md#9.25).
 */
export function EventDialog({ eventId, content, onClose, ...dialog }: EventDialogProps) {
  const { t } = useTranslation('common');
  const [busy, setBusy] = useState(false);
  const [changed, setChanged] = useState(false);
  const { leave, asks, question } = useDiscardQuestion(changed, onClose);
  return (
    <>
      <Dialog opened={eventId !== null} onClose={leave} close={t('close')} busy={busy || asks} {...dialog}>
        {eventId === null ? null : content({ eventId, onBusy: setBusy, onChanged: setChanged, onLeave: leave })}
      </Dialog>
      {question}
    </>
  );
}
