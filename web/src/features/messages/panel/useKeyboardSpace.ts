/** The part of the page that a phone's keyboard covers, in browsers that draw it over the page (Safari). */
import { type CSSProperties, useEffect, useState } from 'react';

/** A page that is zoomed by two fingers shows less of itself even without a keyboard. */
const ENLARGED = 1.01;

/**
 * Returns two custom properties: `--keyboard`, the covered height at the bottom, and `--view`, the visible height.
 * Nothing if the browser does not report them.
 */
export function useKeyboardSpace(): CSSProperties {
  const [space, setSpace] = useState<CSSProperties>({});
  useEffect(() => {
    const view = globalThis.visualViewport;
    if (!view) return undefined;
    const measure = () => {
      if (view.scale > ENLARGED) return;
      const covered = Math.max(0, Math.round(window.innerHeight - view.height - view.offsetTop));
      setSpace({ '--keyboard': `${covered}px`, '--view': `${Math.round(view.height)}px` } as CSSProperties);
    };
    measure();
    view.addEventListener('resize', measure);
    view.addEventListener('scroll', measure);
    return () => {
      view.removeEventListener('resize', measure);
      view.removeEventListener('scroll', measure);
    };
  }, []);
  return space;
}
