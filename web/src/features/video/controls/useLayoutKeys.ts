import { useEffect } from 'react';
import { LAYOUTS } from '../store/videoModel.ts';
import { takesPart, useVideoPart, useVideoStore } from '../store/useVideo.ts';

/** Field, half and half, video only: one key each (1, 2, 3) while this person takes part and writes nothing. */
export function useLayoutKeys(): void {
  const store = useVideoStore();
  const taking = useVideoPart(takesPart);
  useEffect(() => {
    if (!taking) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.defaultPrevented ||
        target?.closest('input, textarea, select, [contenteditable="true"], [role="dialog"]')
      )
        return;
      const next = LAYOUTS[Number(event.key) - 1];
      if (next) store.setView({ layout: next });
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [store, taking]);
}
