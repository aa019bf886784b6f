import { useEffect } from 'react';
import { isTypedInOrDialog } from '../../../ui/isTypedIn.ts';
import { LAYOUTS } from '../store/videoModel.ts';
import { takesPart, useVideoPart, useVideoStore } from '../store/useVideo.ts';

/** Field, half and half, video only: one key each (1, 2, 3) while this person takes part and is not typing. */
export function useLayoutKeys(): void {
  const store = useVideoStore();
  const taking = useVideoPart(takesPart);
  useEffect(() => {
    if (!taking) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTypedInOrDialog(event.target)) return;
      const next = LAYOUTS[Number(event.key) - 1];
      if (next) store.setView({ layout: next });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [store, taking]);
}
