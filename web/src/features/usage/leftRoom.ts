/** Whether this tab has to report that the timer continues: once for each live session, after it has shown the room. */
import { tabStore } from '../../platform/storage.ts';

const WAS_IN_ROOM = 'wasInRoom';
/** The live session that this tab has reported. */
const TOLD = 'timerStaysTold';

/** Stores that this tab shows the room. */
export const noteInRoom = (): void => void tabStore.set(WAS_IN_ROOM, '1');

/** Stores that this tab has reported a live session. */
export const noteTimerStaysTold = (sessionId: number): void => void tabStore.set(TOLD, String(sessionId));

/** Returns true once for each live session, if this tab has shown the room. */
export function claimTimerStays(sessionId: number): boolean {
  if (tabStore.get(WAS_IN_ROOM) === null || tabStore.get(TOLD) === String(sessionId)) return false;
  noteTimerStaysTold(sessionId);
  return true;
}
