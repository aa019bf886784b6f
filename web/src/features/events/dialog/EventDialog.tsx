/**
 * A dialog about one event: opened by the event's id, and not closed while something is being sent. Where something was
 * changed in it, leaving it asks once.
 */
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog, type DialogProps } from '../../../ui/dialogs/Dialog.tsx';
import { useDiscardQuestion } from './useDiscardQuestion.tsx';

/** What the content of such a dialog gets. */
export interface EventDialogContent {
  eventId: number;
  /** Something is being sent; the dialog stays. */
  onBusy(busy: boolean): void;
  /** Something was changed that closing would lose. A stable function. */
  onChanged(changed: boolean): void;
  /** Closes; asks first where something was changed. */
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
