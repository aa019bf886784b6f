/** Starts the app in its document. */
import { App } from './App.tsx';
import { fetchAhead, router } from '../routes.tsx';
import { drawPage, noteFaults } from './startPage.tsx';

/**
 * Draws the page of the present address. Takes the element for it, and a callback for each drawn page, or for the fault
 * that broke it.
 */
export async function startApp(element: HTMLElement, onStanding: (fault?: unknown) => void): Promise<void> {
  const noteFault = noteFaults(() => router.state.matches.at(-1)?.fullPath ?? 'unknown');
  router.subscribe('onRendered', () => onStanding());
  router.options.defaultOnCatch = (fault) => {
    onStanding(fault);
    noteFault(fault);
  };
  const { texts, data } = fetchAhead(window.location.pathname);
  // Data that the router finds after the first drawing is drawn at one go, 131 ms on a computer, and not in slices; so
  // is later data. While there is an outline, both are loaded first.
  const findPage = document.documentElement.hasAttribute('data-outline')
    ? () => Promise.all([router.load(), data])
    : undefined;
  await drawPage(element, <App />, texts, findPage);
}
