/** Takes over what the server drew, or draws anew where the server could not know what this browser is to show. */
import { useEffect } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { heldHere } from './sessionStorage.ts';
import { PublicArea } from './PublicArea.tsx';
import { shownLanguage } from './useWords.ts';

/** In: the root element, and what is to be done once the page answers. */
export function wake(root: HTMLElement, answer: () => void): Root {
  function Awake() {
    useEffect(() => {
      // Not within React's own work, which could not take over the part that was pressed.
      setTimeout(answer);
    }, []);
    return <PublicArea />;
  }
  // Another language than the browser's own is known here alone, as is a hold made in this tab.
  const same = root.firstElementChild?.getAttribute('lang') === shownLanguage() && !heldHere();
  // A browser that writes a date or a price otherwise than the server draws anew, and nothing is lost by it.
  if (same) return hydrateRoot(root, <Awake />, { onRecoverableError: () => {} });
  const drawn = createRoot(root);
  drawn.render(<Awake />);
  return drawn;
}
