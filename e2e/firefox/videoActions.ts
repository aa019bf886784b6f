/** What people do with video, in browsers that have it. */
import { type RecordedConnections, recordPeerConnections } from '../peer-connections.ts';
import { button } from '../browsers/actions.ts';
import { type BrowserPage, type ScriptedPage, type Target, until } from '../browsers/page.ts';

export type JoinChoice = 'Join with camera' | 'Audio only' | 'Just watch and listen';
/** A person's tile, by words of its accessible name. */
export const tile = (...words: string[]): Target => ({
  css: `figure[data-person]${words.map((word) => `[aria-label*=${JSON.stringify(word)}]`).join('')}`,
});
/** Records the page's peer connections for {@link hears} and others. Call it before the page opens anything. */
export const recordConnections = (page: ScriptedPage): Promise<void> => page.addInitScript(recordPeerConnections);

/** Joins the video through the device check. Takes the name of the button that opens it, and how to join. */
export async function join(page: BrowserPage, opener: string, choice: JoinChoice = 'Join with camera'): Promise<void> {
  await page.click(button(opener));
  await page.click(button(choice));
}

/**
 * Accepts the offer that a client gets when the therapist has started the video. Clicks again when a busy page has lost
 * the click, as a person would.
 */
export const accept = (page: BrowserPage, choice: JoinChoice = 'Join with camera'): Promise<unknown> =>
  until('the offer to be accepted', async () => {
    await page.click(button(choice));
    return page.waitUntilGone(button(choice), 4_000).then(
      () => true,
      () => false,
    );
  });

/** Flips a switch of the dialog “Audio and video”. */
export async function flipSwitch(page: BrowserPage, name: string): Promise<void> {
  await page.click(button('Devices'));
  await page.click({ role: 'switch', name });
  await page.click(button('Close'));
}

/**
 * The number of the next frame that a person's tile draws; null while the tile has no video, 0 when no frame comes
 * within a second. Firefox does not count the drawn frames of a stream, but reports each of them.
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

/** Waits until a person's tile draws video and keeps drawing. */
export async function seesMoving(page: BrowserPage, name: string): Promise<void> {
  const first = await until(`video of ${name}`, async () => (await nextFrame(page, name)) || null);
  await until(`moving video of ${name}`, async () => {
    const frame = (await nextFrame(page, name)) ?? 0;
    // A new video element counts from the start.
    return frame > first + 5 || (frame > 0 && frame < first);
  });
}

/** Waits until a person's tile has no video. */
export const seesNoVideo = (page: BrowserPage, name: string): Promise<unknown> =>
  until(`no video of ${name}`, async () => (await nextFrame(page, name)) === null);

/** Waits until audio that is not silent arrives from a number of people, and keeps arriving. */
export async function hears(page: BrowserPage, people = 1): Promise<void> {
  const energies = () =>
    page.evaluate(async () => {
      const found: number[] = [];
      const { connections, statsOf } = window as unknown as RecordedConnections;
      for (const connection of connections) {
        if (connection.connectionState !== 'connected') continue;
        (await statsOf(connection)).forEach(
          ({ type, kind, totalAudioEnergy }: { type: string; kind?: string; totalAudioEnergy?: number }) => {
            if (type === 'inbound-rtp' && kind === 'audio') found.push(totalAudioEnergy ?? 0);
          },
        );
      }
      return found;
    });
  const before = await until('audio', async () => {
    const loud = (await energies()).filter((energy) => energy > 0);
    return loud.length >= people && Math.max(...loud);
  });
  await until('audio to continue', async () => (await energies()).some((energy) => energy > before));
}

/** Whether everything that the page sends and receives passes through an encoding transform. */
export const encrypts = (page: BrowserPage): Promise<boolean> =>
  page.evaluate(() => {
    const carrying = (window as unknown as { connections: RTCPeerConnection[] }).connections
      .filter(({ connectionState }) => connectionState === 'connected')
      .flatMap((connection) => connection.getTransceivers());
    const ends: object[] = carrying.flatMap(({ currentDirection: way, sender, receiver }) =>
      way === 'sendonly' ? sender : way === 'recvonly' ? receiver : [],
    );
    return ends.length > 0 && ends.every((end) => 'transform' in end && end.transform !== null);
  });
