/** Says who waits while something else stands where the list of people is, lets them in, and leads to the list. */
import { IconUsers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useRoomPart } from '../store/useRoom.ts';
import { LetAllIn } from './LetAllIn.tsx';
import type { PeopleActs } from './PeoplePanel.tsx';
import { useBusy } from './useBusy.ts';
import styles from './PeoplePanel.module.css';

interface WaitingNoteProps extends Pick<PeopleActs, 'onAdmit'> {
  /** Shows the list of people; nothing where no way leads there. */
  onShow?: () => void;
}

/**
 * Draws nothing while nobody waits. Stands in the open messages and at the top of dialogs (docs/product.md#11.53,
 * 11.61).
 */
export function WaitingNote({ onShow, onAdmit }: WaitingNoteProps) {
  const { t } = useTranslation('room');
  const waiting = useRoomPart((model) => model.waiting);
  const busy = useBusy();
  const count = waiting.length;
  return (
    count > 0 && (
      <div className={styles.waitingNote} data-alone={onShow === undefined || undefined}>
        <p>
          {t('people.waiting', { count })}
          <bdi>{waiting.map(({ name }) => name).join(', ')}</bdi>
          {waiting.some(({ doubleName }) => doubleName) && <em>{t('people.doubleName')}</em>}
        </p>
        <span className={styles.noteActs}>
          <LetAllIn beside waiting={waiting} busy={busy} onAdmit={onAdmit} />
          {onShow && (
            <button type="button" className={styles.quiet} onClick={onShow}>
              <IconUsers size={18} stroke={1.75} aria-hidden />
              {t('people.heading')}
            </button>
          )}
        </span>
      </div>
    )
  );
}
