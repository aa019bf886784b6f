/**
 * The note at the top of the therapist's dialogs, which cover the room (docs/product.md#11.61). It shows who waits. On
 * a phone, where nothing else of the room is visible, it also shows the room's notices; screen readers read these from
 * the notices themselves.
 */
import type { Told } from '../../notices/Toast.tsx';
import type { PeopleActs } from '../../people/PeoplePanel.tsx';
import { WaitingNote } from '../../people/WaitingNote.tsx';
import styles from '../TherapistRoom.module.css';

interface DialogNoteProps extends Pick<PeopleActs, 'onAdmit'> {
  told: Told | null;
  phone: boolean;
}

/** `told` is the room's present notice, null for none. */
export function DialogNote({ told, phone, onAdmit }: DialogNoteProps) {
  // People who have arrived are named above it.
  const news = phone && told?.together?.kind !== 'arrived' ? told : null;
  return (
    <>
      <WaitingNote onAdmit={onAdmit} />
      {news && (
        <p className={styles.told} data-tone={news.tone}>
          {news.text}
        </p>
      )}
    </>
  );
}
