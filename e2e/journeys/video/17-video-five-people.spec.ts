/**
 * Five people at once, two of them on phones: everybody sees all others; one leaves and returns, one page is killed
 * (docs/product.md#10).
 */
import type { Page } from '@playwright/test';
import { expect, screenshot, test } from '../../journey.ts';
import { accept, desk, join, openVideoRoom, phone, pressLayoutKey, seesMoving, tile, withDevices } from '../video.ts';

// Half the usual frame rate: the last such switch counts. Five cameras and twenty videos share the machine.
test.use({ launchOptions: withDevices('--use-fake-device-for-media-stream=fps=5') });
test.setTimeout(1_800_000);

/**
 * On an overloaded machine connections look weak: then pages drop videos and restore them one by one, after relapses
 * one a minute.
 */
const VIDEO_TIMEOUT_MS = 360_000;

/** Width by height of a tile. */
const ASPECT_RATIO = 4 / 3;

interface Box {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The place and size of each tile on the page, with the name under it. */
const boxes = (page: Page): Promise<Box[]> =>
  page.locator('figure[data-person]').evaluateAll((tiles) =>
    tiles.map((one) => {
      const { x, y, width, height } = one.getBoundingClientRect();
      return { name: one.querySelector('figcaption')?.textContent.trim() ?? '', x, y, width, height };
    }),
  );
const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width - 0.5 && b.x < a.x + a.width - 0.5 && a.y < b.y + b.height - 0.5 && b.y < a.y + a.height - 0.5;

test('five people see each other; one leaves and returns, another disappears', async ({ visit }) => {
  const clients = [
    { name: 'Jonas', options: phone },
    { name: 'Mirela', options: phone },
    { name: 'Réka', options: desk },
    { name: 'Emil', options: desk },
  ];
  const { therapist, guests } = await openVideoRoom(visit, ...clients);
  const pages = new Map<string, Page>([
    ['Anna', therapist],
    ...clients.map(({ name }, index): [string, Page] => [name, guests[index]!.page]),
  ]);
  const page = (name: string) => pages.get(name)!;

  /** Waits until every page shows “You” and the names of all others, and draws moving video of all others. */
  const allSeeAll = async () => {
    await Promise.all(
      [...pages].map(async ([who, at]) => {
        const others = [...pages.keys()].filter((name) => name !== who);
        await expect
          .poll(async () => (await boxes(at)).map(({ name }) => name).sort(), { message: `the tiles of ${who}` })
          .toEqual([...others, 'You'].sort());
        await expect(at.locator('figure[data-person][data-own] figcaption')).toHaveText('You');
        await expect(at.locator('figure[data-person][data-therapist] figcaption')).toHaveText(
          who === 'Anna' ? 'You' : 'Anna',
        );
        await Promise.all(
          others.map((name) => seesMoving(at, name, { timeout: VIDEO_TIMEOUT_MS, where: `the page of ${who}` })),
        );
      }),
    );
  };
  const expectGone = (name: string) =>
    Promise.all([...pages.values()].map((at) => expect(tile(at, name)).toHaveCount(0)));

  await test.step('all twenty videos move, under the right names', async () => {
    await join(therapist, 'Start video', 'Join with camera');
    for (const { name } of clients) await accept(page(name), 'Join with camera');
    await allSeeAll();
  });

  await test.step('tiles have the place and size of the layout', async () => {
    for (const name of ['Anna', 'Réka']) await pressLayoutKey(page(name), '3');
    for (const [name, at] of pages) {
      const onPhone = name === 'Jonas' || name === 'Mirela';
      const { width, height } = at.viewportSize()!;
      await expect(async () => {
        const all = await boxes(at);
        expect(all).toHaveLength(5);
        const lead = all.find((box) => box.name === 'Anna')!;
        const own = all.find((box) => box.name === 'You')!;
        // On a client's phone their own tile is one of the small ones.
        const rest = all.filter((box) => box !== lead && (onPhone || box !== own));
        for (const box of all)
          expect(
            box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height,
            `${box.name} is on the screen`,
          ).toBe(true);
        for (const [index, box] of all.entries())
          for (const other of all.slice(index + 1))
            expect(overlap(box, other), `${box.name} covers ${other.name}`).toBe(false);
        for (const box of rest)
          for (const side of ['width', 'height'] as const)
            expect(box[side], `${side} of ${box.name}`).toBeCloseTo(rest[0]![side], 0);
        if (onPhone) {
          // The therapist's tile is beside two rows of two.
          expect(lead.width).toBeGreaterThan(rest[0]!.width * 1.5);
          expect(lead.height).toBeGreaterThan(rest[0]!.height * 1.9);
          expect([
            new Set(rest.map(({ x }) => Math.round(x))).size,
            new Set(rest.map(({ y }) => Math.round(y))).size,
          ]).toEqual([2, 2]);
        } else if (name === 'Emil') {
          // A strip above the field: the therapist's tile larger, their own smaller.
          expect([lead, rest[0]!, own].map(({ width: wide, height: high }) => [wide, high].map(Math.round))).toEqual([
            [184, 104],
            [138, 104],
            [100, 75],
          ]);
        } else {
          for (const box of all)
            expect(box.width / box.height, `aspect ratio of ${box.name}`).toBeCloseTo(ASPECT_RATIO, 1);
          if (name !== 'Anna') expect(lead.width).toBeGreaterThan(rest[0]!.width * 1.3);
          expect(own.width).toBeLessThan(rest[0]!.width * 0.7);
        }
      }, `the tiles of ${name}`).toPass();
      await screenshot(
        at,
        `video-five-${name === 'Anna' ? 'therapist' : name === 'Emil' ? 'strip' : onPhone ? `phone-${name}` : 'client'}`,
      );
    }
  });

  await test.step('one leaves the video and returns', async () => {
    const emil = page('Emil');
    await emil.getByRole('button', { name: 'Leave video', exact: true }).click();
    pages.delete('Emil');
    await expectGone('Emil');
    await expect(emil.getByTestId('field')).toBeVisible();
    await join(emil, 'Join video', 'Join with camera');
    pages.set('Emil', emil);
    await allSeeAll();
  });

  await test.step('a killed page disappears for the four others, who still see each other', async () => {
    const mirela = page('Mirela');
    pages.delete('Mirela');
    const killed = mirela.waitForEvent('crash');
    const devtools = await mirela.context().newCDPSession(mirela);
    // A crashed page does not answer.
    void devtools.send('Page.crash').catch(() => undefined);
    await killed;
    await expectGone('Mirela');
    await allSeeAll();
  });
});
