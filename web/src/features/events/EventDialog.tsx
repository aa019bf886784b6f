/** A dialog about one event: opened by the event's id, and not closed while something is being sent. */
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog, type DialogProps } from '../../ui/Dialog.tsx';

/** What the content of such a dialog gets. */
export interface EventDialogContent {
  eventId: number;
  /** Something is being sent; the dialog stays. */
  onBusy(busy: boolean): void;
}

interface EventDialogProps extends Pick<DialogProps, 'title' | 'size' | 'onClose'> {
  /** null shows nothing. */
  eventId: number | null;
  content(parts: EventDialogContent): ReactNode;
}

export function EventDialog({ eventId, content, ...dialog }: EventDialogProps) {
  const { t } = useTranslation('common');
  const [busy, setBusy] = useState(false);
  return (
    <Dialog opened={eventId !== null} close={t('close')} busy={busy} {...dialog}>
      {eventId === null ? null : content({ eventId, onBusy: setBusy })}
    </Dialog>
  );
}
