/**
 * Scenarios in the room with video, in an installed Firefox: with Chromium on the other side, and with Firefox on both.
 * They have their own server.
 */
import { admit, button, centerOf, openField } from '../browsers/actions.ts';
import { chromiumPage, startChromium } from '../browsers/chromium.ts';
import { until } from '../browsers/page.ts';
import { runScenarios, type Scenarios } from '../browsers/scenarios.ts';
import type { RecordedConnections } from '../peer-connections.ts';
import { type RunningServer, runServer } from '../server.ts';
import { type Firefox, startFirefox } from './driver.ts';
import {
  accept,
  encrypts,
  flipSwitch,
  hears,
  join,
  recordConnections,
  seesMoving,
  seesNoVideo,
  tile,
} from './videoActions.ts';

const SIZE = { width: 1280, height: 720 };
const LIMIT_MS = 165_000;
const SETTINGS = { NODE_OPTIONS: `--import ${new URL('../end-video-threads.ts', import.meta.url).href}` };

/**
 * Runs all scenarios. Takes the path of Firefox. Returns how many steps passed and failed. Throws when a browser or the
 * server does not start.
 */
export const runInFirefox = (path: string): Promise<{ passed: number; failed: number }> =>
  runScenarios({ browser: 'firefox', limitMs: LIMIT_MS }, async (scenarios) => {
    const { within, atEnd } = scenarios;
    const [firefox, server] = await within(
      Promise.all([
        startFirefox(path).then((started) => (atEnd(started.close), started)),
        runServer(SETTINGS).then((started) => (atEnd(started.remove), started)),
      ]),
    );
    console.log(`Firefox ${firefox.version}`);
    await besideChromium(scenarios, firefox, server);
    await alone(scenarios, firefox, server);
  });

async function besideChromium({ scenario, atEnd }: Scenarios, firefox: Firefox, { url }: RunningServer) {
  const chromium = await startChromium();
  atEnd(() => chromium.close());
  const anna = await chromiumPage(chromium, url, SIZE);
  const jonas = await firefox.newPage(url, SIZE);
  await scenario('A client in Firefox, the therapist in Chromium', { anna, jonas }, async (step) => {
    await step('a client opens the join link and is let in', async () => {
      for (const page of [anna, jonas]) await recordConnections(page);
      await openField(anna);
      await admit(jonas, anna, 'Jonas');
    });
    await step('both see each other move', async () => {
      await join(anna, 'Start video');
      await accept(jonas);
      await Promise.all([seesMoving(anna, 'Jonas'), seesMoving(jonas, 'Anna')]);
    });
    await step('both hear each other', () => Promise.all([hears(anna), hears(jonas)]));
    await step('with end-to-end encryption they still do', async () => {
      await flipSwitch(anna, 'End-to-end encryption');
      await until('both to encrypt', async () => (await encrypts(anna)) && (await encrypts(jonas)));
      await Promise.all([seesMoving(anna, 'Jonas'), seesMoving(jonas, 'Anna'), hears(anna), hears(jonas)]);
    });
    await step('the room is ended', async () => {
      await flipSwitch(anna, 'End-to-end encryption');
      await anna.click(button('End session'));
      await anna.waitFor({ css: '[role=dialog]' });
      await anna.click(button('End session'));
      await until('the goodbye page', async () => (await jonas.address()).includes('/user/bye'));
    });
  });
}

async function alone({ scenario }: Scenarios, firefox: Firefox, server: RunningServer) {
  const [anna, jonas, mirela] = [
    await firefox.newPage(server.url, SIZE),
    await firefox.newPage(server.url, SIZE),
    await firefox.newPage(server.url, SIZE),
  ];
  const allSee = () =>
    Promise.all([
      seesMoving(anna, 'Jonas'),
      seesMoving(anna, 'Mirela'),
      seesMoving(jonas, 'Anna'),
      seesMoving(jonas, 'Mirela'),
      seesMoving(mirela, 'Anna'),
      seesMoving(mirela, 'Jonas'),
    ]);
  await scenario('Everybody in Firefox', { anna, jonas, mirela }, async (step) => {
    await step('a figure follows the therapist’s mouse, for a client too', async () => {
      for (const page of [anna, jonas, mirela]) await recordConnections(page);
      await openField(anna);
      await admit(jonas, anna, 'Jonas');
      await admit(mirela, anna, 'Mirela');
      const [from, seen] = [await centerOf(anna, 'Father'), await centerOf(jonas, 'Father')];
      await anna.drag(from, { x: from.x + 120, y: from.y + 60 });
      await until(
        'the figure to be moved',
        async () => Math.abs((await centerOf(anna, 'Father')).x - from.x - 120) < 10,
      );
      await until('the figure to move for the client', async () => (await centerOf(jonas, 'Father')).x > seen.x + 50);
    });
    await step('all see and hear each other', async () => {
      await join(anna, 'Start video');
      for (const page of [jonas, mirela]) await accept(page);
      await allSee();
      await Promise.all([anna, jonas, mirela].map((page) => hears(page, 2)));
    });
    await step('the therapist mutes a client, who unmutes himself', async () => {
      await anna.click(button('More options for Jonas'));
      await anna.click({ role: 'menuitem', name: 'Mute' });
      await jonas.waitFor({ text: 'Anna has muted you' });
      await anna.waitFor(tile('Jonas', 'microphone off'));
      await jonas.click(button('Unmute'));
      await anna.waitFor(tile('Jonas', 'is talking'));
    });
    await step('a camera goes off and on', async () => {
      await jonas.click(button('Camera off'));
      await seesNoVideo(anna, 'Jonas');
      await jonas.click(button('Camera on'));
      await Promise.all([seesMoving(anna, 'Jonas'), seesMoving(mirela, 'Jonas')]);
    });
    await step('clients are hidden from each other and shown again', async () => {
      await flipSwitch(anna, 'Clients see each other');
      await mirela.waitUntilGone(tile('Jonas'));
      await seesMoving(mirela, 'Anna');
      await flipSwitch(anna, 'Clients see each other');
      await seesMoving(mirela, 'Jonas');
    });
    await step('a client leaves the video and returns', async () => {
      await jonas.click(button('Leave video'));
      await anna.waitUntilGone(tile('Jonas'));
      await join(jonas, 'Join video');
      await allSee();
    });
    await step('a reload offers to come back', async () => {
      await jonas.reload();
      await jonas.waitFor({ text: 'You were in the video a moment ago' });
      await accept(jonas);
      await allSee();
    });
    await step('high quality: the camera sends three sizes', async () => {
      await flipSwitch(anna, 'High quality');
      await until('layers', () =>
        jonas.evaluate(async () => {
          const rids: string[] = [];
          const { connections, statsOf } = window as unknown as RecordedConnections;
          for (const connection of connections)
            if (connection.connectionState === 'connected')
              (await statsOf(connection)).forEach((entry: { type: string; rid?: string; framesEncoded?: number }) => {
                if (entry.type === 'outbound-rtp' && entry.rid && (entry.framesEncoded ?? 0) > 0) rids.push(entry.rid);
              });
          return rids.length === 3;
        }),
      );
      await allSee();
    });
    await step('the engine’s threads crash, and everybody sees and hears again', async () => {
      server.signal('SIGUSR2');
      await Promise.all(
        [anna, jonas, mirela].map((page) =>
          page.waitFor({ text: 'Reconnecting the video. Your place is kept.' }, 5_000).catch(() => undefined),
        ),
      );
      await allSee();
      await Promise.all([anna, jonas, mirela].map((page) => hears(page, 2)));
    });
  });
}
