/** A drawer over the room, fetched on screens that use one. */
import { createElement } from 'react';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { RoomDrawerProps } from './RoomDrawer.tsx';

/** The drawer's code, for `useWarmUp`. */
export const roomDrawer = lazyPart(() => import('./RoomDrawer.tsx'));

/** `RoomDrawer`, mounted while it is open. If it cannot be fetched, it closes. */
export function LazyRoomDrawer(props: RoomDrawerProps) {
  const part = useLazyPart(roomDrawer, true, props.onClose);
  return part && createElement(part.RoomDrawer, props);
}
