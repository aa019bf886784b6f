/** The dialogs about usage in the therapist's room. */
import { useState } from 'react';
import { LazyUsageDialog, staysDue } from '../dialogs/lazyUsageDialogs.tsx';
import { useTimerPart, useTimerStore } from '../timer/timerContext.ts';

/** `onStay` starts the timer again when a warning is closed. */
export function RoomUsageDialogs({ onStay }: { onStay(): void }) {
  const store = useTimerStore();
  const opened = useTimerPart((model) => model.opened);
  // A closing dialog is drawn until it is gone, so that the focus returns to where it was.
  const [last, setLast] = useState(opened);
  if (opened !== null && opened !== last) setLast(opened);
  const which = opened ?? last;
  if (which === null) return null;
  const close = () => {
    store.closeDialog(which.dialog);
    if (which.dialog === 'timeoutwarning') onStay();
  };
  // Nobody has seen a dialog that could not be fetched, so nobody has confirmed that they are still here.
  return (
    <LazyUsageDialog key={which.dialog} opened={opened !== null} which={which} onClose={close} onFailed={staysDue} />
  );
}
