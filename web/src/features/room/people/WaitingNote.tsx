/** Says who waits while something else stands where the list of people is, and leads back to it. */
import { IconUsers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useRoomPart } from '../store/useRoom.ts';
import styles from './PeoplePanel.module.css';

export function WaitingNote({ onShow }: { onShow(): void }) {
  const { t } = useTranslation('room');
  const count = useRoomPart((model) => model.waiting.length);
  return (
    count > 0 && (
      <div className={styles.waitingNote}>
        {t('people.waiting', { count })}
        <button type="button" className={styles.quiet} onClick={onShow}>
          <IconUsers size={18} stroke={1.75} aria-hidden />
          {t('people.heading')}
        </button>
      </div>
    )
  );
}
