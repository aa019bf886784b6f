/**
 * The first sight of a public page, drawn by the server from the very components that then take it over: whoever waits
 * for the script on a weak line reads meanwhile. Built as a program for the server (vite.config.ts), which finds it
 * beside the web.
 */
import type { Language } from '@fieldroom/contract/text';
import { renderToString } from 'react-dom/server';
import { type PageData, placeOf } from './pageFromPath.ts';
import { PublicArea } from './PublicArea.tsx';
import { speakLanguage } from './useWords.ts';

/**
 * In: path of the page, language, what is written into the document for it. Out: markup for the root element; what
 * comes from people is escaped.
 */
export function draw(path: string, language: Language, data: PageData): string {
  // One drawing is done before the next begins, so one voice is enough.
  speakLanguage(language);
  // The head asks for the picture already; React would ask once more in front of the markup.
  return renderToString(<PublicArea first={{ place: placeOf(path), token: null, data }} />).replace(
    /^(?:<link [^>]*>)+/,
    '',
  );
}
