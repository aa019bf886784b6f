/** How a document with the UI kit starts: the app's (startApp.tsx) and the room's (startRoom.tsx). */
import '../ui/theme/mantine.css';
import { type ReactNode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { startWords } from '../platform/i18n/app.ts';
import { watchHistory } from '../ui/dialogs/backCloses.ts';

/**
 * Begins to note what goes wrong, for the operator (docs/product.md#12.10). Takes what names the page that is shown.
 * Returns a function that notes the fault of a page that could not be drawn.
 */
export function noteFaults(pageName: () => string): (fault: unknown) => void {
  const note = (fault?: unknown) =>
    void import('./browserLogs.ts').then(
      (logs) => logs.noteFault(pageName, fault),
      // Without a connection nothing could be told.
      () => undefined,
    );
  // Not needed before the page has come to rest.
  setTimeout(note, 5000);
  return note;
}

/** How long the first drawing waits for what it draws, in ms. Then it shows what is there. */
const MAX_WAIT_MS = 1000;

/**
 * Draws a page in an element once its texts are there. Takes the texts that it needs beside those of every page, and
 * what else it waits for.
 */
export async function drawPage(
  element: HTMLElement,
  page: ReactNode,
  texts: readonly string[],
  prepare?: () => Promise<unknown>,
): Promise<void> {
  watchHistory();
  // Words that do not come are shown as they are named.
  await startWords(texts).catch(() => undefined);
  // What could not be prepared the page says itself.
  if (prepare) await Promise.race([prepare().catch(() => undefined), passed(MAX_WAIT_MS)]);
  const root = createRoot(element);
  // A transition is drawn in slices: on a weak phone the page answers to taps in between.
  startTransition(() => root.render(page));
}

const passed = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
