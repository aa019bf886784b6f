/** Renders a public page on the server from the components that then take it over in the browser. */
import type { Language } from '@fieldroom/contract/text';
import { renderToString } from 'react-dom/server';
import { type PageData, pageFromPath } from '../pageFromPath.ts';
import { PublicArea } from '../PublicArea.tsx';
import { showLanguage } from '../usePublicWords.ts';

/** Takes the page's path, the language and the data in the document. Returns markup for the root element. */
export function drawPublicPage(path: string, language: Language, data: PageData): string {
  // One page is rendered before the next begins, so one current language is enough.
  showLanguage(language);
  // The head preloads the picture already; React would do it again before the markup.
  return renderToString(<PublicArea first={{ address: pageFromPath(path), token: null, data }} />).replace(
    /^(?:<link [^>]*>)+/,
    '',
  );
}
