/**
 * Where the words are that neither every page nor the room needs. A file of its own, so that the room does not wait for
 * a list that grows with each page of the app.
 */
export const wordsOfPages = import.meta.glob<Record<string, unknown>>(
  [
    '../../locales/*/*.json',
    '!../../locales/*/{join,booking}.json',
    '!../../locales/*/{common,problems,room,field,video,messages,usage}.json',
  ],
  { import: 'default' },
);
