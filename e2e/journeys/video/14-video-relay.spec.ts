/** Networks that allow traffic to one port only: audio and video use a TURN server, which serves members only. */
import type { Page } from '@playwright/test';
import { expect, test as journey } from '../../journey.ts';
import { findTurn, type RunningTurn, startTurn, turnPassword } from './turn.ts';
import { accept, join, openVideoRoom, recordConnections, seesMoving, tile, withDevices } from '../video.ts';

const test = journey.extend<{ turn: RunningTurn | null; settings: Record<string, string> }>({
  // Playwright reads a fixture's dependencies from its first parameter.
  // oxlint-disable-next-line no-empty-pattern
  turn: async ({}, use, testInfo) => {
    const program = findTurn();
    testInfo.skip(program === null, 'coturn is not available here');
    const turn = await startTurn(program ?? '');
    await use(turn);
    await turn.stop();
  },
  settings: async ({ turn }, use) => use({ TURN_URL: turn!.url, TURN_SECRET: turn!.secret }),
});

test.use({ launchOptions: withDevices() });
test.describe.configure({ mode: 'default' });

/** Lets the page use the relay only. Takes a user name and password to use instead of those from the server. */
async function relayOnly(page: Page, replacement?: { username: string; credential: string }): Promise<void> {
  await page.addInitScript((credentials) => {
    const Original = window.RTCPeerConnection;
    window.RTCPeerConnection = class extends Original {
      constructor(configuration?: RTCConfiguration) {
        super({
          ...configuration,
          iceTransportPolicy: 'relay',
          iceServers: (configuration?.iceServers ?? []).map((server) => ({ ...server, ...credentials })),
        });
      }
    };
  }, replacement ?? {});
}

/** The type of the local candidate that each peer connection has chosen. */
const candidateTypes = (page: Page) =>
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

test('relay only: video works with a member’s password, and nothing passes with another', async ({ visit }) => {
  const { therapist, guests } = await openVideoRoom(
    visit,
    {
      name: 'Jonas',
      prepare: async (page) => {
        await recordConnections(page);
        await relayOnly(page);
      },
    },
    { name: 'Mirela', prepare: (page) => relayOnly(page, turnPassword('another secret')) },
  );
  const [jonas, mirela] = guests.map(({ page }) => page) as [Page, Page];
  await join(therapist, 'Start video', 'Join with camera');
  await accept(mirela, 'Audio only');
  await accept(jonas, 'Join with camera');
  await seesMoving(jonas, 'Anna');
  await seesMoving(therapist, 'Jonas');
  await expect.poll(() => candidateTypes(jonas)).toEqual(['relay', 'relay']);
  await expect(mirela.getByText('Your network is blocking video')).toBeVisible({ timeout: 120_000 });
  await expect(tile(jonas, 'Mirela')).toHaveCount(0);
});
