/**
 * The therapist's page reports to the server (docs/product.md#7.2). It starts the timer when it is opened or gets the
 * focus again. It schedules a stop when it loses the focus or is closed. The server distinguishes the tabs and decides.
 */
import { BLUR_STOP_SECONDS, CLOSE_STOP_SECONDS, scheduleTimerStop, startTimer } from '@fieldroom/contract/usage';
import { api, ApiProblem } from '../../../platform/api/index.ts';
import { retryUntilDone } from '../../../ui/lazy/retryUntilDone.ts';

export interface TimerDuty {
  /** Starts the timer; also closes a warning on the server. */
  start(): void;
  /** The person leaves the room within the app: schedules a stop, as for a closed tab. */
  leave(): void;
  /** Stops reporting. */
  close(): void;
}

/** A refusal is an answer: repeating the call changes nothing. */
const isRefusal = (fault: unknown) => fault instanceof ApiProblem && fault.status >= 400 && fault.status < 500;

/**
 * Starts reporting. Takes whose timer it is, and whether a warning is on the screen: during a warning, losing the focus
 * is not reported. A failed start is repeated until the page is left or loses the focus: it cancels a warning that the
 * person no longer sees. A failed stop is not repeated: the server knows by other means who is there.
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
  let stopStarting = () => {};
  const start = () => {
    closing = false;
    stopStarting();
    const tell = () =>
      call(startTimer, { params: { userId }, body }).catch((fault: unknown) => {
        if (!isRefusal(fault)) throw fault;
      });
    stopStarting = retryUntilDone(tell, () => undefined);
  };
  const stopAfter = (seconds: number, keepalive: boolean) =>
    void call(scheduleTimerStop, { params: { userId, seconds }, body, keepalive }).catch(() => undefined);
  const onBlur = () => {
    if (closing || isWarning()) return;
    stopStarting();
    stopAfter(BLUR_STOP_SECONDS, false);
  };
  const onLeave = () => {
    if (closing) return;
    closing = true;
    stopStarting();
    stopAfter(CLOSE_STOP_SECONDS, true);
  };
  // A page that the browser cached and shows again.
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
      stopStarting();
      window.removeEventListener('focus', start);
      window.removeEventListener('blur', onBlur);
      window.removeEventListener('pagehide', onLeave);
      window.removeEventListener('pageshow', onShow);
    },
  };
}
