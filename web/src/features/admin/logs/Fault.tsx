/** Shown when logs could not be loaded. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';

interface FaultProps {
  /** What could not be loaded, as a sentence. */
  what: string;
  asked: Pick<UseQueryResult, 'error' | 'refetch'>;
}

/** Says what could not be loaded and why, and loads it again. */
export function Fault({ what, asked: { error, refetch } }: FaultProps) {
  const { t: tc } = useTranslation('common');
  if (!error) return null;
  return (
    <LoadFault
      text={`${what} ${problemText(sayProblem, error)}`}
      retry={tc('tryAgain')}
      onRetry={() => void refetch()}
    />
  );
}
