/** Edit event: the programme form with the event in it; asks about the series and shows who gets an email. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EventDialog, type EventDialogContent } from '../dialog/EventDialog.tsx';
import { eventQueries } from '../eventQueries.ts';
import { DialogLoadFault } from '../dialog/EventLoadFault.tsx';
import { EditForm } from './EditForm.tsx';
import type { UndoSave } from './useEventEdit.ts';
import styles from './EventEditDialog.module.css';

export interface EventEditDialogProps {
  /** The occurrence to change; null shows nothing. */
  eventId: number | null;
  onClose(): void;
  /**
   * Called once the change is stored, with the number of people who get an email, and a function that undoes it; null
   * if it can't be undone. The dialog has closed itself.
   */
  onSaved(emails: number, undo: UndoSave | null): void;
}

/** Fetches the event and shows its form. Opened from the rows of My events (docs/product.md#9.6). */
export function EventEditDialog({ eventId, ...heard }: EventEditDialogProps) {
  const { t } = useTranslation('events');
  return (
    <EventDialog
      eventId={eventId}
      onClose={heard.onClose}
      size={1000}
      title={t('edit.title')}
      content={(parts) => <Content key={parts.eventId} {...parts} {...heard} />}
    />
  );
}

type ContentProps = EventDialogContent & Omit<EventEditDialogProps, 'eventId'>;

function Content({ eventId, onBusy, onChanged, onLeave, onClose, onSaved }: ContentProps) {
  const { t: tc } = useTranslation('common');
  const one = useQuery(eventQueries.edited(eventId));
  if (one.data)
    return <EditForm opened={one.data} now={one.data.now} {...{ onBusy, onChanged, onLeave, onClose, onSaved }} />;
  if (one.error) return <DialogLoadFault fault={one.error} onRetry={() => void one.refetch()} />;
  return (
    <div className={styles.loading} aria-busy="true" role="status" aria-label={tc('loading')}>
      <Skeleton height={220} radius={16} />
      <Skeleton height={130} radius={16} />
      <Skeleton height={180} radius={16} />
    </div>
  );
}
