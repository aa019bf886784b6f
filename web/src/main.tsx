import 'virtual:palettes.css';
import './ui/theme/tokens.css';
import './ui/theme/outline.css';
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
/** Takes away what index.html shows until a page stands (ui/theme/outline.css). */
const removeOutline = () => document.getElementById('outline')?.remove();
router.subscribe('onRendered', removeOutline);
router.options.defaultOnCatch = (fault) => {
  removeOutline();
  void noteFault(fault);
};
// Not needed before the page has come to rest.
setTimeout(noteFault, 5000);

void startWords(fetchAhead(window.location.pathname)).finally(() => {
  const root = createRoot(document.getElementById('root') as HTMLElement);
  // A transition is drawn in slices: on a weak phone the page answers to taps in between.
  startTransition(() => root.render(<App />));
});
