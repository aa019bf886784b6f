/**
 * Scenarios in the room with video, in an installed Firefox: with Chromium on the other side, and with Firefox alone.
 * They have a server of their own and a time limit.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type RunningServer, runServer } from '../server.ts';
import { chromiumPage, startChromium } from './chromium.ts';
import {
  accept,
  button,
  admit,
  recordConnections,
  tile,
  hears,
  join,
  openField,
  centerOf,
  encrypts,
  seesMoving,
  seesNoVideo,
  flipSwitch,
} from './actions.ts';
import { type BrowserPage, type Firefox, startFirefox, until } from './driver.ts';

const SIZE = { width: 1280, height: 720 };
/** After this time the running step is given up and no other begins. */
const LIMIT_MS = 165_000;
const SETTINGS = { NODE_OPTIONS: `--import ${new URL('../end-video-threads.ts', import.meta.url).href}` };
const SCREENSHOTS = fileURLToPath(new URL('../screenshots/', import.meta.url));

/** Marks a step that did not run because an earlier one in the same room failed. */
class NotReached extends Error {}

/**
 * Runs all scenarios and prints each step; saves screenshots when one fails. Takes the path of Firefox. Returns how
 * many steps passed and failed. Throws when a browser or the server does not start.
 */
export async function runScenarios(path: string): Promise<{ passed: number; failed: number }> {
  const counted = { passed: 0, failed: 0 };
  const ends: (() => Promise<unknown>)[] = [];
  let giveUp: (reason: Error) => void = () => undefined;
  const over = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  over.catch(() => undefined);
  const limit = setTimeout(() => giveUp(new Error('the scenarios take too long')), LIMIT_MS);
  const interrupted = () => giveUp(new Error('interrupted'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupted);

  /** Runs the steps of one room. Takes its title, its pages and the steps; after a failed step the others fail too. */
  async function room(
    name: string,
    pages: Record<string, BrowserPage>,
    run: (step: (what: string, work: () => Promise<unknown>) => Promise<void>) => Promise<void>,
  ) {
    console.log(`\n${name}`);
    let broken = false;
    const step = async (what: string, work: () => Promise<unknown>) => {
      const began = performance.now();
      try {
        if (broken) throw new NotReached('not reached');
        await Promise.race([work(), over]);
        counted.passed += 1;
        console.log(`  ✓ ${what} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
      } catch (thrown) {
        counted.failed += 1;
        console.log(`  ✗ ${what}: ${(thrown as Error).message}`);
        if (broken) return;
        broken = true;
        await mkdir(SCREENSHOTS, { recursive: true });
        for (const [who, page] of Object.entries(pages))
          await page.screenshot().then(
            (png) => writeFile(`${SCREENSHOTS}firefox-${who}.png`, png),
            () => undefined,
          );
      }
    };
    await run(step);
    await step('no browser reported an error', () => {
      const errors = Object.entries(pages).flatMap(([who, page]) => page.errors.map((error) => `${who}: ${error}`));
      if (errors.length > 0) throw new Error(errors.join('; '));
      return Promise.resolve();
    });
  }

  try {
    const starting = (async () => {
      const [firefox, server] = await Promise.all([
        startFirefox(path).then((started) => (ends.push(started.close), started)),
        runServer(SETTINGS).then((started) => (ends.push(started.remove), started)),
      ]);
      return { firefox, server };
    })();
    const { firefox, server } = await Promise.race([starting, over]);
    console.log(`Firefox ${firefox.version}`);
    await besideChromium(room, firefox, server, (end) => ends.push(end));
    await alone(room, firefox, server);
  } finally {
    clearTimeout(limit);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, interrupted);
    await Promise.all(ends.map((end) => end().catch(() => undefined)));
  }
  return counted;
}

type Room = (
  name: string,
  pages: Record<string, BrowserPage>,
  run: (step: (what: string, work: () => Promise<unknown>) => Promise<void>) => Promise<void>,
) => Promise<void>;

async function besideChromium(
  room: Room,
  firefox: Firefox,
  { url }: RunningServer,
  ended: (end: () => Promise<unknown>) => void,
) {
  const chromium = await startChromium();
  ended(() => chromium.close());
  const anna = await chromiumPage(chromium, url, SIZE);
  const jonas = await firefox.newPage(url, SIZE);
  await room('A client in Firefox, the therapist in Chromium', { anna, jonas }, async (step) => {
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

async function alone(room: Room, firefox: Firefox, server: RunningServer) {
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
  await room('Everybody in Firefox', { anna, jonas, mirela }, async (step) => {
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
          for (const connection of (window as unknown as { connections: RTCPeerConnection[] }).connections)
            if (connection.connectionState === 'connected')
              (await connection.getStats()).forEach((entry: { type: string; rid?: string; framesEncoded?: number }) => {
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
