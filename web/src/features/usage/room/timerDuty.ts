/**
 * What the therapist's page tells the server about itself (docs/product.md#7.2). It starts the timer when it is opened
 * and looked at again. It schedules a stop when it loses the focus or goes. The server knows the tabs apart and
 * decides.
 */
import { BLUR_STOP_SECONDS, CLOSE_STOP_SECONDS, scheduleTimerStop, startTimer } from '@fieldroom/contract/usage';
import { api, ApiProblem } from '../../../platform/api/index.ts';
import { retryUntilDone } from '../../../ui/lazy/retryUntilDone.ts';

export interface TimerDuty {
  /** Starts the timer; also closes a warning on the server. */
  start(): void;
  /** The person leaves the room within the app: schedules a stop, as for a tab that is closed. */
  leave(): void;
  /** Stops telling. */
  close(): void;
}

/** A refusal is an answer: asking again changes nothing. */
const isRefusal = (fault: unknown) => fault instanceof ApiProblem && fault.status >= 400 && fault.status < 500;

/**
 * Begins to tell. Takes whose timer it is, and whether a warning is on the screen: while it is, losing the focus says
 * nothing. A start that fails is repeated until the page is left or loses the focus: it takes back a warning that the
 * person no longer sees. A stop that fails is left alone: the server has its own view of who is there.
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
      stopStarting();
      window.removeEventListener('focus', start);
      window.removeEventListener('blur', onBlur);
      window.removeEventListener('pagehide', onLeave);
      window.removeEventListener('pageshow', onShow);
    },
  };
}
