/** What stands where logs could not be loaded. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { LoadFault } from '../../../ui/LoadFault.tsx';

/** Says why something could not be loaded, and asks for it again. */
export function Fault({ asked: { error, refetch } }: { asked: Pick<UseQueryResult, 'error' | 'refetch'> }) {
  const { t: tc } = useTranslation('common');
  if (!error) return null;
  return <LoadFault text={problemText(sayProblem, error)} retry={tc('tryAgain')} onRetry={() => void refetch()} />;
}
