/** The room's dialogs, fetched when they are needed. */
import { lazyPart, OpenAfterMount, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { KeysDialogProps, LeavingDialogProps, QuestionProps } from './RoomDialogs.tsx';

/** The dialogs' code, for `useWarmUp`. */
export const roomDialogs = lazyPart(() => import('./RoomDialogs.tsx'));

/** `Question`, fetched with its first opening. If it cannot be fetched, the answer is no. */
export function LazyQuestion(props: QuestionProps) {
  const dialogs = useLazyPart(roomDialogs, props.opened, props.onNo);
  return dialogs && <OpenAfterMount dialog={dialogs.Question} given={props} />;
}

/**
 * `LeavingDialog`, fetched with its first opening. If it cannot be fetched, the person leaves: nobody is kept in the
 * room.
 */
export function LazyLeavingDialog(props: LeavingDialogProps) {
  const dialogs = useLazyPart(roomDialogs, props.opened, props.onGo);
  return dialogs && <OpenAfterMount dialog={dialogs.LeavingDialog} given={props} />;
}

/** `KeysDialog`, fetched with its first opening. */
export function LazyKeysDialog(props: KeysDialogProps) {
  const dialogs = useLazyPart(roomDialogs, props.opened, props.onClose);
  return dialogs && <OpenAfterMount dialog={dialogs.KeysDialog} given={props} />;
}
