/**
 * Walks through the room with faces and voices in an installed Firefox, with a Chromium on the other side and with
 * Firefox alone. A server of its own; bounded in time.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type RunningServer, runServer } from '../server.ts';
import { chromiumPage, startChromium } from './chromium.ts';
import {
  accepts,
  button,
  comesIn,
  countable,
  face,
  hears,
  joins,
  opensField,
  placeOf,
  seals,
  seesMoving,
  seesNoPicture,
  turns,
} from './deeds.ts';
import { type BrowserPage, type Firefox, startFirefox, until } from './driver.ts';

const SIZE = { width: 1280, height: 720 };
/** After this nothing more is begun, and what is under way is given up. */
const LIMIT_MS = 165_000;
const SETTINGS = { NODE_OPTIONS: `--import ${new URL('../end-video-threads.ts', import.meta.url).href}` };
const SCREENSHOTS = fileURLToPath(new URL('../screenshots/', import.meta.url));

/** Ends a step that takes part in a room of which an earlier step failed. */
class NotReached extends Error {}

/**
 * Takes the path of a Firefox. Returns how many steps passed and failed. Writes what was seen as it comes, and pictures
 * of the pages of failed steps. Throws when a browser or the server does not start.
 */
export async function walkFirefox(path: string): Promise<{ passed: number; failed: number }> {
  const counted = { passed: 0, failed: 0 };
  const ends: (() => Promise<unknown>)[] = [];
  let giveUp: (fault: Error) => void = () => undefined;
  const over = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  over.catch(() => undefined);
  const limit = setTimeout(() => giveUp(new Error('the walks take too long')), LIMIT_MS);
  const interrupted = () => giveUp(new Error('interrupted'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupted);

  /**
   * One room with its pages. Takes what it is about, and its steps; steps after a failed one are not reached.
   */
  async function room(
    name: string,
    pages: Record<string, BrowserPage>,
    walk: (step: (what: string, work: () => Promise<unknown>) => Promise<void>) => Promise<void>,
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
          await page.picture().then(
            (png) => writeFile(`${SCREENSHOTS}firefox-${who}.png`, png),
            () => undefined,
          );
      }
    };
    await walk(step);
    await step('no browser spoke of a fault', () => {
      const faults = Object.entries(pages).flatMap(([who, page]) => page.faults.map((fault) => `${who}: ${fault}`));
      if (faults.length > 0) throw new Error(faults.join('; '));
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
  walk: (step: (what: string, work: () => Promise<unknown>) => Promise<void>) => Promise<void>,
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
    await step('the client knocks by link and is let in', async () => {
      for (const page of [anna, jonas]) await countable(page);
      await opensField(anna);
      await comesIn(jonas, anna, 'Jonas');
    });
    await step('both see each other move', async () => {
      await joins(anna, 'Start video');
      await accepts(jonas);
      await Promise.all([seesMoving(anna, 'Jonas'), seesMoving(jonas, 'Anna')]);
    });
    await step('both hear each other', () => Promise.all([hears(anna), hears(jonas)]));
    await step('encrypted from end to end, they still do', async () => {
      await turns(anna, 'End-to-end encryption');
      await until('frames of both to be sealed', async () => (await seals(anna)) && (await seals(jonas)));
      await Promise.all([seesMoving(anna, 'Jonas'), seesMoving(jonas, 'Anna'), hears(anna), hears(jonas)]);
    });
    await step('the room is ended', async () => {
      await turns(anna, 'End-to-end encryption');
      await anna.click(button('End session'));
      await anna.sees({ css: '[role=dialog]' });
      await anna.click(button('End session'));
      await until('the good-bye', async () => (await jonas.address()).includes('/user/bye'));
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
      for (const page of [anna, jonas, mirela]) await countable(page);
      await opensField(anna);
      await comesIn(jonas, anna, 'Jonas');
      await comesIn(mirela, anna, 'Mirela');
      const [from, seen] = [await placeOf(anna, 'Father'), await placeOf(jonas, 'Father')];
      await anna.drag(from, { x: from.x + 120, y: from.y + 60 });
      await until(
        'the figure to be moved',
        async () => Math.abs((await placeOf(anna, 'Father')).x - from.x - 120) < 10,
      );
      await until('the figure to move for the client', async () => (await placeOf(jonas, 'Father')).x > seen.x + 50);
    });
    await step('all see and hear each other', async () => {
      await joins(anna, 'Start video');
      for (const page of [jonas, mirela]) await accepts(page);
      await allSee();
      await Promise.all([anna, jonas, mirela].map((page) => hears(page, 2)));
    });
    await step('the therapist mutes, only the person unmutes', async () => {
      await anna.click(button('More options for Jonas'));
      await anna.click({ role: 'menuitem', name: 'Mute' });
      await jonas.sees({ text: 'Anna has muted you' });
      await anna.sees(face('Jonas', 'microphone off'));
      await jonas.click(button('Unmute'));
      await anna.sees(face('Jonas', 'is talking'));
    });
    await step('a camera goes off and on', async () => {
      await jonas.click(button('Camera off'));
      await seesNoPicture(anna, 'Jonas');
      await jonas.click(button('Camera on'));
      await Promise.all([seesMoving(anna, 'Jonas'), seesMoving(mirela, 'Jonas')]);
    });
    await step('clients are hidden from one another and shown again', async () => {
      await turns(anna, 'Clients see each other');
      await mirela.misses(face('Jonas'));
      await seesMoving(mirela, 'Anna');
      await turns(anna, 'Clients see each other');
      await seesMoving(mirela, 'Jonas');
    });
    await step('somebody leaves the video and comes back', async () => {
      await jonas.click(button('Leave video'));
      await anna.misses(face('Jonas'));
      await joins(jonas, 'Join video');
      await allSee();
    });
    await step('a reload offers to come back', async () => {
      await jonas.reload();
      await jonas.sees({ text: 'You were in the video a moment ago' });
      await accepts(jonas);
      await allSee();
    });
    await step('pictures in several sizes, all begin anew at once', async () => {
      await turns(anna, 'High quality');
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
    await step('the threads of sound and picture die, and all see and hear again', async () => {
      server.signal('SIGUSR2');
      await Promise.all(
        [anna, jonas, mirela].map((page) =>
          page.sees({ text: 'Reconnecting the video. Your place is kept.' }, 5_000).catch(() => undefined),
        ),
      );
      await allSee();
      await Promise.all([anna, jonas, mirela].map((page) => hears(page, 2)));
    });
  });
}
