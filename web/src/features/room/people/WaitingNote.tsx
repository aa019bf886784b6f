/** Says who waits while something else stands where the list of people is, lets them in, and leads to the list. */
import type { WaitingPerson } from '@fieldroom/contract/clients';
import { IconUsers } from '@tabler/icons-react';
import { Fragment, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoomPart } from '../store/useRoom.ts';
import { LetAllIn } from './LetAllIn.tsx';
import type { PeopleActs } from './PeoplePanel.tsx';
import { useBusy } from './useBusy.ts';
import { useFocusKept } from './useFocusKept.ts';
import styles from './PeoplePanel.module.css';

/** So many are named; the others are counted. */
const NAMED = 3;

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

/** Each name in a direction of its own, and none so long that it hides the next. */
function Names({ waiting }: { waiting: readonly WaitingPerson[] }) {
  const { t } = useTranslation('room');
  const named = waiting.length > NAMED + 1 ? waiting.slice(0, NAMED) : waiting;
  const more = waiting.length - named.length;
  return (
    <span className={styles.names}>
      {named.map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
      {more > 0 && ` ${t('people.andMore', { count: more })}`}
    </span>
  );
}
