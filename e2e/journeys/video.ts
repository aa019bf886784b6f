/** Deeds and looks that journeys with sound and picture share. */
import { type BrowserContextOptions, expect, type Page } from '@playwright/test';
import { keepConnections } from '../connections.ts';
import config from '../playwright.config.ts';
import { DESK, PHONE, signIn, turn, type Visitor } from '../journey.ts';
import { inRoom, knockByLink, letIn, openField } from './people.ts';

const standard = config.use?.launchOptions;
/**
 * A camera and a microphone that exist only in the browser, given without asking; ten pictures a second, so that
 * several pages fit on two cores. Takes more switches.
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

export const tile = (page: Page, name: string) =>
  page.locator('figure[data-person]').filter({ has: page.locator('figcaption', { hasText: name }) });

/** Frames that somebody's tile has drawn; -1 while there is no picture in it. */
export const drawn = (page: Page, name: string): Promise<number> =>
  tile(page, name)
    .locator('video')
    .evaluateAll(
      ([element]) => (element as HTMLVideoElement | undefined)?.getVideoPlaybackQuality().totalVideoFrames ?? -1,
    );

/** Pictures of somebody's tile are drawn, and go on being drawn. */
export async function seesMoving(page: Page, name: string): Promise<void> {
  const what = `the moving picture of ${name} at ${await page.title()}`;
  let before = 0;
  await expect
    .poll(
      async () => {
        before = await drawn(page, name);
        return before;
      },
      { message: what },
    )
    .toBeGreaterThan(0);
  await expect.poll(() => drawn(page, name), { message: what }).toBeGreaterThan(before + 5);
}

export type How = 'Join with camera' | 'Audio only' | 'Just watch and listen';

/** Opens the check and joins as told. */
export async function join(page: Page, opens: string, how: How): Promise<void> {
  await page.getByRole('button', { name: opens, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: how, exact: true }).click();
}

/** Takes the offer that comes when the therapist has begun. */
export const accept = (page: Page, how: How) => page.getByRole('button', { name: how, exact: true }).click();

export type Visit = (options?: BrowserContextOptions) => Promise<Visitor>;
export interface Guest {
  name: string;
  options?: BrowserContextOptions;
  /** The end of the link by which the guest comes. */
  link?: string;
  /** Told the page before it goes anywhere. */
  before?: (page: Page) => Promise<void>;
}

/** Knocks and is let in. */
export async function comesIn(
  visit: Visit,
  therapist: Page,
  { name, options = desk, link, before }: Guest,
): Promise<Visitor> {
  const visitor = await visit(options);
  await before?.(visitor.page);
  await knockByLink(visitor.page, name, link);
  await letIn(therapist, name);
  await inRoom(visitor.page);
  return visitor;
}

/** Anna's room with clients in it, before any video. */
export async function aRoom(visit: Visit, ...clients: Guest[]): Promise<{ therapist: Page; guests: Visitor[] }> {
  const { page: therapist } = await visit(desk);
  await signIn(therapist);
  await openField(therapist);
  const guests: Visitor[] = [];
  for (const client of clients) guests.push(await comesIn(visit, therapist, client));
  return { therapist, guests };
}

/** Sets one of the switches of "Audio and video". Takes its state afterwards. */
export async function setSwitch(page: Page, name: string, on: boolean): Promise<void> {
  await page.getByRole('button', { name: 'Devices', exact: true }).click();
  await turn(page.getByRole('switch', { name }), on);
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
}

/** What a page counts of one arriving stream. */
export interface Arriving {
  kind: 'audio' | 'video';
  /** The SSRC. */
  source: number;
  atMs: number;
  bytes: number;
  lost: number;
  frames: number;
  freezes: number;
  frozenSeconds: number;
  width: number;
  /** Samples of sound that were made up because nothing came, apart from silence; and all. */
  madeUp: number;
  samples: number;
}

/** Lets what the page's connections carry be counted; to be called before it goes anywhere. */
export const countable = async (page: Page): Promise<void> => void (await page.addInitScript(keepConnections));

/** What arrives on all connections that carry, in their order. */
export const arriving = (page: Page): Promise<Arriving[]> =>
  page.evaluate(async () => {
    const number = (value: unknown) => (typeof value === 'number' ? value : 0);
    const { connections } = window as unknown as { connections: RTCPeerConnection[] };
    const found: Arriving[] = [];
    for (const connection of connections) {
      if (connection.connectionState !== 'connected') continue;
      (await connection.getStats()).forEach((entry: Record<string, unknown>) => {
        if (entry['type'] !== 'inbound-rtp') return;
        found.push({
          kind: entry['kind'] as 'audio' | 'video',
          source: number(entry['ssrc']),
          atMs: number(entry['timestamp']),
          bytes: number(entry['bytesReceived']),
          lost: number(entry['packetsLost']),
          frames: number(entry['framesDecoded']),
          freezes: number(entry['freezeCount']),
          frozenSeconds: number(entry['totalFreezesDuration']),
          width: number(entry['frameWidth']),
          madeUp: number(entry['concealedSamples']) - number(entry['silentConcealedSamples']),
          samples: number(entry['totalSamplesReceived']),
        });
      });
    }
    return found;
  });
