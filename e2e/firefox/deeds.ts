/** What people do in these walks, in whichever browser they are. */
import { keepConnections } from '../connections.ts';
import { type BrowserPage, type Target, until } from './driver.ts';

export type How = 'Join with camera' | 'Audio only' | 'Just watch and listen';
export const button = (name: string): Target => ({ role: 'button', name });
/** Somebody's tile, by words it is announced with. */
export const face = (...words: string[]): Target => ({
  css: `figure[data-person]${words.map((word) => `[aria-label*=${JSON.stringify(word)}]`).join('')}`,
});
const FIELD: Target = { css: '[data-testid=field]' };

/** Lets what the page's connections carry be counted; to be called before it goes anywhere. */
export const countable = (page: BrowserPage): Promise<void> => page.before(keepConnections);

/** Signs in as the demo's therapist and opens the field. */
export async function opensField(page: BrowserPage): Promise<void> {
  await page.goto('/user/login');
  await page.fill({ role: 'textbox', name: 'Email' }, 'anna@demo.example');
  await page.fill({ css: 'input[type=password]' }, 'constellation');
  await page.click(button('Sign in'));
  await page.sees({ css: 'nav a' });
  await page.goto('/app/play-area');
  await page.sees(FIELD);
}

/** Knocks by the therapist's link and is let in. */
export async function comesIn(page: BrowserPage, therapist: BrowserPage, name: string): Promise<void> {
  await page.goto('/user/join/anna');
  await page.fill({ role: 'textbox', name: 'Your name' }, name);
  await page.click(button('Knock at the door'));
  await therapist.click(button(`Let in ${name}`));
  await page.sees(FIELD);
}

/** Begins, or comes again, by the check of devices. */
export async function joins(page: BrowserPage, opens: string, how: How = 'Join with camera'): Promise<void> {
  await page.click(button(opens));
  await page.click(button(how));
}

/**
 * Takes the offer that comes when the therapist has begun; once more where a busy page lost the press, as a person
 * would.
 */
export const accepts = (page: BrowserPage, how: How = 'Join with camera'): Promise<unknown> =>
  until('the offer to be taken', async () => {
    await page.click(button(how));
    return page.misses(button(how), 4_000).then(
      () => true,
      () => false,
    );
  });

/** Sets one of the switches of "Audio and video". */
export async function turns(page: BrowserPage, name: string): Promise<void> {
  await page.click(button('Devices'));
  await page.click({ role: 'switch', name });
  await page.click(button('Close'));
}

/**
 * Which frame somebody's tile draws next, counted from its first; null while there is no picture in it, 0 while none
 * moves. Firefox does not count what is drawn of a stream, but tells of each.
 */
const nextFrame = (page: BrowserPage, name: string): Promise<number | null> =>
  page.evaluate(async (who) => {
    const tile = [...document.querySelectorAll('figure[data-person]')].find((one) =>
      one.querySelector('figcaption')?.textContent?.includes(who),
    );
    const video = tile?.querySelector('video');
    if (!video) return null;
    return new Promise<number>((resolve) => {
      video.requestVideoFrameCallback((_, { presentedFrames }) => resolve(presentedFrames));
      setTimeout(() => resolve(0), 1_000);
    });
  }, name);

/** Pictures of somebody are drawn, and go on being drawn. */
export async function seesMoving(page: BrowserPage, name: string): Promise<void> {
  const first = await until(`a picture of ${name}`, async () => (await nextFrame(page, name)) || null);
  await until(`a moving picture of ${name}`, async () => {
    const frame = (await nextFrame(page, name)) ?? 0;
    // Another element counts anew.
    return frame > first + 5 || (frame > 0 && frame < first);
  });
}

/** Somebody's tile is there without a picture. */
export const seesNoPicture = (page: BrowserPage, name: string): Promise<unknown> =>
  until(`no picture of ${name}`, async () => (await nextFrame(page, name)) === null);

/** Sound that is not silence arrives from at least so many people, and goes on arriving. */
export async function hears(page: BrowserPage, people = 1): Promise<void> {
  const energies = () =>
    page.evaluate(async () => {
      const found: number[] = [];
      for (const connection of (window as unknown as { connections: RTCPeerConnection[] }).connections) {
        if (connection.connectionState !== 'connected') continue;
        (await connection.getStats()).forEach(
          ({ type, kind, totalAudioEnergy }: { type: string; kind?: string; totalAudioEnergy?: number }) => {
            if (type === 'inbound-rtp' && kind === 'audio') found.push(totalAudioEnergy ?? 0);
          },
        );
      }
      return found;
    });
  const before = await until('voices', async () => {
    const loud = (await energies()).filter((energy) => energy > 0);
    return loud.length >= people && Math.max(...loud);
  });
  await until('voices to go on', async () => (await energies()).some((energy) => energy > before));
}

/** Whether all that is sent and received passes through a transform. */
export const seals = (page: BrowserPage): Promise<boolean> =>
  page.evaluate(() => {
    const carrying = (window as unknown as { connections: RTCPeerConnection[] }).connections
      .filter(({ connectionState }) => connectionState === 'connected')
      .flatMap((connection) => connection.getTransceivers());
    const ends: object[] = carrying.flatMap(({ currentDirection: way, sender, receiver }) =>
      way === 'sendonly' ? sender : way === 'recvonly' ? receiver : [],
    );
    return ends.length > 0 && ends.every((end) => 'transform' in end && end.transform !== null);
  });

/** The middle of a figure on the page, in px; waits until it is drawn. */
export const placeOf = (page: BrowserPage, figure: string): Promise<{ x: number; y: number }> =>
  until(`the figure ${figure}`, () =>
    page.evaluate((name) => {
      const box = document
        .querySelector(`[data-testid=field] [role=button][aria-label^="${name},"]`)
        ?.getBoundingClientRect();
      return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
    }, figure),
  );
