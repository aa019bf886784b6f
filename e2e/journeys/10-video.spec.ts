/** Journey 10: faces and voices. Everybody sees and hears everybody, by their own act alone; specification 2.4, 4.8, PRODUCT 10. */
import type { Page } from '@playwright/test';
import { axeClean, DESK, expect, picture, test, turn } from '../journey.ts';
import { inRoom, knockByLink, letIn } from './people.ts';
import { aRoom, accept, join, phone, seesMoving, tile, withDevices } from './video.ts';

// Several browsers draw and code pictures at once: one journey after the other, as a machine that can't keep up drops pictures, which is right then.
test.use({ launchOptions: withDevices() });
test.describe.configure({ mode: 'default' });

test('the therapist starts, clients are offered to join and choose, everybody sees everybody', async ({ visit }) => {
  const { therapist, guests } = await aRoom(visit, { name: 'Jonas', options: phone }, { name: 'Mirela' });
  const [jonas, mirela] = guests.map(({ page }) => page) as [Page, Page];

  // Before the therapist began: try out, choose, wait; nothing is opened meanwhile.
  await jonas.getByRole('button', { name: 'Video', exact: true }).click();
  const check = jonas.getByRole('dialog');
  await expect(
    check.getByText('Nobody sees', { exact: false }).or(check.getByText('When Anna starts')).first(),
  ).toBeVisible();
  await turn(check.getByRole('switch', { name: 'Camera' }), true);
  await expect(check.locator('video')).toBeVisible();
  await axeClean(jonas, 'device check');
  await picture(jonas, 'video-check-390-light-en');
  await check.getByRole('button', { name: 'Join with camera' }).click();
  await expect(jonas.getByText('You join as soon as Anna starts the video')).toBeVisible();

  await join(therapist, 'Start video', 'Join with camera');
  await expect(mirela.getByText('Anna has started the video')).toBeVisible();
  await axeClean(mirela, 'offer to join');
  await picture(mirela, 'video-offer-1440-light-en');
  await expect(tile(mirela, 'Anna')).toHaveCount(0);

  await seesMoving(jonas, 'Anna');
  await seesMoving(therapist, 'Jonas');
  await mirela.getByRole('button', { name: 'Voice only' }).click();
  await seesMoving(mirela, 'Anna');
  await seesMoving(mirela, 'Jonas');
  await expect(tile(therapist, 'Mirela')).toBeVisible();
  await expect(tile(therapist, 'Mirela').locator('video')).toHaveCount(0);
  await picture(jonas, 'video-client-390-light-en');
  await picture(therapist, 'video-strip-1440-light-en');
  await axeClean(therapist, 'room with faces');
  await axeClean(jonas, 'client with faces');

  // Three layouts, one key away.
  await therapist.getByRole('radio', { name: 'Half and half' }).click();
  await seesMoving(therapist, 'Jonas');
  await picture(therapist, 'video-half-1440-light-en');
  await therapist.locator('body').press('3');
  await expect(therapist.getByRole('radio', { name: 'Faces' })).toBeChecked();
  await axeClean(therapist, 'faces alone');
  await picture(therapist, 'video-faces-1440-light-en');
  await therapist.getByRole('button', { name: 'To the field' }).click();
  await expect(therapist.getByRole('radio', { name: 'Field' })).toBeChecked();
});

