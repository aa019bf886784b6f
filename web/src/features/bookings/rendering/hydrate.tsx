/** Takes over the server's rendering, or renders again if only this browser knows what to show. */
import { useEffect } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { BrokenPage } from '../../../light/BrokenPage.tsx';
import { SchemeSwitch } from '../../../light/SchemeSwitch.tsx';
import { watchHistory } from '../../../ui/dialogs/backCloses.ts';
import { ErrorBoundary } from '../../../ui/states/ErrorBoundary.tsx';
import { hasHold } from '../sessionStorage.ts';
import { PublicArea } from '../PublicArea.tsx';
import { shownLanguage, usePublicWords } from '../usePublicWords.ts';

function BrokenPublicPage() {
  const { t } = usePublicWords();
  return (
    <BrokenPage
      title={t('broken.title')}
      text={t('broken.text')}
      reload={t('tryAgain')}
      scheme={<SchemeSwitch label={t('dark')} />}
    />
  );
}

/** Takes the root element, and a function to call once the page reacts to people. Returns React's root. */
export function hydratePage(root: HTMLElement, onReady: () => void): Root {
  watchHistory();
  function HydratedPage() {
    useEffect(() => {
      // Outside of React's own work, which could not take over the part that was pressed.
      setTimeout(onReady);
    }, []);
    return (
      <ErrorBoundary fallback={() => <BrokenPublicPage />}>
        <PublicArea />
      </ErrorBoundary>
    );
  }
  // Only this tab knows a language other than the browser's own, and a hold.
  const matches = root.firstElementChild?.getAttribute('lang') === shownLanguage() && !hasHold();
  // A browser that formats dates or prices differently renders again, which does no harm.
  if (matches) return hydrateRoot(root, <HydratedPage />, { onRecoverableError: () => {} });
  const reactRoot = createRoot(root);
  reactRoot.render(<HydratedPage />);
  return reactRoot;
}
