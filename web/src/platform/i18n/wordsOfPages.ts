/**
 * Where the words are that only some pages need: neither every page nor the room. In its own file, so that the room
 * does not wait for a list that grows with each page of the app.
 */
type Words = Record<string, unknown>;

const single = import.meta.glob<Words>(
  [
    '../../locales/*/*.json',
    '!../../locales/*/{join,booking,cities}.json',
    '!../../locales/*/{common,problems,room,field,video,messages,usage}.json',
    '!../../locales/*/{notices,search,shell}.json',
  ],
  { import: 'default' },
);

/** The frame shows all of these at once. In one file they take one request: a browser makes only six at a time. */
const FRAME = ['notices', 'search', 'shell'] as const;
const frames = import.meta.glob<Record<(typeof FRAME)[number], Words>>('../../locales/*/frame.ts', {
  import: 'default',
});
const ofFrames = Object.entries(frames).flatMap(([file, load]) =>
  FRAME.map((name) => [file.replace('frame.ts', `${name}.json`), async () => (await load())[name]] as const),
);

/** By the file of the words. */
export const wordsOfPages: Record<string, () => Promise<Words>> = { ...single, ...Object.fromEntries(ofFrames) };
