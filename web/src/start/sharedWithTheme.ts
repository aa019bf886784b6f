/**
 * What `public/theme.js` shares with the app: the names of themes and languages, and addresses of pages. It runs before
 * everything else, as a file of its own, and so can import nothing; the build writes the values into it.
 */
import { PALETTES } from '@fieldroom/contract/colours/palettes';
import { CLIENT_ROOM, CODE_PAGE, JOIN_PAGE, SIGN_IN_PAGE, THERAPIST_ROOM } from '@fieldroom/contract/pages';
import { LANGUAGES } from '@fieldroom/contract/text';
import { parseTheme } from '../ui/theme/palettes.ts';

/** What stands in the script in the place of the values. */
const PLACE = 'shared = SHARED_VALUES;';
const VALUES = {
  palettes: PALETTES,
  defaultPalette: parseTheme(null).palette,
  languages: LANGUAGES,
  signIn: SIGN_IN_PAGE,
  therapistRoom: THERAPIST_ROOM,
  clientRoom: CLIENT_ROOM,
  /** The pages on which clients enter; what they enter with may follow. */
  entrances: [JOIN_PAGE, CODE_PAGE],
};

/** Takes `theme.js` as it is written. Returns it with the values. */
export function withSharedValues(script: string): string {
  if (!script.includes(PLACE)) throw new Error(`theme.js has no "${PLACE}"`);
  return script.replace(PLACE, () => `shared = ${JSON.stringify(VALUES)};`);
}
