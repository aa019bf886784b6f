/** Used by other forms with a time zone too. The words are those of `events`. */
export { cityWords } from '../eventWords.ts';
export { zoneChoices } from '../dates/zoneChoices.ts';
