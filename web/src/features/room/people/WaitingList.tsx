/** The people who wait to be admitted, for the therapist. */
import type { WaitingPerson } from '@fieldroom/contract/clients';
import { ActionIcon, Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Initial } from './Initial.tsx';
import { LetAllIn } from './LetAllIn.tsx';
import type { PeopleActs } from './PeoplePanel.tsx';
import type { Busy } from './useBusy.ts';
import type { FocusKept } from './useFocusKept.ts';
import { useMinutesSince } from './useMinutesSince.ts';
import styles from './PeoplePanel.module.css';

interface WaitingListProps {
  waiting: readonly WaitingPerson[];
  busy: Busy;
  acts: Pick<PeopleActs, 'onAdmit' | 'onDecline'>;
  focus: FocusKept;
  /** Asks whether to clear the whole list. */
  onClear(): void;
}

/**
 * Above the people in the room (docs/product.md#4.4). Each row shows how the person came and how many minutes they have
 * waited. Two or more can be admitted together.
 */
export function WaitingList({ waiting, busy, acts, focus, onClear }: WaitingListProps) {
  const { t } = useTranslation('room');
  const minutesSince = useMinutesSince();
  const count = waiting.length;
  return (
    <section className={styles.waiting} aria-label={t('people.waiting', { count })} {...focus}>
      <h3>{t('people.waiting', { count })}</h3>
      <ul>
        {waiting.map((person) => (
          <WaitingRow
            key={person.id}
            person={person}
            minutes={minutesSince(person.arrivedOn)}
            busy={busy}
            acts={acts}
          />
        ))}
      </ul>
      {count > 1 && (
        <div className={styles.allWaiting}>
          <LetAllIn waiting={waiting} busy={busy} onAdmit={acts.onAdmit} />
          <Button fullWidth mt={8} variant="subtle" color="danger" disabled={busy.is('all')} onClick={onClear}>
            {t('people.clear')}
          </Button>
        </div>
      )}
    </section>
  );
}

interface WaitingRowProps {
  person: WaitingPerson;
  /** Whole minutes since the person arrived. */
  minutes: number;
  busy: Busy;
  acts: Pick<PeopleActs, 'onAdmit' | 'onDecline'>;
}

/** The words for how somebody came. */
const CAME_BY = { code: 'people.byCode', booking: 'people.byBooking', link: 'people.byLink' } as const;

function WaitingRow({ person, minutes, busy, acts }: WaitingRowProps) {
  const { t } = useTranslation('room');
  const { id, name } = person;
  const time = minutes === 0 ? t('people.now') : t('people.minutes', { count: minutes });
  return (
    <li>
      <Initial name={name} />
      <div>
        <strong>
          <bdi>{name}</bdi>
          {person.by === 'booking' && <em className={styles.booked}>{t('people.booked')}</em>}
        </strong>
        <span>{person.connected ? t(CAME_BY[person.by], { time }) : t('people.disconnected')}</span>
        {person.doubleName && <span data-tone="warning">{t('people.doubleName')}</span>}
      </div>
      <span className={styles.waitingActs}>
        <Button
          variant="default"
          size="xs"
          h={36}
          disabled={busy.is(id)}
          aria-label={t('people.letInName', { name })}
          onClick={() => void busy.run(id, () => acts.onAdmit([id]))}
        >
          {t('people.letIn')}
        </Button>
        <ActionIcon
          variant="subtle"
          size={36}
          disabled={busy.is(id)}
          aria-label={t('people.decline', { name })}
          onClick={() => void busy.run(id, () => acts.onDecline(person))}
        >
          <IconX size={18} stroke={1.75} />
        </ActionIcon>
      </span>
    </li>
  );
}
