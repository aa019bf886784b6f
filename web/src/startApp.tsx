/** Starts the app, in its own document or in that of the waiting room. */
import './ui/theme/mantine.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { startWords } from './platform/i18n/app.ts';
import { fetchAhead, router } from './routes.tsx';

/** Loads what tells the operator of faults, and hands over one that broke a page (docs/product.md#12.10). */
const noteFault = (fault?: unknown) =>
  import('./browserLogs.ts').then(
    (logs) => logs.noteFault(router, fault),
    // Without a connection nothing could be told.
    () => undefined,
  );

/**
 * Draws the page of the present address. Takes the element for it, and what to do each time a page stands, or with the
 * fault that broke it.
 */
export async function startApp(element: HTMLElement, onStanding: (fault?: unknown) => void): Promise<void> {
  router.subscribe('onRendered', () => onStanding());
  router.options.defaultOnCatch = (fault) => {
    onStanding(fault);
    void noteFault(fault);
  };
  // Not needed before the page has come to rest.
  setTimeout(noteFault, 5000);
  // Words that do not come are shown as they are named.
  await startWords(fetchAhead(window.location.pathname)).catch(() => undefined);
  const root = createRoot(element);
  // A transition is drawn in slices: on a weak phone the page answers to taps in between.
  startTransition(() => root.render(<App />));
}
