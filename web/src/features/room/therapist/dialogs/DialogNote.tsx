/**
 * What stands at the top of the therapist's dialogs, which cover the room (docs/product.md#11.61). It says who waits.
 * On a phone, where nothing else of the room is seen, it also shows the room's news; screen readers hear that from the
 * news itself.
 */
import type { Told } from '../../notices/Toast.tsx';
import type { PeopleActs } from '../../people/PeoplePanel.tsx';
import { WaitingNote } from '../../people/WaitingNote.tsx';
import styles from '../TherapistRoom.module.css';

interface DialogNoteProps extends Pick<PeopleActs, 'onAdmit'> {
  told: Told | null;
  phone: boolean;
}

/** `told` is the room's present news, null for none. */
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
