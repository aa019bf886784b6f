/** The menu of phones, fetched only on phones. Its space is reserved until it is loaded. */
import { createElement } from 'react';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import { useCanUndo } from '../../field/index.ts';
import { phoneVideo } from '../../video/index.ts';
import { useRoomStore } from '../store/useRoom.ts';
import type { PhoneMoreProps } from './PhoneMore.tsx';

const part = lazyPart(() => import('./PhoneMore.tsx'));

/**
 * The menu "More" in the top bar of both rooms on a phone. Adds undo, redo and the video's entries to those of the
 * room.
 */
export function LazyPhoneMore(props: Omit<PhoneMoreProps, 'can' | 'onUndo' | 'onRedo' | 'video'>) {
  const phone = useLazyPart(part, true);
  const video = useLazyPart(phoneVideo, true);
  const { undo, redo } = useRoomStore();
  const can = useCanUndo();
  return (
    <span style={{ flex: 'none', minWidth: 44 }}>
      {phone && createElement(phone.PhoneMore, { ...props, can, onUndo: undo, onRedo: redo, video })}
    </span>
  );
}
