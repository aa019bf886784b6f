/** Video: everybody sees and hears everybody, and only their own action turns their devices on (docs/product.md#10). */
import type { Page, WebSocket } from '@playwright/test';
import { axeClean, DESK, expect, resize, screenshot, signIn, test, toggle, type Visit } from '../../journey.ts';
import { moveClock } from '../events.ts';
import { tells } from '../news.ts';
import { admit, expectInRoom, knockByLink, letIn, openField, openRoom } from '../people.ts';
import {
  accept,
  desk,
  devicesListed,
  join,
  openVideoRoom,
  phone,
  pressLayoutKey,
  seesMoving,
  tile,
  withDevices,
} from '../video.ts';

// Several pages encode and draw video at once. One journey at a time, because an overloaded machine drops frames.
test.use({ launchOptions: withDevices() });
test.describe.configure({ mode: 'default' });

test('the therapist starts the video, clients choose how to join, and everyone sees everyone', async ({ visit }) => {
  const { therapist, guests } = await openVideoRoom(visit, { name: 'Jonas', options: phone }, { name: 'Mirela' });
  const [jonas, mirela] = guests.map(({ page }) => page) as [Page, Page];

  // Before the video starts a client can test devices and choose; no device is open while they wait.
  await jonas.getByRole('button', { name: 'Set up video', exact: true }).click();
  const check = jonas.getByRole('dialog');
  await expect(
    check.getByText('Nobody can see', { exact: false }).or(check.getByText('When Anna starts')).first(),
  ).toBeVisible();
  await devicesListed(jonas);
  await toggle(check.getByRole('switch', { name: 'Camera' }), true);
  await expect(check.locator('video')).toBeVisible();
  await axeClean(jonas, 'device check');
  await screenshot(jonas, 'video-check-390-light-en');
  await check.getByRole('button', { name: 'Join with camera' }).click();
  await expect(jonas.getByText('You’ll join as soon as Anna starts the video')).toBeVisible();

  await join(therapist, 'Start video', 'Join with camera');
  await expect(mirela.getByText('Anna has started the video')).toBeVisible();
  await axeClean(mirela, 'offer to join');
  await screenshot(mirela, 'video-offer-1440-light-en');
  await expect(tile(mirela, 'Anna')).toHaveCount(0);

  await seesMoving(jonas, 'Anna');
  await seesMoving(therapist, 'Jonas');
  await mirela.getByRole('button', { name: 'Audio only' }).click();
  await seesMoving(mirela, 'Anna');
  await seesMoving(mirela, 'Jonas');
  await expect(tile(therapist, 'Mirela')).toBeVisible();
  await expect(tile(therapist, 'Mirela').locator('video')).toHaveCount(0);
  await screenshot(jonas, 'video-client-390-light-en');
  await screenshot(therapist, 'video-strip-1440-light-en');
  await axeClean(therapist, 'room with video');
  await axeClean(jonas, 'client with video');

  // Switch between three layouts, by button and by key.
  await therapist.getByRole('radio', { name: 'Half and half' }).click();
  await seesMoving(therapist, 'Jonas');
  await screenshot(therapist, 'video-half-1440-light-en');
  await pressLayoutKey(therapist, '3');
  await expect(therapist.getByRole('radio', { name: 'Gallery' })).toBeChecked();
  await axeClean(therapist, 'gallery');
  await screenshot(therapist, 'video-gallery-1440-light-en');
  await therapist.getByRole('button', { name: 'Back to field' }).click();
  await expect(therapist.getByRole('radio', { name: 'Field' })).toBeChecked();
});

test('after the session nothing stays open: no camera, ticket or connection, and no session starts automatically', async ({
  visit,
  server,
}) => {
  const { page: therapist, offline } = await visit(desk);
  // Records the device tracks and WebSockets that the page opens.
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
  const posted: string[] = [];
  therapist.on('request', (request) => {
    if (request.method() === 'POST') posted.push(new URL(request.url()).pathname);
  });
  const sessionIsLive = () =>
    therapist.evaluate(async () => {
      const answer = await fetch('/api/room/state', {
        headers: { authorization: `Bearer ${localStorage.getItem('token')}` },
      });
      return ((await answer.json()) as { liveSession: unknown }).liveSession !== null;
    });

  await signIn(therapist);
  await openField(therapist);
  const { page: jonas } = await admit(visit, therapist, { name: 'Jonas', options: phone });
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await seesMoving(therapist, 'Jonas');
  expect(await liveTracks()).toEqual(['audio', 'video']);
  expect(await sessionIsLive()).toBe(true);

  await therapist.getByRole('button', { name: 'End session' }).click();
  await therapist.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await expect(therapist.getByText('The session has ended.')).toBeVisible();
  await expect(jonas.getByText('The session is over')).toBeVisible();
  await expect.poll(liveTracks).toEqual([]);
  await expect.poll(() => sockets.filter((socket) => !socket.isClosed()).length).toBe(0);
  const [socketsBefore, postedBefore] = [sockets.length, posted.length];

  // A restarted server and a restored network would make a page that still listens reconnect.
  await server.stop();
  await server.start();
  await offline(true);
  await offline(false);
  // The first calls may still find the network off.
  await expect(async () => expect(await sessionIsLive()).toBe(false)).toPass();
  await therapist.reload();
  await expect(therapist.getByText('The session has ended.')).toBeVisible();
  expect(await sessionIsLive()).toBe(false);
  expect(sockets.length).toBe(socketsBefore);
  expect(posted.slice(postedBefore)).toEqual([]);
  expect(await liveTracks()).toEqual([]);

  // Opening the field again starts a new session, without anybody's camera.
  await therapist.getByRole('button', { name: 'Open the field again' }).click();
  await expect(therapist.getByTestId('room-code')).toHaveText(/^[A-Z2-9]{5}$/);
  await expect(therapist.getByRole('button', { name: 'Start video', exact: true })).toBeVisible();
  await expect(therapist.getByText(/You were in the video/)).toHaveCount(0);
  expect(await sessionIsLive()).toBe(true);
  expect(await liveTracks()).toEqual([]);
});

