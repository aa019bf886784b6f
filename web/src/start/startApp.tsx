/** Starts the app in its document. */
import { App } from './App.tsx';
import { fetchAhead, router } from '../routes.tsx';
import { drawPage, noteFaults } from './startPage.tsx';

/**
 * Draws the page of the present address. Takes the element for it, and what to do each time a page stands, or with the
 * fault that broke it.
 */
export async function startApp(element: HTMLElement, onStanding: (fault?: unknown) => void): Promise<void> {
  const noteFault = noteFaults(() => router.state.matches.at(-1)?.fullPath ?? 'unknown');
  router.subscribe('onRendered', () => onStanding());
  router.options.defaultOnCatch = (fault) => {
    onStanding(fault);
    noteFault(fault);
  };
  await drawPage(element, <App />, fetchAhead(window.location.pathname));
}
