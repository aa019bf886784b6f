/**
 * Fetches the files of the room while a client waits: on a weak connection they take longer than everything else after
 * the therapist lets the client in. The room's page names them itself: in its links, and for theme.js
 * (web/build/documents/preloadAhead.ts). Then the room opens in the document of the waiting room.
 */
import { CLIENT_ROOM } from '@fieldroom/contract/pages';

/** Few at a time, because waiting clients must learn at once that they are let in. */
const AT_ONCE = 2;

/** An attribute of a tag as the build writes it; undefined when the tag has none. */
const attribute = (tag: string, name: string): string | undefined => tag.split(` ${name}="`)[1]?.split('"')[0];

/**
 * The addresses of the files that a client's room loads, by its document. Takes the person's language too. It searches
 * the text, because Trusted Types forbid the page to parse HTML.
 */
export function filesOfRoom(html: string, language: string): string[] {
  const tags = html.match(/<(?:script|link)\s[^<>]*>/g) ?? [];
  const addresses = tags.map((tag) =>
    ['modulepreload', 'stylesheet'].includes(attribute(tag, 'rel') ?? '')
      ? attribute(tag, 'href')
      : attribute(tag, 'src'),
  );
  const named = tags
    .flatMap((tag) => ['data-client', 'data-client-en', `data-client-${language}`].map((list) => attribute(tag, list)))
    .flatMap((list) => list?.split(' ') ?? [])
    .filter((file) => file !== '')
    .map((file) => `/assets/${file}`);
  return [...new Set([...addresses, ...named])].filter((address) => address?.startsWith('/')) as string[];
}

/** Lets the browser load and parse a script, so that it only has to run. */
function readAhead(file: string): void {
  document.head.append(
    Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href: file }),
  );
}

/**
 * Fetches them, until all are loaded or the signal aborts. Missing ones are fetched by the room's page. Returns whether
 * all are loaded.
 */
export async function fetchRoomAhead(language: string, signal: AbortSignal): Promise<boolean> {
  let all = true;
  try {
    const read = async (address: string, accept = '*/*') => {
      const answer = await fetch(address, { signal, priority: 'low', headers: { accept } });
      all &&= answer.ok;
      return answer.ok ? answer.text() : '';
    };
    const files = filesOfRoom(await read(CLIENT_ROOM, 'text/html'), language);
    const toFetch = [...files];
    const next = async (): Promise<void> => {
      for (let file = toFetch.shift(); file !== undefined; file = toFetch.shift()) await read(file);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    for (const file of files) if (/^\/assets\/.*\.js$/.test(file)) readAhead(file);
    return all;
  } catch {
    // Offline, or the waiting has ended.
    return false;
  }
}
