/** How a document with the UI kit starts: the app's (startApp.tsx) and the room's (startRoom.tsx). */
import '../ui/theme/mantine.css';
import { type ReactNode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { startWords } from '../platform/i18n/app.ts';
import { watchHistory } from '../ui/dialogs/backCloses.ts';

/**
 * Starts recording faults for the operator (docs/product.md#12.10). Takes a function that names the shown page. Returns
 * a function that records the fault of a page that could not be drawn.
 */
export function noteFaults(pageName: () => string): (fault: unknown) => void {
  const note = (fault?: unknown) =>
    void import('./browserLogs.ts').then(
      (logs) => logs.noteFault(pageName, fault),
      // Without a connection nothing could be reported.
      () => undefined,
    );
  // Not needed before the page is idle.
  setTimeout(note, 5000);
  return note;
}

/** How long the first drawing waits for its preparations, in ms. Then it shows what is loaded. */
const MAX_WAIT_MS = 1000;

/**
 * Draws a page in an element once its texts are there. Takes the texts that it needs beside those of every page, and
 * its further preparations.
 */
export async function drawPage(
  element: HTMLElement,
  page: ReactNode,
  texts: readonly string[],
  prepare?: () => Promise<unknown>,
): Promise<void> {
  watchHistory();
  // Missing words are shown as their keys.
  await startWords(texts).catch(() => undefined);
  // The page itself reports failed preparations.
  if (prepare) await Promise.race([prepare().catch(() => undefined), passed(MAX_WAIT_MS)]);
  const root = createRoot(element);
  // A transition is drawn in slices: on a weak phone the page answers to taps in between.
  startTransition(() => root.render(page));
}

const passed = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
