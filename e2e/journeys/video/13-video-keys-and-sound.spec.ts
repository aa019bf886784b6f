/** Video with a wrong encryption key, with a browser that blocks sound, and after a page was killed. */
import type { Page } from '@playwright/test';
import { VIDEO_SEND } from '@fieldroom/contract/video';
import { expect, test } from '../../journey.ts';
import { accept, framesDrawn, join, openVideoRoom, seesMoving, setSwitch, tile, withDevices } from '../video.ts';

test.use({ launchOptions: withDevices() });
test.describe.configure({ mode: 'default' });

/** A valid key that nobody uses. */
const WRONG_KEY = '7.AAECAwQFBgcICQoLDA0ODw';

/** The page's requests for the room's key get lost until `keysPass` is set in its window. */
async function loseKeyRequests(page: Page): Promise<void> {
  await page.addInitScript((destination) => {
    const send = Reflect.get(WebSocket.prototype, 'send') as WebSocket['send'];
    WebSocket.prototype.send = function lossy(this: WebSocket, data: string) {
      if (!('keysPass' in window) && typeof data === 'string' && data.includes(destination)) return;
      send.call(this, data);
    } as WebSocket['send'];
  }, VIDEO_SEND.key);
}

/** Sound plays only after a tap that follows the first refusal, as on a phone that nobody has touched yet. */
async function blockSound(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sound = { playing: 0, refused: 0, tapped: false };
    Object.assign(window, { sound });
    const play = Reflect.get(HTMLMediaElement.prototype, 'play') as HTMLMediaElement['play'];
    HTMLMediaElement.prototype.play = function guarded(this: HTMLMediaElement) {
      if (!(this instanceof HTMLAudioElement)) return play.call(this);
      if (!sound.tapped) {
        sound.refused += 1;
        return Promise.reject(
          new DOMException(
            'play() failed because the user did not interact with the document first.',
            'NotAllowedError',
          ),
        );
      }
      sound.playing += 1;
      return play.call(this);
    };
    window.addEventListener(
      'pointerdown',
      (event) => {
        if (event.isTrusted && sound.refused > 0) sound.tapped = true;
      },
      { capture: true },
    );
  });
}
const soundOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { sound: { playing: number; refused: number; tapped: boolean } }).sound);

test('sound blocked until a tap; no video with a wrong key; back in the same seat after a killed page', async ({
  visit,
}) => {
  const { therapist, guests } = await openVideoRoom(
    visit,
    { name: 'Jonas', joinLink: `anna#k=${WRONG_KEY}`, prepare: loseKeyRequests },
    { name: 'Mirela', prepare: blockSound },
  );
  const [jonas, mirela] = guests.map(({ page }) => page) as [Page, Page];
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await accept(mirela, 'Join with camera');
  await seesMoving(mirela, 'Anna');
  await seesMoving(mirela, 'Jonas');
  await seesMoving(jonas, 'Mirela');

  await test.step('after one tap everybody is heard', async () => {
    const tap = mirela.getByRole('button', { name: 'Turn on sound' });
    await expect(mirela.getByText('Your browser is blocking the sound')).toBeVisible();
    expect(await soundOf(mirela)).toMatchObject({ playing: 0, tapped: false });
    await tap.click();
    await expect(tap).toHaveCount(0);
    await expect
      .poll(async () => (await soundOf(mirela)).playing, { message: 'the audio of both plays' })
      .toBeGreaterThanOrEqual(2);
  });

  await test.step('with a wrong key a client sees no video and is told why; all others see each other', async () => {
    await setSwitch(therapist, 'End-to-end encryption', true);
    await seesMoving(mirela, 'Anna');
    await seesMoving(therapist, 'Mirela');
    for (const name of ['Anna', 'Mirela']) {
      await expect(tile(jonas, name).getByText('Can’t be decrypted here')).toBeVisible();
      await expect.poll(() => framesDrawn(jonas, name), 'no video, not even a broken one').toBe(-1);
    }
    for (const page of [therapist, mirela]) {
      await expect(tile(page, 'Jonas').getByText('Can’t be decrypted here')).toBeVisible();
      await expect.poll(() => framesDrawn(page, 'Jonas')).toBe(-1);
    }
    await jonas.getByRole('button', { name: 'Devices', exact: true }).click();
    const digits = (page: Page) => page.locator('[data-testid=safety-code] strong');
    await expect(digits(jonas)).toHaveText(/^\d{4} \d{4} \d{4}$/);
    const wrong = (await digits(jonas).textContent()) ?? '';
    await jonas.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
    await therapist.getByRole('button', { name: 'Devices', exact: true }).click();
    await expect(digits(therapist)).toHaveText(/^\d{4} \d{4} \d{4}$/);
    await expect(digits(therapist), 'the safety code shows that the keys differ').not.toHaveText(wrong);
    await therapist.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  });
  await test.step('with the right key video appears by itself', async () => {
    await jonas.evaluate(() => Object.assign(window, { keysPass: true }));
    await seesMoving(jonas, 'Anna');
    await seesMoving(jonas, 'Mirela');
    await seesMoving(therapist, 'Jonas');
    await expect(jonas.getByText('Can’t be decrypted here')).toHaveCount(0);
  });

  await test.step('a killed page disappears for the others, and its person returns to the same seat', async () => {
    const seat = await tile(therapist, 'Mirela').getAttribute('data-person');
    const context = mirela.context();
    await mirela.close();
    await expect(tile(therapist, 'Mirela')).toHaveCount(0);
    await expect(tile(jonas, 'Mirela')).toHaveCount(0);
    const again = await context.newPage();
    await again.goto('/app/play-area-view');
    await accept(again, 'Join with camera');
    await seesMoving(therapist, 'Mirela');
    await seesMoving(jonas, 'Mirela');
    await seesMoving(again, 'Anna');
    expect(await tile(therapist, 'Mirela').getAttribute('data-person')).toBe(seat);
    await expect(therapist.getByRole('button', { name: /^Let in/ })).toHaveCount(0);
  });
});
