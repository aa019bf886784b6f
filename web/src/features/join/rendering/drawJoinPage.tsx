/** Renders the join page's form on the server from the components that then take it over in the browser. */
import type { JoinPageData } from '@fieldroom/contract/clients';
import type { Language } from '@fieldroom/contract/text';
import { renderToString } from 'react-dom/server';
import { readJoinAddress } from '../joinAddress.ts';
import { JoinPage } from '../JoinPage.tsx';
import { showJoinLanguage } from '../useJoinWords.ts';

/** Takes the page's path, the language and the data in the document. Returns markup for the root element. */
export function drawJoinPage(path: string, language: Language, data: JoinPageData): string {
  // One page is rendered before the next begins, so one current language is enough.
  showJoinLanguage(language);
  return renderToString(
    <JoinPage first={{ address: readJoinAddress(path, ''), view: data }} openRoomHere={() => {}} />,
  );
}
