/**
 * Journey 10: faces and voices. Everybody sees and hears everybody, by their own act alone (docs/product.md#10).
 */
import type { Page, WebSocket } from '@playwright/test';
import { axeClean, DESK, expect, picture, signIn, test, turn } from '../journey.ts';
import { inRoom, knockByLink, letIn, openField } from './people.ts';
import { aRoom, accept, comesIn, desk, join, phone, seesMoving, tile, withDevices } from './video.ts';

// Several browsers draw and code pictures at once: one journey after the other, as a machine that can't keep up drops
// pictures, which is right then.
test.use({ launchOptions: withDevices() });
test.describe.configure({ mode: 'default' });

test('the therapist starts, clients are offered to join and choose, everybody sees everybody', async ({ visit }) => {
  const { therapist, guests } = await aRoom(visit, { name: 'Jonas', options: phone }, { name: 'Mirela' });
  const [jonas, mirela] = guests.map(({ page }) => page) as [Page, Page];

  // Before the therapist began: try out, choose, wait; nothing is opened meanwhile.
  await jonas.getByRole('button', { name: 'Set up video', exact: true }).click();
  const check = jonas.getByRole('dialog');
  await expect(
    check.getByText('Nobody can see', { exact: false }).or(check.getByText('When Anna starts')).first(),
  ).toBeVisible();
  await turn(check.getByRole('switch', { name: 'Camera' }), true);
  await expect(check.locator('video')).toBeVisible();
  await axeClean(jonas, 'device check');
  await picture(jonas, 'video-check-390-light-en');
  await check.getByRole('button', { name: 'Join with camera' }).click();
  await expect(jonas.getByText('You’ll join as soon as Anna starts the video')).toBeVisible();

  await join(therapist, 'Start video', 'Join with camera');
  await expect(mirela.getByText('Anna has started the video')).toBeVisible();
  await axeClean(mirela, 'offer to join');
  await picture(mirela, 'video-offer-1440-light-en');
  await expect(tile(mirela, 'Anna')).toHaveCount(0);

  await seesMoving(jonas, 'Anna');
  await seesMoving(therapist, 'Jonas');
  await mirela.getByRole('button', { name: 'Audio only' }).click();
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
  await expect(therapist.getByRole('radio', { name: 'Gallery' })).toBeChecked();
  await axeClean(therapist, 'faces alone');
  await picture(therapist, 'video-faces-1440-light-en');
  await therapist.getByRole('button', { name: 'Back to field' }).click();
  await expect(therapist.getByRole('radio', { name: 'Field' })).toBeChecked();
});

