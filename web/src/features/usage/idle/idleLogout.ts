/**
 * A client who is inactive while the therapist is away is signed out (docs/product.md#7.6). The moment is in the
 * browser's storage under its fixed key and moves with each act.
 */
import { CLIENT_IDLE_SECONDS } from '@fieldroom/contract/usage';
import { type Store, storage } from '../../../platform/storage.ts';

/** Events that count as an act of the client on this page. */
const ACTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

/** A check that is this much late, in ms: the page slept, and may have missed that the therapist is back. */
const SLEPT_MS = 5_000;
/** How long such a page, or one that had lost its connection, listens before it signs out, in ms. */
const LISTEN_MS = 15_000;

export interface IdleLogout {
  /** Product time in ms at which the client is signed out. */
  expires(): number;
  stop(): void;
}

/**
 * Starts the countdown. Takes the product's clock, whether the page would learn that the therapist is back, the
 * callback at the end, and how often it checks. A reloaded page continues with the stored moment, if that is in the
 * future.
 */
export function startIdleLogout({
  now,
  isConnected,
  onExpired,
  store = storage,
  everyMs = 1000,
}: {
  now: () => number;
  isConnected: () => boolean;
  onExpired: () => void;
  store?: Pick<Store, 'getText' | 'setText' | 'remove'>;
  everyMs?: number;
}): IdleLogout {
  const full = () => now() + CLIENT_IDLE_SECONDS * 1000;
  const stored = Number(store.getText('logoutExpiredDate'));
  let expires = Number.isFinite(stored) && stored > now() && stored <= full() ? stored : full();
  const keep = () => store.setText('logoutExpiredDate', String(expires));
  keep();
  const onAct = () => {
    expires = full();
    keep();
  };
  /** Another tab of this browser may have recorded an act of the same client. */
  const movedElsewhere = () => {
    const moved = Number(store.getText('logoutExpiredDate'));
    if (moved > expires && moved <= full()) expires = moved;
  };
  for (const act of ACTS) window.addEventListener(act, onAct, { passive: true, capture: true });
  let lookedAt = Date.now();
  /** Until when a page that slept past the end listens; null if it need not. */
  let listenUntil: number | null = null;
  /** Until when a page listens that had lost its connection. */
  let listenOnceBack = 0;
  const timer = setInterval(() => {
    const slept = Date.now() - lookedAt > everyMs + SLEPT_MS;
    lookedAt = Date.now();
    movedElsewhere();
    if (!isConnected()) {
      listenOnceBack = lookedAt + LISTEN_MS;
      return;
    }
    if (now() < expires) {
      listenUntil = null;
      return;
    }
    // Once: all checks of a page in the background are late.
    if (slept) listenUntil ??= lookedAt + LISTEN_MS;
    if (lookedAt < Math.max(listenUntil ?? 0, listenOnceBack)) return;
    stop();
    onExpired();
  }, everyMs);
  function stop() {
    clearInterval(timer);
    for (const act of ACTS) window.removeEventListener(act, onAct, { capture: true });
    store.remove('logoutExpiredDate');
  }
  return { expires: () => expires, stop };
}
