import 'virtual:palettes.css';
import './ui/theme/tokens.css';
import './ui/theme/mantine.css';
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
router.options.defaultOnCatch = noteFault;
// Not needed before the page has come to rest.
setTimeout(noteFault, 5000);

void startWords(fetchAhead(window.location.pathname)).finally(() => {
  createRoot(document.getElementById('root') as HTMLElement).render(<App />);
});
