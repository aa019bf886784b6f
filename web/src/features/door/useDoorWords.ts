/** The words of the door (light/pageWords.ts). */
import de from '../../locales/de/door.json';
import en from '../../locales/en/door.json';
import hu from '../../locales/hu/door.json';
import ro from '../../locales/ro/door.json';
import { createPageWords } from '../../light/pageWords.ts';

export const {
  language: doorLanguage,
  switchTo: switchDoorLanguage,
  useWords: useDoorWords,
} = createPageWords({ en, de, hu, ro });
