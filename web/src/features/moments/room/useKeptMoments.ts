/** Reports the result of each press on "keep" to the therapist. */
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import type { KeepAnswer, MomentsStore } from './momentsStore.ts';

/** The message that the room shows once. */
export interface Told {
  text: string;
  tone?: 'done' | 'fault';
  act?: { label: string; run(): void };
}

/**
 * Listens to the store's answers. A kept moment is reported with a button that opens the strip, unless it is open; a
 * refusal (50 moments, docs/product.md#6.10) and a lost connection are reported as faults. `tell` is a stable function.
 */
export function useKeptMoments(store: MomentsStore, tell: (told: Told) => void): void {
  const { t } = useTranslation('moments');
  useEffect(() => {
    const words = (answer: Exclude<KeepAnswer, { kind: 'kept' }>) => {
      if (answer.kind === 'offline') return t('keep.offline');
      return answer.problem.code === 'moments_full' ? sayProblem('problem.moments_full') : t('keep.failed');
    };
    return store.onAnswer((answer) => {
      if (answer.kind !== 'kept') tell({ text: words(answer), tone: 'fault' });
      // The open strip shows it, and announces it to screen readers.
      else if (!store.get().open)
        tell({
          text: t('keep.done', { number: answer.moment.number }),
          tone: 'done',
          act: { label: t('keep.show'), run: () => store.setOpen(true) },
        });
    });
  }, [store, tell, t]);
}
