/** This page's wording of moments, figures and moves, in its language. */
import type { Figure } from '@fieldroom/contract/field';
import type { Moment, Move } from '@fieldroom/contract/moments';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../platform/i18n/app.ts';
import { figureName } from '../field/picture/index.ts';
import { momentName, moveWords, timeWords } from './momentWords.ts';

/**
 * Returns functions for a time of day (`time`, from an ISO instant), a moment's name, a figure's name, and the
 * description of a move, given the figures before it.
 */
export function useMomentWords() {
  const { t } = useTranslation('moments');
  const { t: tf } = useTranslation('field');
  return useMemo(() => {
    const language = currentLanguage();
    const figure = (one: Figure) => figureName(tf, one);
    return {
      time: (instant: string) => timeWords(instant, language),
      moment: (moment: Moment) => momentName(t, moment, language),
      figure,
      move: (before: readonly Figure[], move: Move) => moveWords(t, figure, before, move),
    };
  }, [t, tf]);
}
