/** A person's own acts on the field, without anything that draws. */
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
