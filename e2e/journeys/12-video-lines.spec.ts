/** Journey 12: lines that lose, break and change. Sound and picture go on or come back by themselves, on the same seat. PRODUCT 10. */
import type { Page } from '@playwright/test';
import { expect, test } from '../journey.ts';
import { openMediaRelay, openPageLine } from './spoiled-lines.ts';
import { aRoom, accept, arriving, countable, desk, drawn, join, LIGHT_TRACE, seesMoving, tile, type Visit, withDevices } from './video.ts';

test.use({
  launchOptions: withDevices(),
  trace: LIGHT_TRACE,
  settings: { NODE_OPTIONS: `--import ${new URL('../end-video-threads.ts', import.meta.url).href}` },
});
test.describe.configure({ mode: 'default' });
test.setTimeout(300_000);

const SECONDS = 15;
const FREEZES_MOST = 1;
const MADE_UP_MOST = 0.015;
const FROZEN_MOST = 0.15;
/** A machine that is busy holds pictures up too, now and then; losses that are not mended do so each time. */
const LOOKS = 2;

/** What one picture and one voice that arrive counted meanwhile. */
async function over(page: Page, seconds: number) {
  const one = async () => {
    const all = await arriving(page);
    const [voice, picture] = (['audio', 'video'] as const).map((kind) => all.find((stream) => stream.kind === kind));
    if (!voice || !picture) throw new Error(`nothing arrives: ${JSON.stringify(all)}`);
    return { voice, picture };
  };
  const before = await one();
  let after = before;
  await expect.poll(async () => { after = await one(); return after.picture.atMs - before.picture.atMs; }, { timeout: seconds * 4_000, intervals: [1_000] }).toBeGreaterThan(seconds * 1_000);
  return {
    seconds: (after.picture.atMs - before.picture.atMs) / 1_000,
    frames: after.picture.frames - before.picture.frames,
    freezes: after.picture.freezes - before.picture.freezes,
    frozenSeconds: after.picture.frozenSeconds - before.picture.frozenSeconds,
    madeUp: (after.voice.madeUp - before.voice.madeUp) / (after.voice.samples - before.voice.samples),
  };
}

const tell = (type: string, description: unknown) => test.info().annotations.push({ type, description: JSON.stringify(description) });

/** Who sits where: ids and names of the tiles, and where the page is. */
const seats = async (page: Page) => ({ at: new URL(page.url()).pathname, tiles: await page.locator('.face').evaluateAll((faces) => faces.map((face) => `${face.getAttribute('data-person')} ${face.querySelector('figcaption')?.textContent}`).sort()) });
const connectionsOf = (page: Page) => page.evaluate(() => (window as unknown as { connections: RTCPeerConnection[] }).connections.length);

