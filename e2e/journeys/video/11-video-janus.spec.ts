/** Video through Debian's Janus instead of the embedded engine (`JANUS_URL`). */
import {
  findJanus,
  JANUS_ADMIN_KEY,
  JANUS_SECRET,
  type RunningJanus,
  startJanus,
} from '../../../server/src/features/video/video.fixture.ts';
import { expect, test as journey, type Visit, type Visitor } from '../../journey.ts';
import { admit, chooseMore } from '../people.ts';
import { accept, desk, join, openVideoRoom, phone, seesMoving, setSwitch, tile, withDevices } from '../video.ts';

const test = journey.extend<{ janus: RunningJanus; settings: Record<string, string> }>({
  // Playwright reads a fixture's dependencies from its first parameter.
  // oxlint-disable-next-line no-empty-pattern
  janus: async ({}, use, testInfo) => {
    const program = findJanus();
    testInfo.skip(program === null, 'Janus is not available here');
    const janus = await startJanus(program ?? '');
    await use(janus);
    await janus.stop();
  },
  settings: async ({ janus }, use) => use({ JANUS_URL: janus.url, JANUS_SECRET, JANUS_ADMIN_KEY }),
});

test.use({ launchOptions: withDevices() });
test.describe.configure({ mode: 'default' });

test('with Janus everybody sees everybody; hiding, leaving, returning and a restart of Janus work', async ({
  visit: anyVisit,
  janus,
}) => {
  const visitors: Visitor[] = [];
  const visit: Visit = async (options) => {
    const visitor = await anyVisit(options);
    visitors.push(visitor);
    return visitor;
  };
  const { therapist, guests } = await openVideoRoom(visit, { name: 'Jonas', options: phone }, { name: 'Mirela' });
  const [jonas, mirela] = guests.map(({ page }) => page) as [typeof therapist, typeof therapist];
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await accept(mirela, 'Join with camera');
  await test.step('everybody sees everybody', async () => {
    await seesMoving(jonas, 'Anna');
    await seesMoving(mirela, 'Anna');
    await seesMoving(mirela, 'Jonas');
    await seesMoving(jonas, 'Mirela');
    await seesMoving(therapist, 'Jonas');
    await seesMoving(therapist, 'Mirela');
  });
  await test.step('clients are hidden from each other and shown again', async () => {
    await setSwitch(therapist, 'Clients see each other', false);
    await expect(tile(mirela, 'Jonas')).toHaveCount(0);
    await seesMoving(mirela, 'Anna');
    await setSwitch(therapist, 'Clients see each other', true);
    await seesMoving(mirela, 'Jonas');
    await seesMoving(jonas, 'Mirela');
  });
  await test.step('a camera is turned off and on', async () => {
    await jonas.getByRole('button', { name: 'Camera off' }).click();
    await expect(tile(mirela, 'Jonas').locator('video')).toHaveCount(0);
    await jonas.getByRole('button', { name: 'Camera on' }).click();
    await seesMoving(mirela, 'Jonas');
    await seesMoving(therapist, 'Jonas');
  });
  await test.step('a client leaves the video and joins again', async () => {
    await chooseMore(jonas, 'Leave video');
    await expect(tile(therapist, 'Jonas')).toHaveCount(0);
    await expect(tile(mirela, 'Jonas')).toHaveCount(0);
    await join(jonas, 'Join video', 'Join with camera');
    await seesMoving(therapist, 'Jonas');
    await seesMoving(mirela, 'Jonas');
    await seesMoving(jonas, 'Anna');
    await seesMoving(jonas, 'Mirela');
  });
  await test.step('another client joins after one has left', async () => {
    await mirela.getByRole('button', { name: 'Leave video' }).click();
    await expect(tile(jonas, 'Mirela')).toHaveCount(0);
    const { page: emil } = await admit(visit, therapist, { name: 'Emil', options: desk });
    await accept(emil, 'Join with camera');
    await seesMoving(jonas, 'Emil');
    await seesMoving(therapist, 'Emil');
    await seesMoving(emil, 'Jonas');
  });
  await test.step('a client who joins again while still leaving is in the video', async () => {
    // Run it in the page, to be quicker than the dialog “Leaving the video”.
    await jonas.getByRole('button', { name: 'More', exact: true }).click();
    await jonas.evaluate(async () => {
      const press = async (name: string) => {
        let button: HTMLButtonElement | undefined;
        while (!button) {
          button = [...document.querySelectorAll('button')].find(
            (one) => (one.getAttribute('aria-label') ?? one.textContent).trim() === name,
          );
          await new Promise((resolve) => {
            requestAnimationFrame(resolve);
          });
        }
        button.click();
      };
      for (const name of ['Leave video', 'Join video', 'Join with camera']) await press(name);
    });
    await seesMoving(jonas, 'Anna');
    await seesMoving(therapist, 'Jonas');
  });
  await test.step('Janus is killed and restarted', async () => {
    await janus.kill();
    await expect(jonas.getByText('Reconnecting the video', { exact: false })).toBeVisible();
    await janus.restart();
    await seesMoving(jonas, 'Anna');
    await seesMoving(jonas, 'Emil');
    await seesMoving(therapist, 'Jonas');
    // Without Janus the server refuses tickets with 503, which the browser logs.
    for (const { errors } of visitors)
      errors.splice(0, errors.length, ...errors.filter((error) => !error.includes('status of 503')));
  });
});
