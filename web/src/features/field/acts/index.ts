/** A person's own acts on the field, without drawing code. */
export {
  begin,
  confirm,
  isFull,
  makeRoomFor,
  movedBy,
  nextToUndo,
  type OwnActs,
  type PendingAct,
  refuse,
  shownFigures,
} from './ownActs.ts';
