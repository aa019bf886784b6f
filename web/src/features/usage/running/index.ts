/** Usage on the pages outside the room, which have the UI kit and the query cache. */
export { usageQuery } from '../usageQueries.ts';
export { RunningSession, ShellTimer } from './RunningSession.tsx';
export { useAskForRoom, useWaitingCount } from './roomQuery.ts';
export { TrialNotice } from './TrialNotice.tsx';
