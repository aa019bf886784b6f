/** The question on leaving, fetched once the room is drawn: nobody leaves right after arriving. */
import { createElement } from 'react';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { LeaveRoomQuestionProps } from './LeaveRoomQuestion.tsx';

const leaveRoomQuestion = lazyPart(() => import('./LeaveRoomQuestion.tsx').then((module) => module.LeaveRoomQuestion));

/** If it cannot be fetched, nobody is kept in the room. */
export function LazyLeaveRoomQuestion(props: LeaveRoomQuestionProps) {
  const question = useLazyPart(leaveRoomQuestion, true);
  return question && createElement(question, props);
}