test('on the narrowest phones the therapist can reach people in the waiting room, even with video on', async ({
  visit,
}) => {
  const therapist = await openRoom(visit, { ...phone, viewport: { width: 320, height: 640 } });
  await join(therapist, 'Start video', 'Join with camera');
  await expect(tile(therapist, 'You')).toBeVisible();
  const { page: jonas } = await visit(phone);
  await knockByLink(jonas, 'Jonas');
  await expect(therapist.getByRole('button', { name: 'People, 1 waiting' })).toBeVisible();
  await expect(therapist.getByRole('button', { name: 'Report a problem' })).toBeVisible();
  // The room's code is random. The widest needs the most space.
  await therapist.getByTestId('room-code').evaluate((code) => (code.textContent = 'WWWWW'));
  const bar = therapist.locator('[data-room=top]');
  const outside = () =>
    bar.evaluate((element) =>
      [...element.querySelectorAll('a, button')].flatMap((part) => {
        const { left, right, width: wide } = part.getBoundingClientRect();
        return !part.checkVisibility() || (wide > 0 && left >= 0 && right <= innerWidth)
          ? []
          : [part.getAttribute('aria-label')];
      }),
    );
  // Both sides of the widths at which the bar changes.
  for (const width of [320, 359, 360, 390, 429, 430, 479, 480, 560, 639, 640, 699, 700, 767, 768, 999, 1000]) {
    await resize(therapist, width, 640);
    await expect.poll(outside, `controls outside ${width} px`).toEqual([]);
    await screenshot(therapist, `room-narrow-video-${width}-light-en`);
  }
  await resize(therapist, 320, 640);
  await therapist.getByRole('button', { name: 'People, 1 waiting' }).click();
  await letIn(therapist, 'Jonas');
  await expectInRoom(jonas);
});

