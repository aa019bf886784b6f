/** Takes over the form that the server drew, or draws again if only this browser knows what to show. */
import type { JoinPageData } from '@fieldroom/contract/clients';
import { useEffect } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { BrokenPage } from '../../../light/BrokenPage.tsx';
import { SchemeSwitch } from '../../../light/SchemeSwitch.tsx';
import { keepEarlyText } from '../../../light/earlyText.ts';
import { storage } from '../../../platform/storage.ts';
import { ErrorBoundary } from '../../../ui/states/ErrorBoundary.tsx';
import { readJoinAddress } from '../joinAddress.ts';
import { JoinPage } from '../JoinPage.tsx';
import { openRoomHere, type StartRoom } from '../opening/roomHere.ts';
import { joinLanguage, useJoinWords } from '../useJoinWords.ts';

/** The server's data in the document; null if there is none (development, other pages). */
function readData(): JoinPageData | null {
  const text = document.getElementById('page-data')?.textContent;
  return text ? (JSON.parse(text) as JoinPageData) : null;
}

function BrokenJoinPage() {
  const { t } = useJoinWords();
  return (
    <BrokenPage
      title={t('broken.title')}
      text={t('broken.text')}
      reload={t('tryAgain')}
      scheme={<SchemeSwitch label={t('dark')} />}
    />
  );
}

/**
 * Takes the root element, a function that fetches the room's start, and one to call once the page reacts to people.
 * Returns React's root.
 */
export function hydrateJoinPage(root: HTMLElement, fetchRoom: () => Promise<StartRoom>, onReady: () => void): Root {
  const data = readData();
  const { pathname, search } = window.location;
  // A person with a token may already wait, be in, or be a therapist. The page finds out first; theme.js hides the
  // form.
  const first =
    data !== null && storage.getText('token') === null
      ? { address: readJoinAddress(pathname, search), view: data }
      : null;
  function HydratedPage() {
    useEffect(() => {
      document.documentElement.removeAttribute('data-known');
      // Outside of React's own work, which could not take over the part that was pressed.
      setTimeout(onReady);
    }, []);
    return (
      <ErrorBoundary fallback={() => <BrokenJoinPage />}>
        <JoinPage first={first} openRoomHere={openHere} />
      </ErrorBoundary>
    );
  }
  let reactRoot: Root;
  const openHere = () => void openRoomHere(root, fetchRoom, () => reactRoot.unmount());
  const drawnIn = root.querySelector('[lang]')?.getAttribute('lang');
  // The server knows neither a language that was chosen here nor the query of the address.
  if (first !== null && drawnIn === joinLanguage() && search === '')
    reactRoot = hydrateRoot(root, <HydratedPage />, { onRecoverableError: () => {} });
  else {
    keepEarlyText(root);
    reactRoot = createRoot(root);
    reactRoot.render(<HydratedPage />);
  }
  return reactRoot;
}
