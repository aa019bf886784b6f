/**
 * A dialog about one event: opened by the event's id, and not closed while something is being sent. Where something was
 * changed in it, leaving it asks once.
 */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import dialogStyles from '../../ui/dialogs/Dialog.module.css';
import { Dialog, type DialogProps } from '../../ui/dialogs/Dialog.tsx';

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

export function EventDialog({ eventId, content, onClose, ...dialog }: EventDialogProps) {
  const { t } = useTranslation('common');
  const { t: te } = useTranslation('events');
  const [busy, setBusy] = useState(false);
  const [changed, setChanged] = useState(false);
  const [asks, setAsks] = useState(false);
  const keep = () => setAsks(false);
  const discard = () => {
    setAsks(false);
    onClose();
  };
  const leave = () => {
    if (!changed) return onClose();
    // In a task of its own: each dialog hears every key, so the Escape that asks the question would answer it as well.
    setTimeout(() => setAsks(true));
  };
  return (
    <>
      <Dialog opened={eventId !== null} onClose={leave} close={t('close')} busy={busy || asks} {...dialog}>
        {eventId === null ? null : content({ eventId, onBusy: setBusy, onChanged: setChanged, onLeave: leave })}
      </Dialog>
      <Dialog opened={asks} onClose={keep} size={560} title={te('discard.title')} close={t('close')}>
        <p className={dialogStyles.line}>{te('discard.text')}</p>
        <div className={dialogStyles.acts}>
          <Button variant="default" onClick={keep}>
            {te('discard.keep')}
          </Button>
          <Button color="danger" onClick={discard}>
            {te('edit.cancel')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