test('raising hands, muting, hiding clients, camera off, reloading, leaving, and being removed', async ({ visit }) => {
  const { therapist, guests } = await openVideoRoom(visit, { name: 'Jonas', options: phone }, { name: 'Mirela' });
  const [jonas, mirela] = guests.map(({ page }) => page) as [Page, Page];
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await accept(mirela, 'Audio only');
  await seesMoving(mirela, 'Jonas');

  // A client raises a hand, and the therapist lowers it.
  await jonas.getByRole('button', { name: 'Raise hand' }).click();
  await expect(therapist.getByRole('img', { name: 'hand raised, number 1' })).toBeVisible();
  await therapist.getByRole('button', { name: 'More options for Jonas', exact: true }).click();
  await therapist.getByRole('menuitem', { name: 'Lower hand' }).click();
  await expect(jonas.getByRole('button', { name: 'Raise hand' })).toBeVisible();

  // The therapist mutes; only Mirela can unmute herself.
  await expect(tile(therapist, 'Mirela')).not.toHaveAccessibleName(/microphone off/, { timeout: 120_000 });
  await therapist.getByRole('button', { name: 'More options for Mirela', exact: true }).click();
  await therapist.getByRole('menuitem', { name: 'Mute', exact: true }).click();
  await expect(mirela.getByText('Anna has muted you')).toBeVisible();
  await expect(mirela.getByRole('button', { name: 'Unmute', exact: true })).toBeVisible();
  await mirela.getByRole('button', { name: 'Unmute', exact: true }).click();
  await expect(mirela.getByRole('button', { name: 'Mute', exact: true })).toBeVisible();

  // With clients hidden from each other, Mirela no longer sees Jonas; Anna still does.
  await therapist.getByRole('button', { name: 'Devices', exact: true }).click();
  await devicesListed(therapist);
  await toggle(therapist.getByRole('switch', { name: 'Clients see each other' }), false);
  await expect(tile(mirela, 'Jonas')).toHaveCount(0);
  await seesMoving(mirela, 'Anna');
  await screenshot(therapist, 'video-options-1440-light-en');
  await axeClean(therapist, 'audio and video settings');
  await toggle(therapist.getByRole('switch', { name: 'Clients see each other' }), true);
  await therapist.getByRole('button', { name: 'Close', exact: true }).click();
  await seesMoving(mirela, 'Jonas');

  // With the camera off the tile shows no video.
  await jonas.getByRole('button', { name: 'Camera off' }).click();
  await expect(tile(therapist, 'Jonas').locator('video')).toHaveCount(0);
  await jonas.getByRole('button', { name: 'Camera on' }).click();
  await seesMoving(therapist, 'Jonas');

  // After a reload no device opens automatically; one click joins again.
  await jonas.reload();
  await expect(jonas.getByText('You were in the video a moment ago')).toBeVisible();
  await jonas.getByRole('button', { name: 'Join with camera' }).click();
  await seesMoving(jonas, 'Anna');
  await seesMoving(therapist, 'Jonas');
  await seesMoving(mirela, 'Jonas');

  // Leaving the video does not leave the room; removing a person does both.
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

/** A call in which a client's network goes away. */
async function loseNetworkInCall(visit: Visit) {
  const { therapist, guests } = await openVideoRoom(visit, { name: 'Jonas' });
  const jonas = guests[0]!;
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas.page, 'Join with camera');
  await seesMoving(jonas.page, 'Anna');
  await jonas.offline(true);
  return { therapist, jonas };
}

test('after a lost connection the video returns automatically', async ({ visit }) => {
  const { therapist, jonas } = await loseNetworkInCall(visit);
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

test.describe('with the clock of development', () => {
  test.use({ settings: { FIELDROOM_DEV: '1', NODE_ENV: 'development' } });

  test('after minutes without a network a person has their seat and video again', async ({ visit }) => {
    const { therapist, jonas } = await loseNetworkInCall(visit);
    await expect(therapist.getByText('Disconnected – place kept for one minute')).toBeVisible();
    const clock = await therapist.context().newPage();
    await moveClock(clock, 2, 'minutes');
    await clock.close();
    await expect(therapist.getByText('In the room · 0 of 24')).toBeVisible();
    await jonas.offline(false);
    await seesMoving(jonas.page, 'Anna');
    await seesMoving(therapist, 'Jonas');
    await expect(jonas.page.getByText('You’re no longer in this room', { exact: false })).toHaveCount(0);
  });
});

test('a refused camera is explained', async ({ visit }) => {
  const { therapist, guests } = await openVideoRoom(visit, { name: 'Jonas', options: { ...DESK, permissions: [] } });
  const jonas = guests[0]!.page;
  await join(therapist, 'Start video', 'Audio only');
  await jonas.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  });
  await accept(jonas, 'Join with camera');
  await expect(jonas.getByText(/isn’t allowed/)).toBeVisible();
  await screenshot(jonas, 'video-refused-1440-light-en');
});

test('with end-to-end encryption audio and video still arrive, and the join link carries the key', async ({
  visit,
}) => {
  const { therapist, guests } = await openVideoRoom(visit, { name: 'Jonas' });
  const jonas = guests[0]!.page;
  await join(therapist, 'Start video', 'Join with camera');
  await accept(jonas, 'Join with camera');
  await seesMoving(jonas, 'Anna');
  await therapist.getByRole('button', { name: 'Devices', exact: true }).click();
  await devicesListed(therapist);
  await toggle(therapist.getByRole('switch', { name: 'End-to-end encryption' }), true);
  const digits = therapist.locator('[data-testid=safety-code] strong');
  await expect(digits).toHaveText(/^\d{4} \d{4} \d{4}$/);
  const code = await digits.textContent();
  await therapist.getByRole('button', { name: 'Close', exact: true }).click();
  await seesMoving(jonas, 'Anna');
  await seesMoving(therapist, 'Jonas');
  await jonas.getByRole('button', { name: 'Devices', exact: true }).click();
  await expect(jonas.locator('[data-testid=safety-code] strong')).toHaveText(code ?? '-');

  // The link now contains the key in its fragment, which no server sees; the address bar does not keep it.
  await tells(therapist, 'It contains the encryption key', () =>
    therapist.getByRole('button', { name: 'Copy link', exact: true }).click(),
  );
  await therapist.bringToFront();
  const copied = () => therapist.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain('#k=');
  const link = await copied();
  const { page: mirela } = await visit();
  await knockByLink(mirela, 'Mirela', link);
  await expect(mirela).toHaveURL(/\/user\/join\/[^#]+$/);
  await letIn(therapist, 'Mirela');
  await expectInRoom(mirela);
  expect(
    await mirela.evaluate(() =>
      Object.keys(sessionStorage)
        .filter((key) => key.startsWith('fieldroom_room_key_'))
        .map((key) => sessionStorage.getItem(key)),
    ),
  ).toEqual([/#k=(.*)$/.exec(link)?.[1]]);
});