test('hands, muting, hiding, camera off, reload, leaving, and being sent out', async ({ visit }) => {
  const { therapist, guests } = await aRoom(visit, { name: 'Jonas', options: phone }, { name: 'Mirela' });
  const [jonas, mirela] = guests.map(({ page }) => page) as [Page, Page];
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await accept(mirela, 'Voice only');
  await seesMoving(mirela, 'Jonas');

  // A hand goes up and is lowered by the therapist.
  await jonas.getByRole('button', { name: 'Raise hand' }).click();
  await expect(therapist.getByRole('img', { name: 'hand is up, number 1' })).toBeVisible();
  await therapist.getByRole('button', { name: 'More about Jonas', exact: true }).click();
  await therapist.getByRole('menuitem', { name: 'Lower the hand' }).click();
  await expect(jonas.getByRole('button', { name: 'Raise hand' })).toBeVisible();

  // The therapist mutes; only Mirela can speak up again.
  await expect(tile(therapist, 'Mirela')).not.toHaveAccessibleName(/microphone off/, { timeout: 120_000 });
  await therapist.getByRole('button', { name: 'More about Mirela', exact: true }).click();
  await therapist.getByRole('menuitem', { name: 'Mute', exact: true }).click();
  await expect(mirela.getByText('Anna has muted you')).toBeVisible();
  await expect(mirela.getByRole('button', { name: 'Unmute', exact: true })).toBeVisible();
  await mirela.getByRole('button', { name: 'Unmute', exact: true }).click();
  await expect(mirela.getByRole('button', { name: 'Mute', exact: true })).toBeVisible();

  // Only the therapist is seen: the other client's picture is gone for Mirela, not for Anna.
  await therapist.getByRole('button', { name: 'Devices', exact: true }).click();
  await turn(therapist.getByRole('switch', { name: 'Clients see one another' }), false);
  await expect(tile(mirela, 'Jonas')).toHaveCount(0);
  await seesMoving(mirela, 'Anna');
  await picture(therapist, 'video-options-1440-light-en');
  await axeClean(therapist, 'sound and picture');
  await turn(therapist.getByRole('switch', { name: 'Clients see one another' }), true);
  await therapist.getByRole('button', { name: 'Close', exact: true }).click();
  await seesMoving(mirela, 'Jonas');

  // Camera off closes the device and leaves the initial.
  await jonas.getByRole('button', { name: 'Camera off' }).click();
  await expect(tile(therapist, 'Jonas').locator('video')).toHaveCount(0);
  await jonas.getByRole('button', { name: 'Camera on' }).click();
  await seesMoving(therapist, 'Jonas');

  // Loaded anew: nothing opens by itself, one tap and they are back.
  await jonas.reload();
  await expect(jonas.getByText('You were in the video a moment ago')).toBeVisible();
  await jonas.getByRole('button', { name: 'Join with camera' }).click();
  await seesMoving(jonas, 'Anna');
  await seesMoving(therapist, 'Jonas');
  await seesMoving(mirela, 'Jonas');

  // Leaving the video is not leaving the room; who is sent out is gone from both.
  await mirela.getByRole('button', { name: 'Leave video' }).click();
  await expect(tile(therapist, 'Mirela')).toHaveCount(0);
  await expect(mirela.getByTestId('field')).toBeVisible();
  await therapist.getByRole('button', { name: 'More about Jonas', exact: true }).click();
  await therapist.getByRole('menuitem', { name: 'Send out' }).click();
  await therapist
    .getByRole('dialog')
    .getByRole('button', { name: /Send out/ })
    .click();
  await jonas.waitForURL(/\/user\/bye/);
  await expect(tile(therapist, 'Jonas')).toHaveCount(0);
});

test('a dropped line comes back by itself, with the same faces', async ({ visit }) => {
  const { therapist, guests } = await aRoom(visit, { name: 'Jonas' });
  const jonas = guests[0]!;
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas.page, 'Join with camera');
  await seesMoving(jonas.page, 'Anna');
  await jonas.offline(true);
  await expect(
    jonas.page
      .getByText('Sound and picture are coming back', { exact: false })
      .or(jonas.page.getByText('You are offline', { exact: false }))
      .first(),
  ).toBeVisible();
  await jonas.offline(false);
  await expect(jonas.page.getByText('Sound and picture are coming back', { exact: false })).toHaveCount(0);
  await seesMoving(jonas.page, 'Anna');
  await seesMoving(therapist, 'Jonas');
});

test('a camera that is refused is explained, and the voice can still join', async ({ visit }) => {
  const { therapist, guests } = await aRoom(visit, { name: 'Jonas', options: { ...DESK, permissions: [] } });
  const jonas = guests[0]!.page;
  await join(therapist, 'Start video', 'Voice only');
  await jonas.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await accept(jonas, 'Join with camera');
  await expect(jonas.getByText(/is not allowed/)).toBeVisible();
  await picture(jonas, 'video-refused-1440-light-en');
});

test('the end-to-end switch seals sound and picture, and they still arrive', async ({ visit }) => {
  const { therapist, guests } = await aRoom(visit, { name: 'Jonas' });
  const jonas = guests[0]!.page;
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await seesMoving(jonas, 'Anna');
  await therapist.getByRole('button', { name: 'Devices', exact: true }).click();
  await turn(therapist.getByRole('switch', { name: 'Encryption from end to end' }), true);
  const digits = therapist.locator('.video-safety strong');
  await expect(digits).toHaveText(/^\d{4} \d{4} \d{4}$/);
  const code = await digits.textContent();
  await therapist.getByRole('button', { name: 'Close', exact: true }).click();
  await seesMoving(jonas, 'Anna');
  await seesMoving(therapist, 'Jonas');
  await jonas.getByRole('button', { name: 'Devices', exact: true }).click();
  await expect(jonas.locator('.video-safety strong')).toHaveText(code ?? '-');

  // The link given now carries the key past every server; nothing of it stays in the address bar.
  await therapist.getByRole('button', { name: 'Copy link', exact: true }).click();
  await expect(therapist.getByText('It carries the key of this encrypted room', { exact: false })).toBeVisible();
  await therapist.bringToFront();
  const copied = () => therapist.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain('#k=');
  const link = await copied();
  const { page: mirela } = await visit();
  await knockByLink(mirela, 'Mirela', link);
  await expect(mirela).toHaveURL(/\/user\/join\/[^#]+$/);
  await letIn(therapist, 'Mirela');
  await inRoom(mirela);
  expect(
    await mirela.evaluate(() =>
      Object.keys(sessionStorage)
        .filter((key) => key.startsWith('fieldroom_room_key_'))
        .map((key) => sessionStorage.getItem(key)),
    ),
  ).toEqual([/#k=(.*)$/.exec(link)?.[1]]);
});
