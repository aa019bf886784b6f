/** The dialogs about usage in the therapist's room. */
import { LazyUsageDialog } from '../dialogs/lazyUsageDialogs.tsx';
import { useTimerPart, useTimerStore } from '../timer/useTimer.ts';

/** `onStay` starts the timer again when a warning is closed. */
export function RoomUsageDialogs({ onStay }: { onStay(): void }) {
  const store = useTimerStore();
  const opened = useTimerPart((model) => model.opened);
  if (opened === null) return null;
  const close = () => {
    store.closeDialog();
    if (opened.dialog === 'timeoutwarning') onStay();
  };
  return <LazyUsageDialog key={opened.dialog} opened which={opened} onClose={close} />;
}
