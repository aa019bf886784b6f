/**
 * What the therapist's page tells the server about itself (docs/product.md#7.2): it starts the timer when it is opened
 * and looked at again, and schedules a stop when it loses the focus or goes. The server knows the tabs apart and decides.
 */
import { BLUR_STOP_SECONDS, CLOSE_STOP_SECONDS, scheduleTimerStop, startTimer } from '@fieldroom/contract/usage';
import { api } from '../../../platform/api/index.ts';

export interface TimerDuty {
  /** Starts the timer; also closes a warning on the server. */
  start(): void;
  /** The person leaves the room within the app: schedules a stop, as for a tab that is closed. */
  leave(): void;
  /** Stops telling. */
  close(): void;
}

/**
 * Begins to tell. Takes whose timer it is, and whether a warning is on the screen: while it is, losing the focus says
 * nothing. Calls that fail are left alone: the server has its own view of who is there.
 */
export function createTimerDuty({
  userId,
  isWarning,
  call = api.call,
}: {
  userId: number;
  isWarning: () => boolean;
  call?: typeof api.call;
}): TimerDuty {
  const body = { tab: crypto.randomUUID() };
  let closing = false;
  const start = () => {
    closing = false;
    void call(startTimer, { params: { userId }, body }).catch(() => undefined);
  };
  const stopAfter = (seconds: number, keepalive: boolean) =>
    void call(scheduleTimerStop, { params: { userId, seconds }, body, keepalive }).catch(() => undefined);
  const onBlur = () => {
    if (!closing && !isWarning()) stopAfter(BLUR_STOP_SECONDS, false);
  };
  const onLeave = () => {
    if (closing) return;
    closing = true;
    stopAfter(CLOSE_STOP_SECONDS, true);
  };
  // A page that the browser kept and shows again.
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) start();
  };
  window.addEventListener('focus', start);
  window.addEventListener('blur', onBlur);
  window.addEventListener('pagehide', onLeave);
  window.addEventListener('pageshow', onShow);
  start();
  return {
    start,
    leave: onLeave,
    close() {
      window.removeEventListener('focus', start);
      window.removeEventListener('blur', onBlur);
      window.removeEventListener('pagehide', onLeave);
      window.removeEventListener('pageshow', onShow);
    },
  };
}
