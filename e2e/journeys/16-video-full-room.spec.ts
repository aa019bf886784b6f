/**
 * Journey 16: a room of 25: pages of faces, who talks, caps, layers, and no seat for one more (docs/product.md#10).
 */
import type { Page } from '@playwright/test';
import { BITRATE, TILES_A_PAGE } from '@fieldroom/contract/video';
import { expect, test } from '../journey.ts';
import { crowd, numbersShown } from './crowd.ts';
import {
  aRoom,
  accept,
  arriving,
  countable,
  join,
  seesMoving,
  setSwitch,
  tile,
  type Visit,
  withDevices,
} from './video.ts';

test.use({
  launchOptions: withDevices('--autoplay-policy=no-user-gesture-required'),
  // Seats of people without a page of ours are kept for a minute of the product's time: it has to be a long one.
  settings: { CLOCK_SPEED: '0.1', LIMIT_REQUESTS: '100000/60', LIMIT_OPEN_CALLS: '100000/60' },
});
test.describe.configure({ mode: 'default' });
test.setTimeout(600_000);

const GUESTS = 23;
const WINDOW_MS = 2_000;
/** Encoders swing a little around what they are allowed. */
const OVER = 1.15;

/** What each arriving picture brought in a window of time: kbit/s and frames a second; only those that move. */
async function pictures(page: Page): Promise<{ kbps: number; fps: number; width: number }[]> {
  const before = (await arriving(page)).filter(({ kind }) => kind === 'video');
  let after = before;
  await expect
    .poll(
      async () => {
        after = (await arriving(page)).filter(({ kind }) => kind === 'video');
        return (after[0]?.atMs ?? 0) - (before[0]?.atMs ?? 0);
      },
      { intervals: [WINDOW_MS] },
    )
    .toBeGreaterThan(WINDOW_MS);
  return after.flatMap((now) => {
    const then = before.find(({ source }) => source === now.source);
    const seconds = then ? (now.atMs - then.atMs) / 1_000 : 0;
    return then && now.bytes > then.bytes
      ? [
          {
            kbps: ((now.bytes - then.bytes) * 8) / 1_000 / seconds,
            fps: (now.frames - then.frames) / seconds,
            width: now.width,
          },
        ]
      : [];
  });
}

