/** What the frame of the signed-in pages says, in one file (platform/i18n/wordsOfPages.ts). */
import notices from './notices.json';
import search from './search.json';
import shell from './shell.json';

/** @public */
export default { notices, search, shell };
