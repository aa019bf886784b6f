/** Actions and measurements that journeys with video share. */
import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { DESK, nextFrames, PHONE, toggle, type Visit, type Visitor } from '../journey.ts';
import { recordPeerConnections } from '../peer-connections.ts';
import config from '../playwright.config.ts';
import { admit, type Guest, openRoom } from './people.ts';

const standard = config.use?.launchOptions;
/**
 * Launch options with a fake camera and microphone, granted without asking. Ten frames a second, so that several pages
 * fit on two cores. Takes more command-line switches.
 */
export const withDevices = (...args: string[]) => ({
  ...standard,
  args: [
    ...(standard?.args ?? []),
    '--use-fake-device-for-media-stream=fps=10',
    '--use-fake-ui-for-media-stream',
    ...args,
  ],
});

const permissions = ['camera', 'microphone', 'clipboard-read', 'clipboard-write'];
export const desk: BrowserContextOptions = { ...DESK, viewport: { width: 1280, height: 720 }, permissions };
export const phone: BrowserContextOptions = { ...PHONE, permissions };

/** The video tile of the person whose caption has this name. */
export const tile = (page: Page, name: string) =>
  page.locator('figure[data-person]').filter({ has: page.locator('figcaption', { hasText: name }) });

/** The number of frames that a person's tile has drawn; -1 while it has no video. */
export const framesDrawn = (page: Page, name: string): Promise<number> =>
  tile(page, name)
    .locator('video')
    .evaluateAll(
      ([element]) => (element as HTMLVideoElement | undefined)?.getVideoPlaybackQuality().totalVideoFrames ?? -1,
    );

/** A page with a connection that looks weak drops videos, and restores them one by one. */
const VIDEO_TIMEOUT_MS = 120_000;

/**
 * Waits until a person's tile draws video and keeps drawing. Takes a limit for each of the two in ms, and a name for
 * the page, by default its title.
 */
export async function seesMoving(
  page: Page,
  name: string,
  { timeout = VIDEO_TIMEOUT_MS, where }: { timeout?: number; where?: string } = {},
): Promise<void> {
  const message = `moving video of ${name} on ${where ?? `“${await page.title()}”`}`;
  let before = 0;
  await expect
    .poll(
      async () => {
        before = await framesDrawn(page, name);
        return before;
      },
      { message, timeout },
    )
    .toBeGreaterThan(0);
  await expect
    .poll(
      async () => {
        const now = Math.max(0, await framesDrawn(page, name));
        // A video that started again, over another connection or after a pause, counts from zero.
        before = Math.min(before, now);
        return now - before;
      },
      { message, timeout },
    )
    .toBeGreaterThan(5);
}

export type JoinChoice = 'Join with camera' | 'Audio only' | 'Just watch and listen';

/**
 * Waits until the open dialog shows the devices. It does not wait long for a browser that is slow to list them: then
 * its lists appear later and move what is below.
 */
export async function devicesListed(page: Page): Promise<void> {
  await expect(page.getByRole('dialog').getByRole('switch', { name: 'Camera', exact: true })).toBeEnabled();
  await page.evaluate(async () => {
    await navigator.mediaDevices.enumerateDevices();
  });
  await nextFrames(page);
}

/** Joins the video through the device check. Takes the name of the button that opens it, and how to join. */
export async function join(page: Page, opener: string, choice: JoinChoice): Promise<void> {
  await page.getByRole('button', { name: opener, exact: true }).click();
  await devicesListed(page);
  await page.getByRole('dialog').getByRole('button', { name: choice, exact: true }).click();
}

/** Accepts the offer that a client gets when the therapist has started the video. */
export const accept = (page: Page, choice: JoinChoice) =>
  page.getByRole('button', { name: choice, exact: true }).click();

/**
 * Presses a key that chooses the layout, once the focus is in no dialog: one that closes keeps it for a moment, and
 * keys in a dialog belong to the dialog.
 */
export async function pressLayoutKey(page: Page, key: string): Promise<void> {
  await expect(page.locator('[role="dialog"]:focus-within')).toHaveCount(0);
  await page.locator('body').press(key);
}

/** The demo therapist's room with clients in it, before anybody starts the video. */
export async function openVideoRoom(
  visit: Visit,
  ...clients: Guest[]
): Promise<{ therapist: Page; guests: Visitor[] }> {
  const therapist = await openRoom(visit, desk);
  const guests: Visitor[] = [];
  for (const client of clients) guests.push(await admit(visit, therapist, { options: desk, ...client }));
  return { therapist, guests };
}

/** Turns a switch of the dialog “Audio and video” on or off. */
export async function setSwitch(page: Page, name: string, on: boolean): Promise<void> {
  await page.getByRole('button', { name: 'Devices', exact: true }).click();
  await devicesListed(page);
  await toggle(page.getByRole('switch', { name }), on);
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
}

/** Statistics of one incoming stream. */
export interface IncomingStream {
  kind: 'audio' | 'video';
  ssrc: number;
  atMs: number;
  bytes: number;
  lost: number;
  frames: number;
  freezes: number;
  frozenSeconds: number;
  width: number;
  /** Audio samples that were concealed because packets were missing, without silent ones. */
  concealed: number;
  /** All audio samples received. */
  samples: number;
}

/** Records the page's peer connections for {@link incomingStreams}. Call it before the page opens anything. */
export const recordConnections = async (page: Page): Promise<void> =>
  void (await page.addInitScript(recordPeerConnections));

/** Makes every page that is opened record its peer connections. */
export const recordingVisit =
  (visit: Visit): Visit =>
  async (options) => {
    const visitor = await visit(options);
    await recordConnections(visitor.page);
    return visitor;
  };

/** The incoming streams of all connected peer connections, in order. */
export const incomingStreams = (page: Page): Promise<IncomingStream[]> =>
  page.evaluate(async () => {
    const number = (value: unknown) => (typeof value === 'number' ? value : 0);
    const { connections } = window as unknown as { connections: RTCPeerConnection[] };
    const found: IncomingStream[] = [];
    for (const connection of connections) {
      if (connection.connectionState !== 'connected') continue;
      (await connection.getStats()).forEach((entry: Record<string, unknown>) => {
        if (entry['type'] !== 'inbound-rtp') return;
        found.push({
          kind: entry['kind'] as 'audio' | 'video',
          ssrc: number(entry['ssrc']),
          atMs: number(entry['timestamp']),
          bytes: number(entry['bytesReceived']),
          lost: number(entry['packetsLost']),
          frames: number(entry['framesDecoded']),
          freezes: number(entry['freezeCount']),
          frozenSeconds: number(entry['totalFreezesDuration']),
          width: number(entry['frameWidth']),
          concealed: number(entry['concealedSamples']) - number(entry['silentConcealedSamples']),
          samples: number(entry['totalSamplesReceived']),
        });
      });
    }
    return found;
  });
