/** The states of the room with video, of the therapist and of a client (docs/product.md#10.7, 11.9). */
import { DESK, expect, test } from '../journey.ts';
import { admit, openRoom } from '../journeys/people.ts';
import { desk, pressLayoutKey, withDevices } from '../journeys/video.ts';
import { cameraOf, LOOKS, speak, textsOf } from './camera.ts';

test.use({ launchOptions: withDevices() });

/** The keys of the three layouts. */
const LAYOUTS = [
  ['1', 'field'],
  ['2', 'half'],
  ['3', 'gallery'],
] as const;

for (const look of LOOKS) {
  const options = { ...desk, ...DESK, colorScheme: look.scheme };
  const say = textsOf(look);

  test(`faces, ${look.scheme}, ${look.language}`, async ({ visit }) => {
    const anna = await openRoom(visit, options);
    const { page: jonas } = await admit(visit, anna, { name: 'Jonas', options });
    const { page: mirela } = await admit(visit, anna, { name: 'Mirela', options });
    for (const page of [anna, jonas, mirela]) await speak(page, look);
    const camera = say('video', 'join.camera');
    await anna.getByRole('button', { name: say('video', 'control.start'), exact: true }).click();
    await anna.getByRole('dialog').getByRole('button', { name: camera, exact: true }).click();
    await expect(jonas.locator('[data-banner]')).toBeVisible();
    await cameraOf(jonas, 'client', look)('video-question');
    for (const page of [jonas, mirela]) await page.getByRole('button', { name: camera, exact: true }).click();
    // The person's own, and the two others.
    for (const page of [anna, jonas]) await expect(page.locator('figure[data-person]')).toHaveCount(3);
    for (const [page, who] of [
      [anna, 'therapist'],
      [jonas, 'client'],
    ] as const)
      for (const [key, layout] of LAYOUTS) {
        await pressLayoutKey(page, key);
        await expect(page.locator(`[data-layout=${layout}]`)).toBeAttached();
        await cameraOf(page, who, look)(`video-${layout}`);
      }
  });
}
