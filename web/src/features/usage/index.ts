/** Usage: the timer of a therapist's practice, the trial, and what happens when nobody does anything. */
export { IdleCountdown } from './idle/IdleCountdown.tsx';
export { LazyUsageDialog } from './dialogs/lazyUsageDialogs.tsx';
export { createRoomTimer, type RoomTimer } from './room/roomTimer.ts';
export { RoomUsageDialogs } from './room/RoomUsageDialogs.tsx';
export { RunningSession, ShellTimer } from './running/RunningSession.tsx';
export { TrialNotice } from './running/TrialNotice.tsx';
export { RoomTimerBadge } from './timer/TimerBadge.tsx';
export { createTimerStore, type OpenedDialog, type TimerStore } from './timer/timerStore.ts';
export { TimerContext } from './timer/useTimer.ts';
export { usageQuery } from './usageQueries.ts';