test('4 of 100 packets are lost, lines are cut, the network is another one, the engine’s thread dies', async ({ visit, server }) => {
  const relay = openMediaRelay(4);
  const line = await openPageLine(server.url);
  const counted: Visit = async (options) => {
    const visitor = await visit(options);
    await countable(visitor.page);
    return visitor;
  };
  const { therapist, guests } = await aRoom(counted, { name: 'Jonas', options: { ...desk, baseURL: line.url }, before: relay.leads });
  const jonas = guests[0]!.page;
  const bothMove = () => Promise.all([seesMoving(jonas, 'Anna'), seesMoving(therapist, 'Jonas')]);
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await bothMove();
  const before = [await seats(jonas), await seats(therapist)];
  /** Something is done to the line; afterwards everybody is back where they sat without having done anything. In: whose pages make new connections. */
  const comesBack = async (what: string, deed: () => void, ...anew: Page[]) => {
    const [connections, started] = [await Promise.all(anew.map(connectionsOf)), performance.now()];
    deed();
    await expect.poll(async () => (await Promise.all(anew.map(connectionsOf))).every((count, index) => count > connections[index]!), { timeout: 30_000 }).toBe(true);
    await Promise.all([expect.poll(() => drawn(jonas, 'Anna'), { timeout: 30_000, intervals: [50] }).toBeGreaterThan(0), expect.poll(() => drawn(therapist, 'Jonas'), { timeout: 30_000, intervals: [50] }).toBeGreaterThan(0)]);
    tell(`${what}: back after ms`, Math.round(performance.now() - started));
    await bothMove();
    await expect(jonas.getByText('Sound and picture are coming back', { exact: false })).toHaveCount(0);
    expect([await seats(jonas), await seats(therapist)]).toEqual(before);
    await expect(therapist.getByRole('button', { name: /^Let in/ })).toHaveCount(0);
  };

  /** Down and up. */
  const lookBoth = async (what: string) => {
    const both = await Promise.all([over(jonas, SECONDS), over(therapist, SECONDS)]);
    tell(`${what}, down and up`, both);
    return both;
  };
  await test.step('4 % lost each way: pictures go on, voices stay whole', async () => {
    const counts = relay.counts();
    relay.lose(0.04);
    let both = await lookBoth('4 % lost');
    for (let look = 1; look < LOOKS && both.some(({ freezes, madeUp }) => freezes > FREEZES_MOST || madeUp >= MADE_UP_MOST); look += 1) both = await lookBoth('4 % lost');
    const { passed, dropped } = relay.counts();
    expect(dropped - counts.dropped, 'packets were really lost').toBeGreaterThan((passed - counts.passed) * 0.03);
    // A machine that stands still now and then does so without losses too: then that is what they are held against.
    const calm = both.some(({ freezes }) => freezes > FREEZES_MOST) ? (relay.lose(0), await lookBoth('nothing lost')) : [];
    both.forEach(({ freezes, frozenSeconds, frames, madeUp }, way) => {
      // More than one only where all of them together are short: what is asked for again comes late from a busy machine.
      if (freezes > FREEZES_MOST + (calm[way]?.freezes ?? 0)) expect(frozenSeconds, `${freezes} freezes`).toBeLessThan(SECONDS * FROZEN_MOST);
      expect(frames, 'ten a second, less what a busy machine leaves out').toBeGreaterThan(SECONDS * 4);
      expect(madeUp, 'share of the voice that had to be made up').toBeLessThan(MADE_UP_MOST + (calm[way]?.madeUp ?? 0));
    });
  });
  await test.step('a line that gets worse is marked, and the mark goes when it is well', async () => {
    relay.lose(0.2);
    await expect(therapist.getByRole('figure', { name: /Jonas.*weak line/ })).toBeVisible({ timeout: 40_000 });
    relay.lose(0);
    await expect(therapist.getByRole('figure', { name: /weak line/ })).toHaveCount(0, { timeout: 60_000 });
    await bothMove();
  });
  await test.step('the video line is cut', () => comesBack('line cut', () => expect(line.cut(/^GET \/video/)).toBe(1), jonas));
  await test.step('another network: other ports, and all that was open is cut', () => comesBack('another network', () => {
    relay.move();
    expect(line.cut(/./)).toBeGreaterThan(1);
  }, jonas));
  await test.step('the ports change and nothing else', async () => {
    const anna = await drawn(jonas, 'Anna');
    const own = await drawn(therapist, 'Jonas');
    relay.move();
    // Nothing need be made anew for that; what was on its way is lost.
    await expect.poll(async () => (await drawn(jonas, 'Anna')) !== anna, { timeout: 30_000 }).toBe(true);
    await expect.poll(async () => (await drawn(therapist, 'Jonas')) !== own, { timeout: 30_000 }).toBe(true);
    await bothMove();
  });
  await test.step('the engine’s thread dies', () => comesBack('thread dead', () => server.signal('SIGUSR2'), jonas, therapist));
  expect(server.output()).toContain('a thread of the video engine ended and is started again');
  await expect(tile(jonas, 'Anna')).toBeVisible();
  relay.close();
  await line.close();
});
