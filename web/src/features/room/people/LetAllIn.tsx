/** Lets in everybody who waits. */
import type { WaitingPerson } from '@fieldroom/contract/clients';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { PeopleActs } from './PeoplePanel.tsx';
import type { Busy } from './useBusy.ts';

interface LetAllInProps extends Pick<PeopleActs, 'onAdmit'> {
  /** Two or more. */
  waiting: readonly WaitingPerson[];
  busy: Busy;
  /** Beside other buttons, instead of in a line of its own. */
  beside?: boolean;
}

/** Those who are seen now: whoever comes while the press is on its way has not been seen (docs/product.md#4.4). */
export function LetAllIn({ waiting, busy, onAdmit, beside = false }: LetAllInProps) {
  const { t } = useTranslation('room');
  const count = waiting.length;
  return (
    <Button
      {...(beside ? { size: 'sm' } : { fullWidth: true })}
      loading={busy.is('all')}
      onClick={() => void busy.run('all', () => onAdmit(waiting.map(({ id }) => id)))}
    >
      {count === 2 ? t('people.letBothIn') : t('people.letAllIn', { count })}
    </Button>
  );
}
