/** Shows who waits while the list of people is covered, admits them, and leads to the list. */
import type { WaitingPerson } from '@fieldroom/contract/clients';
import { IconUsers } from '@tabler/icons-react';
import { Fragment, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { listFormat } from '../../../platform/i18n/formats.ts';
import { useRoomPart } from '../store/useRoom.ts';
import { LetAllIn } from './LetAllIn.tsx';
import type { PeopleActs } from './PeoplePanel.tsx';
import { useBusy } from './useBusy.ts';
import { useFocusKept } from './useFocusKept.ts';
import styles from './PeoplePanel.module.css';

/** Number of names that fit without scrolling, however long each is. */
const FIT = 3;

interface WaitingNoteProps extends Pick<PeopleActs, 'onAdmit'> {
  /** Shows the list of people; missing if the list cannot be shown. */
  onShow?: () => void;
}

/**
 * Draws nothing while nobody waits. Used in the open messages and at the top of dialogs (docs/product.md#11.53, 11.61).
 */
export function WaitingNote({ onShow, onAdmit }: WaitingNoteProps) {
  const { t } = useTranslation('room');
  const waiting = useRoomPart((model) => model.waiting);
  const busy = useBusy();
  const place = useRef<HTMLDivElement>(null);
  const count = waiting.length;
  const focus = useFocusKept(count, place);
  return (
    <div ref={place} className={styles.notePlace} {...focus}>
      {count > 0 && (
        <div className={styles.waitingNote} data-alone={onShow === undefined || undefined}>
          <p>
            {t('people.waiting', { count })}
            <Names waiting={waiting} />
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
      )}
    </div>
  );
}

/**
 * All of them, because the button beside admits all of them: nobody is admitted unseen (docs/product.md#4.4). Each name
 * has its own text direction, and none is so long that it hides the next. Many names scroll, with the arrow keys too; a
 * list that becomes short keeps the focus.
 */
function Names({ waiting }: { waiting: readonly WaitingPerson[] }) {
  const { t } = useTranslation('room');
  const count = waiting.length;
  const scrolls = count > FIT;
  const parts = listFormat(currentLanguage()).formatToParts(waiting.map(({ name }) => name));
  return (
    <span
      className={styles.names}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys
      tabIndex={scrolls ? 0 : -1}
      {...(scrolls && { role: 'group', 'aria-label': t('people.waiting', { count }) })}
    >
      {parts.map(({ type, value }, index) =>
        type === 'element' ? <bdi key={index}>{value}</bdi> : <Fragment key={index}>{value}</Fragment>,
      )}
    </span>
  );
}
