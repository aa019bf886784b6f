/** Usage in the room: the timer, its dialogs, and the effects of inactivity. */
export { idleCountdown, LazyIdleCountdown } from './idle/LazyIdleCountdown.tsx';
export { LazyUsageDialog, usageDialogs } from './dialogs/lazyUsageDialogs.tsx';
export { noteInRoom, noteTimerStaysTold } from './leftRoom.ts';
export { RoomUsageDialogs } from './room/RoomUsageDialogs.tsx';
export { LazyRoomTimerBadge } from './timer/LazyRoomTimerBadge.tsx';
export type { OpenedDialog } from './timer/dueDialogs.ts';
export { createTimerStore, type TimerStore } from './timer/timerStore.ts';
export { TimerContext } from './timer/timerContext.ts';

/** Fetches the timer's code of the therapist's page; the room is shown without waiting for it. */
export const loadRoomTimer = () => import('./room/roomTimer.ts');
