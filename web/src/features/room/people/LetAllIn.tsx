/** Admits everybody who waits, or the only one. */
import type { WaitingPerson } from '@fieldroom/contract/clients';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PeopleActs } from './PeoplePanel.tsx';
import type { Busy } from './useBusy.ts';

interface LetAllInProps extends Pick<PeopleActs, 'onAdmit'> {
  /** At least one. */
  waiting: readonly WaitingPerson[];
  busy: Busy;
  /** Beside other buttons, instead of on a separate line. */
  beside?: boolean;
}

/** The people shown now. People who arrive during the press have not been seen (docs/product.md#4.4). */
export function LetAllIn({ waiting, busy, onAdmit, beside = false }: LetAllInProps) {
  const { t } = useTranslation('room');
  const [first, second, third] = waiting;
  return (
    <Button
      {...(beside ? { size: 'sm' } : { fullWidth: true })}
      {...(first && !second ? { 'aria-label': t('people.letInName', { name: first.name }) } : {})}
      loading={busy.is('all')}
      onClick={() => void busy.run('all', () => onAdmit(waiting.map(({ id }) => id)))}
    >
      {third ? t('people.letAllIn', { count: waiting.length }) : t(second ? 'people.letBothIn' : 'people.letIn')}
    </Button>
  );
}
