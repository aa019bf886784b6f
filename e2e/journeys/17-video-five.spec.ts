/**
 * Journey 17: five people at once, two of them on phones: everybody sees all others; one leaves and comes back, one
 * page is killed (docs/product.md#10).
 */
import type { Page } from '@playwright/test';
import { expect, picture, test } from '../journey.ts';
import { aRoom, accept, desk, drawn, join, phone, tile, withDevices } from './video.ts';

test.use({ launchOptions: withDevices() });
test.setTimeout(600_000);

/**
 * A machine that can't keep up makes lines look weak: then pictures are spared for a while and come back one by one.
 */
const PATIENCE_MS = 120_000;

/** Tiles are four to three; the therapist's is larger than the others'. */
const SHAPE = 4 / 3;

interface Box {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where each tile stands, by the name under it. */
const boxes = (page: Page): Promise<Box[]> =>
  page.locator('figure[data-person]').evaluateAll((faces) =>
    faces.map((face) => {
      const { x, y, width, height } = face.getBoundingClientRect();
      return { name: face.querySelector('figcaption')?.textContent.trim() ?? '', x, y, width, height };
    }),
  );
const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width - 0.5 && b.x < a.x + a.width - 0.5 && a.y < b.y + b.height - 0.5 && b.y < a.y + a.height - 0.5;

test('five people see one another, go, come back, and are missed', async ({ visit }) => {
  const clients = [
    { name: 'Jonas', options: phone },
    { name: 'Mirela', options: phone },
    { name: 'Réka', options: desk },
    { name: 'Emil', options: desk },
  ];
  const { therapist, guests } = await aRoom(visit, ...clients);
  const pages = new Map<string, Page>([
    ['Anna', therapist],
    ...clients.map(({ name }, index): [string, Page] => [name, guests[index]!.page]),
  ]);
  const page = (name: string) => pages.get(name)!;

  /**
   * Under the tiles of everybody stand the names of all others and "You"; every one of their pictures is drawn, and
   * goes on being drawn.
   */
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
          others.map(async (name) => {
            let before = 0;
            await expect
              .poll(
                async () => {
                  before = await drawn(at, name);
                  return before;
                },
                { message: `the picture of ${name} at ${who}`, timeout: PATIENCE_MS },
              )
              .toBeGreaterThan(0);
            await expect
              .poll(() => drawn(at, name), { message: `the moving picture of ${name} at ${who}`, timeout: PATIENCE_MS })
              .toBeGreaterThan(before + 5);
          }),
        );
      }),
    );
  };
  const isGone = (name: string) => Promise.all([...pages.values()].map((at) => expect(tile(at, name)).toHaveCount(0)));

  await test.step('all twenty pictures move, under the right names', async () => {
    await join(therapist, 'Start video', 'Join with camera');
    for (const { name } of clients) await accept(page(name), 'Join with camera');
    await allSeeAll();
  });

  await test.step('sizes are the layout’s', async () => {
    for (const name of ['Anna', 'Réka']) await page(name).locator('body').press('3');
    for (const [name, at] of pages) {
      const onPhone = name === 'Jonas' || name === 'Mirela';
      const { width, height } = at.viewportSize()!;
      await expect(async () => {
        const all = await boxes(at);
        const lead = all.find((box) => box.name === (name === 'Anna' ? 'You' : 'Anna'))!;
        const rest = all.filter((box) => box !== lead);
        expect(rest).toHaveLength(4);
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
          // The therapist's beside two rows of two.
          expect(lead.width).toBeGreaterThan(rest[0]!.width * 1.5);
          expect(lead.height).toBeGreaterThan(rest[0]!.height * 1.9);
          expect([
            new Set(rest.map(({ x }) => Math.round(x))).size,
            new Set(rest.map(({ y }) => Math.round(y))).size,
          ]).toEqual([2, 2]);
        } else if (name === 'Emil') {
          // A strip above the field: all alike.
          for (const side of ['width', 'height', 'y'] as const) expect(lead[side]).toBeCloseTo(rest[0]![side], 0);
          expect([lead.width, lead.height].map(Math.round)).toEqual([138, 104]);
        } else {
          for (const box of all) expect(box.width / box.height, `shape of ${box.name}`).toBeCloseTo(SHAPE, 1);
          expect(lead.width).toBeGreaterThan(rest[0]!.width * 1.3);
        }
      }, `the tiles of ${name}`).toPass();
      await picture(
        at,
        `video-five-${name === 'Anna' ? 'therapist' : name === 'Emil' ? 'strip' : onPhone ? `phone-${name}` : 'client'}`,
      );
    }
  });

  await test.step('one leaves the video and comes back', async () => {
    const emil = page('Emil');
    await emil.getByRole('button', { name: 'Leave video', exact: true }).click();
    pages.delete('Emil');
    await isGone('Emil');
    await expect(emil.getByTestId('field')).toBeVisible();
    await join(emil, 'Join video', 'Join with camera');
    pages.set('Emil', emil);
    await allSeeAll();
  });

  await test.step('a page is killed: gone for the four others, who go on seeing one another', async () => {
    const mirela = page('Mirela');
    pages.delete('Mirela');
    const killed = mirela.waitForEvent('crash');
    const line = await mirela.context().newCDPSession(mirela);
    // Nobody answers this.
    void line.send('Page.crash').catch(() => undefined);
    await killed;
    await isGone('Mirela');
    await allSeeAll();
  });
});
