/**
 * Journey 14: networks that let nothing out but to one port: sound and picture go through a TURN server, for members
 * alone.
 */
import type { Page } from '@playwright/test';
import { expect, test as journey } from '../journey.ts';
import { findTurn, type RunningTurn, startTurn, turnPassword } from './turn.ts';
import { aRoom, accept, countable, join, seesMoving, tile, withDevices } from './video.ts';

const test = journey.extend<{ turn: RunningTurn | null; settings: Record<string, string> }>({
  // Playwright reads what a fixture needs from its first argument.
  // oxlint-disable-next-line no-empty-pattern
  turn: async ({}, use, testInfo) => {
    const program = findTurn();
    testInfo.skip(program === null, 'coturn can not be had here');
    const turn = await startTurn(program ?? '');
    await use(turn);
    await turn.stop();
  },
  settings: async ({ turn }, use) => use({ TURN_URL: turn!.url, TURN_SECRET: turn!.secret }),
});

test.use({ launchOptions: withDevices() });
test.describe.configure({ mode: 'default' });

/** Nothing leaves this page except to the relay. Takes a name and password other than those the server gave. */
async function relayOnly(page: Page, other?: { username: string; credential: string }): Promise<void> {
  await page.addInitScript((instead) => {
    const Original = window.RTCPeerConnection;
    window.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super({
          ...configuration,
          iceTransportPolicy: 'relay',
          iceServers: (configuration?.iceServers ?? []).map((server) => ({ ...server, ...instead })),
        });
      }
    };
  }, other ?? {});
}

/** The kind of way that each connection took. */
const ways = (page: Page) =>
  page.evaluate(async () => {
    const found: unknown[] = [];
    for (const connection of (window as unknown as { connections: RTCPeerConnection[] }).connections) {
      if (connection.connectionState !== 'connected') continue;
      const report = await connection.getStats();
      report.forEach((entry: Record<string, unknown>) => {
        if (entry['type'] === 'candidate-pair' && entry['nominated'] === true && entry['state'] === 'succeeded')
          found.push((report.get(entry['localCandidateId'] as string) as { candidateType: string }).candidateType);
      });
    }
    return found;
  });

test('relay alone: pictures move with the password of a member, and nothing comes through with another', async ({
  visit,
}) => {
  const { therapist, guests } = await aRoom(
    visit,
    {
      name: 'Jonas',
      before: async (page) => {
        await countable(page);
        await relayOnly(page);
      },
    },
    { name: 'Mirela', before: (page) => relayOnly(page, turnPassword('another secret')) },
  );
  const [jonas, mirela] = guests.map(({ page }) => page) as [Page, Page];
  await join(therapist, 'Start video', 'Join with camera');
  await accept(mirela, 'Audio only');
  await accept(jonas, 'Join with camera');
  await seesMoving(jonas, 'Anna');
  await seesMoving(therapist, 'Jonas');
  await expect.poll(() => ways(jonas)).toEqual(['relay', 'relay']);
  await expect(mirela.getByText('Your network is blocking video')).toBeVisible({ timeout: 120_000 });
  await expect(tile(jonas, 'Mirela')).toHaveCount(0);
});