test('after the end nothing stays open on any page: no camera, no ticket, no connection, and no new session by itself', async ({
  visit,
  server,
}) => {
  const { page: therapist, offline } = await visit(desk);
  // Counts what the page holds open: tracks of devices, and sockets.
  await therapist.addInitScript(() => {
    const tracks: MediaStreamTrack[] = [];
    Object.assign(window, { tracks });
    const devices = navigator.mediaDevices;
    const open = devices.getUserMedia.bind(devices);
    devices.getUserMedia = async (wanted) => {
      const stream = await open(wanted);
      tracks.push(...stream.getTracks());
      return stream;
    };
  });
  const liveTracks = () =>
    therapist.evaluate(() =>
      (window as unknown as { tracks: MediaStreamTrack[] }).tracks
        .filter((track) => track.readyState === 'live')
        .map(({ kind }) => kind)
        .sort(),
    );
  const sockets: WebSocket[] = [];
  therapist.on('websocket', (socket) => sockets.push(socket));
  const asked: string[] = [];
  therapist.on('request', (request) => {
    if (request.method() === 'POST') asked.push(new URL(request.url()).pathname);
  });
  const running = () =>
    therapist.evaluate(async () => {
      const answer = await fetch('/api/room/state', {
        headers: { authorization: `Bearer ${localStorage.getItem('token')}` },
      });
      return ((await answer.json()) as { liveSession: unknown }).liveSession !== null;
    });

  await signIn(therapist);
  await openField(therapist);
  const { page: jonas } = await comesIn(visit, therapist, { name: 'Jonas', options: phone });
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await seesMoving(therapist, 'Jonas');
  expect(await liveTracks()).toEqual(['audio', 'video']);
  expect(await running()).toBe(true);

  await therapist.getByRole('button', { name: 'End session' }).click();
  await therapist.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect(therapist.getByText('The session has ended.')).toBeVisible();
  await expect(jonas.getByText('The session is over')).toBeVisible();
  await expect.poll(liveTracks).toEqual([]);
  await expect.poll(() => sockets.filter((socket) => !socket.isClosed()).length).toBe(0);
  const [before, opened] = [sockets.length, asked.length];

  // What makes a page that still listens come back at once: a server that restarts, and a network that is there again.
  await server.stop();
  await server.start();
  await offline(true);
  await offline(false);
  expect(await running()).toBe(false);
  await therapist.reload();
  await expect(therapist.getByText('The session has ended.')).toBeVisible();
  expect(await running()).toBe(false);
  expect(sockets.length).toBe(before);
  expect(asked.slice(opened)).toEqual([]);
  expect(await liveTracks()).toEqual([]);

  // Only the act of opening starts the next one, without anybody's camera.
  await therapist.getByRole('button', { name: 'Open the field again' }).click();
  await expect(therapist.getByTestId('room-code')).toHaveText(/^[A-Z2-9]{5}$/);
  await expect(therapist.getByRole('button', { name: 'Start video', exact: true })).toBeVisible();
  await expect(therapist.getByText(/You were in the video/)).toHaveCount(0);
  expect(await running()).toBe(true);
  expect(await liveTracks()).toEqual([]);
});

test('on the narrowest phones the therapist reaches whoever waits, with video on too', async ({ visit }) => {
  const { page: therapist } = await visit({ ...phone, viewport: { width: 320, height: 640 } });
  await signIn(therapist);
  await openField(therapist);
  await join(therapist, 'Start video', 'Join with camera');
  await expect(therapist.getByRole('radio', { name: 'Half and half' })).toBeVisible();
  const { page: jonas } = await visit(phone);
  await knockByLink(jonas, 'Jonas');
  for (const width of [320, 360, 390]) {
    await therapist.setViewportSize({ width, height: 640 });
    const bar = therapist.locator('.room-top');
    const reach = await bar.evaluate((element) =>
      [...element.querySelectorAll('a, button')].flatMap((part) => {
        const { left, right, width: wide } = part.getBoundingClientRect();
        return getComputedStyle(part).display === 'none' || (wide > 0 && left >= 0 && right <= innerWidth)
          ? []
          : [part.getAttribute('aria-label')];
      }),
    );
    expect(reach, `what stands outside of ${width} px`).toEqual([]);
    await picture(therapist, `room-narrow-video-${width}-light-en`);
  }
  await therapist.setViewportSize({ width: 320, height: 640 });
  await therapist.getByRole('button', { name: 'People, 1 waiting' }).click();
  await letIn(therapist, 'Jonas');
  await inRoom(jonas);
});

