/** The question on leaving, fetched once the room stands: nobody leaves in the moment of coming. */
import { createElement } from 'react';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { LeavingQuestionProps } from './LeavingQuestion.tsx';

const leavingQuestion = lazyPart(() => import('./LeavingQuestion.tsx').then((module) => module.LeavingQuestion));

/** Where it cannot be fetched, nobody is kept in the room. */
export function LazyLeavingQuestion(props: LeavingQuestionProps) {
  const question = useLazyPart(leavingQuestion, true);
  return question && createElement(question, props);
}
