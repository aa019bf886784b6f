/** Usage in the room: the timer, its dialogs, and what happens when nobody does anything. */
export { LazyIdleCountdown } from './idle/LazyIdleCountdown.tsx';
export { LazyUsageDialog } from './dialogs/lazyUsageDialogs.tsx';
export { createRoomTimer, type RoomTimer } from './room/roomTimer.ts';
export { RoomUsageDialogs } from './room/RoomUsageDialogs.tsx';
export { RoomTimerBadge } from './timer/TimerBadge.tsx';
export type { OpenedDialog } from './timer/dueDialogs.ts';
export { createTimerStore, type TimerStore } from './timer/timerStore.ts';
export { TimerContext } from './timer/useTimer.ts';