test('hands, muting, hiding, camera off, reload, leaving, and being sent out', async ({ visit }) => {
  const { therapist, guests } = await aRoom(visit, { name: 'Jonas', options: phone }, { name: 'Mirela' });
  const [jonas, mirela] = guests.map(({ page }) => page) as [Page, Page];
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await accept(mirela, 'Audio only');
  await seesMoving(mirela, 'Jonas');

  // A hand goes up and is lowered by the therapist.
  await jonas.getByRole('button', { name: 'Raise hand' }).click();
  await expect(therapist.getByRole('img', { name: 'hand raised, number 1' })).toBeVisible();
  await therapist.getByRole('button', { name: 'More options for Jonas', exact: true }).click();
  await therapist.getByRole('menuitem', { name: 'Lower hand' }).click();
  await expect(jonas.getByRole('button', { name: 'Raise hand' })).toBeVisible();

  // The therapist mutes; only Mirela can speak up again.
  await expect(tile(therapist, 'Mirela')).not.toHaveAccessibleName(/microphone off/, { timeout: 120_000 });
  await therapist.getByRole('button', { name: 'More options for Mirela', exact: true }).click();
  await therapist.getByRole('menuitem', { name: 'Mute', exact: true }).click();
  await expect(mirela.getByText('Anna has muted you')).toBeVisible();
  await expect(mirela.getByRole('button', { name: 'Unmute', exact: true })).toBeVisible();
  await mirela.getByRole('button', { name: 'Unmute', exact: true }).click();
  await expect(mirela.getByRole('button', { name: 'Mute', exact: true })).toBeVisible();

  // Only the therapist is seen: the other client's picture is gone for Mirela, not for Anna.
  await therapist.getByRole('button', { name: 'Devices', exact: true }).click();
  await turn(therapist.getByRole('switch', { name: 'Clients see each other' }), false);
  await expect(tile(mirela, 'Jonas')).toHaveCount(0);
  await seesMoving(mirela, 'Anna');
  await picture(therapist, 'video-options-1440-light-en');
  await axeClean(therapist, 'sound and picture');
  await turn(therapist.getByRole('switch', { name: 'Clients see each other' }), true);
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
  await therapist.getByRole('button', { name: 'More options for Jonas', exact: true }).click();
  await therapist.getByRole('menuitem', { name: 'Remove' }).click();
  await therapist
    .getByRole('dialog')
    .getByRole('button', { name: /Remove/ })
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
      .getByText('Reconnecting the video', { exact: false })
      .or(jonas.page.getByText('You’re offline', { exact: false }))
      .first(),
  ).toBeVisible();
  await jonas.offline(false);
  await expect(jonas.page.getByText('Reconnecting the video', { exact: false })).toHaveCount(0);
  await seesMoving(jonas.page, 'Anna');
  await seesMoving(therapist, 'Jonas');
});

test('a camera that is refused is explained, and the voice can still join', async ({ visit }) => {
  const { therapist, guests } = await aRoom(visit, { name: 'Jonas', options: { ...DESK, permissions: [] } });
  const jonas = guests[0]!.page;
  await join(therapist, 'Start video', 'Audio only');
  await jonas.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await accept(jonas, 'Join with camera');
  await expect(jonas.getByText(/isn’t allowed/)).toBeVisible();
  await picture(jonas, 'video-refused-1440-light-en');
});

test('the end-to-end switch seals sound and picture, and they still arrive', async ({ visit }) => {
  const { therapist, guests } = await aRoom(visit, { name: 'Jonas' });
  const jonas = guests[0]!.page;
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await seesMoving(jonas, 'Anna');
  await therapist.getByRole('button', { name: 'Devices', exact: true }).click();
  await turn(therapist.getByRole('switch', { name: 'End-to-end encryption' }), true);
  const digits = therapist.locator('[data-testid=safety-code] strong');
  await expect(digits).toHaveText(/^\d{4} \d{4} \d{4}$/);
  const code = await digits.textContent();
  await therapist.getByRole('button', { name: 'Close', exact: true }).click();
  await seesMoving(jonas, 'Anna');
  await seesMoving(therapist, 'Jonas');
  await jonas.getByRole('button', { name: 'Devices', exact: true }).click();
  await expect(jonas.locator('[data-testid=safety-code] strong')).toHaveText(code ?? '-');

  // The link given now carries the key past every server; nothing of it stays in the address bar.
  await therapist.getByRole('button', { name: 'Copy link', exact: true }).click();
  await expect(therapist.getByText('It contains the encryption key', { exact: false })).toBeVisible();
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
