/** The question on leaving, fetched once the room stands: nobody leaves in the moment of coming. */
import { createElement } from 'react';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { LeaveRoomQuestionProps } from './LeaveRoomQuestion.tsx';

const leaveRoomQuestion = lazyPart(() => import('./LeaveRoomQuestion.tsx').then((module) => module.LeaveRoomQuestion));

/** Where it cannot be fetched, nobody is kept in the room. */
export function LazyLeaveRoomQuestion(props: LeaveRoomQuestionProps) {
  const question = useLazyPart(leaveRoomQuestion, true);
  return question && createElement(question, props);
}
