/** The words of the join page (light/pageWords.ts). */
import de from '../../locales/de/join.json';
import en from '../../locales/en/join.json';
import hu from '../../locales/hu/join.json';
import ro from '../../locales/ro/join.json';
import { createPageWords } from '../../light/pageWords.ts';

export const {
  language: joinLanguage,
  switchTo: switchJoinLanguage,
  showLanguage: showJoinLanguage,
  useWords: useJoinWords,
} = createPageWords({ en, de, hu, ro });
