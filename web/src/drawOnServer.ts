/**
 * Draws light pages on the server from the components that then take them over in the browser, so that people on a slow
 * connection can read and type before the script has arrived. Built as a module for the server (vite.config.ts), which
 * finds it beside the web's files.
 */
import { pageAt } from '@fieldroom/contract/pages';
import type { Language } from '@fieldroom/contract/text';
import { drawPublicPage } from './features/bookings/rendering/drawPublicPage.tsx';
import { drawJoinPage } from './features/join/rendering/drawJoinPage.tsx';

/**
 * Takes the page's path, the language and the data in the document. Returns markup for the root element, in which what
 * people wrote is escaped.
 */
export const draw = (path: string, language: Language, data: never): string =>
  pageAt(path).document === 'join' ? drawJoinPage(path, language, data) : drawPublicPage(path, language, data);