test('a full room', async ({ visit }) => {
  const counted: Visit = async (options) => {
    const visitor = await visit(options);
    await countable(visitor.page);
    return visitor;
  };
  const { therapist, guests } = await aRoom(counted, { name: 'Mirela' });
  const mirela = guests[0]!.page;
  // One camera alone: pages of one browser would share it, at the size of whoever opened it first.
  await join(therapist, 'Start video', 'Audio only');
  await accept(mirela, 'Join with camera');
  await seesMoving(therapist, 'Mirela');
  await therapist.evaluate(() =>
    fetch('/api/room/admission', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${localStorage.getItem('token')}` },
      body: '{"admission":"open"}',
    }),
  );
  await therapist.locator('body').press('3');
  const { page: many } = await visit();
  const { names, talk } = await crowd(many, GUESTS);

  await test.step('nobody else finds a seat', async () => {
    const { page: late } = await visit();
    await late.goto('/user/join/anna');
    await late.getByLabel('Your name').fill('Late');
    await late.getByRole('button', { name: 'Knock at the door' }).click();
    await expect(late.getByText('The room is full, please try again later')).toBeVisible();
    await late.close();
  });

  const others = therapist.locator('[data-testid=other-tiles] [data-person]');
  /** The right number under each name; Mirela has a camera instead. */
  const right = async () => {
    const shown = Object.entries(await numbersShown(therapist)).filter(([name]) => name.startsWith('Guest'));
    return {
      seen: shown.map(([name]) => name).sort(),
      wrong: shown.filter(([name, number]) => names.indexOf(name) + 1 !== number),
    };
  };
  await test.step('twelve on a page, each picture under its own name; turning the page brings the others and stops those', async () => {
    await expect(others).toHaveCount(TILES_A_PAGE);
    await expect(therapist.getByText('1 of 2')).toBeVisible();
    await expect.poll(async () => (await right()).wrong, { timeout: 60_000 }).toEqual([]);
    const first = (await right()).seen;
    expect(first.length).toBeGreaterThanOrEqual(TILES_A_PAGE - 1);
    await expect.poll(async () => (await pictures(therapist)).length).toBe(TILES_A_PAGE);
    await therapist.getByRole('button', { name: 'Next page' }).click();
    await expect(therapist.getByText('2 of 2')).toBeVisible();
    await expect.poll(async () => (await right()).wrong, { timeout: 60_000 }).toEqual([]);
    const second = (await right()).seen;
    expect([...first, ...second].sort(), 'everybody once').toEqual([...names].sort());
    await expect
      .poll(async () => (await pictures(therapist)).length, { message: 'those that left the page arrive no more' })
      .toBe(TILES_A_PAGE);
    await therapist.getByRole('button', { name: 'Previous page' }).click();
    await expect.poll(async () => (await right()).wrong, { timeout: 60_000 }).toEqual([]);
    expect((await right()).seen).toEqual(first);
  });
  await test.step('who talks is marked, who is silent is not', async () => {
    const first = tile(therapist, names[0]!);
    await expect(first).not.toHaveAttribute('data-talking', 'true');
    await talk(true);
    await expect(first).toHaveAttribute('data-talking', 'true');
    await expect(tile(mirela, names[0]!)).toHaveAttribute('data-talking', 'true');
    await talk(false);
    await expect(first).not.toHaveAttribute('data-talking', 'true');
  });
  /** Mirela's, which is larger than those of the crowd. */
  const hers = async () =>
    (await pictures(therapist)).find(({ width }) => width > 200)?.kbps ?? Number.POSITIVE_INFINITY;
  await test.step('a client among several keeps below its cap', async () => {
    await expect.poll(hers).toBeLessThan((BITRATE.other / 1_000) * OVER);
  });
  await test.step('all who left at once are gone', async () => {
    await many.close();
    await expect(others).toHaveCount(1);
    await seesMoving(therapist, 'Mirela');
  });
  await test.step('layers: the size and the frames that arrive follow the buttons', async () => {
    await setSwitch(therapist, 'Show technical details on videos', true);
    await setSwitch(therapist, 'High quality', true);
    const button = (what: 'Picture size' | 'Frames', level: number) =>
      tile(therapist, 'Mirela')
        .getByRole('group', { name: `${what} of Mirela` })
        .getByRole('button', { name: String(level), exact: true });
    await expect(button('Picture size', 2)).toBeVisible();
    const widthAt = async (level: number, fits: (width: number) => boolean) => {
      await button('Picture size', level).click();
      let width = 0;
      await expect
        .poll(
          async () => {
            width = (await pictures(therapist))[0]?.width ?? 0;
            return fits(width);
          },
          { timeout: 75_000, message: `another size at level ${level}` },
        )
        .toBe(true);
      return width;
    };
    const small = await widthAt(0, (width) => width > 0 && width < 640);
    const middle = await widthAt(1, (width) => width > small);
    await widthAt(2, (width) => width > middle);
    await expect
      .poll(
        async () => {
          const { kbps } = (await pictures(therapist))[0] ?? { kbps: 0 };
          return kbps > BITRATE.other / 1_000 && kbps < (BITRATE.highQuality / 1_000) * OVER;
        },
        { message: 'more than before, and below the cap of high quality' },
      )
      .toBe(true);
    const whole = (await pictures(therapist))[0]?.fps ?? 0;
    await button('Frames', 0).click();
    await expect
      .poll(async () => (await pictures(therapist))[0]?.fps ?? Number.POSITIVE_INFINITY)
      .toBeLessThan(whole * 0.7);
  });
});
