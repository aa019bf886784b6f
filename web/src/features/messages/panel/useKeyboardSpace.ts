/** How much of the page a phone's keyboard leaves, where the browser lays it over the page (Safari). */
import { type CSSProperties, useEffect, useState } from 'react';

/** A page that is enlarged by two fingers shows less of itself without a keyboard. */
const ENLARGED = 1.01;

/**
 * Returns two custom properties: `--keyboard`, what is covered at the bottom, and `--view`, the height that is seen.
 * Nothing where the browser does not know.
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
