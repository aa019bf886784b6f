/**
 * Another program joins the video: a separate page that uses a ticket and the official janus.js, and no code of ours.
 * docs/video.md, “To take part, as a program”.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { VIDEO_PATH } from '@fieldroom/contract/video';
import { expect, test } from '../../journey.ts';
import { join, openVideoRoom, seesMoving, tile, withDevices } from '../video.ts';

test.use({ launchOptions: withDevices() });
test.describe.configure({ mode: 'default' });

const fromWeb = createRequire(new URL('../../../web/package.json', import.meta.url));
const JANUS = fileURLToPath(new URL('../../../node_modules/janus-gateway/npm/dist/janus.es.js', import.meta.url));
const ADAPTER = fromWeb.resolve('webrtc-adapter/out/adapter.js');

/** The name that the other program gives; the server ignores it. */
const DISPLAY_NAME = 'somebody else';

/** The other program: joins, publishes camera and microphone, subscribes to all publishers and plays their streams. */
const PAGE = `<!doctype html><html lang="en"><title>Another program</title>
<body><video id="picture" muted autoplay playsinline></video>
<script src="/plain/adapter.js"></script>
<script type="module">
import Janus from '/plain/janus.es.js';
const log = (window.log = []);
const fail = (what) => log.push('error ' + what);
window.begin = ({ ticket, room, iceServers }) => Janus.init({
  debug: false,
  dependencies: Janus.useDefaultDependencies({ adapter: window.adapter }),
  callback() {
    const janus = new Janus({
      server: location.origin.replace('http', 'ws') + '${VIDEO_PATH}', token: ticket, iceServers, error: fail,
      success() {
        let sending;
        const receive = (publishers) => {
          if (!publishers.length) return;
          let receiving;
          janus.attach({
            plugin: 'janus.plugin.videoroom', error: fail,
            success(handle) {
              receiving = handle;
              const streams = publishers.map(({ id }) => ({ feed: id }));
              handle.send({ message: { request: 'join', ptype: 'subscriber', room, streams } });
            },
            onmessage(message, jsep) {
              if (message.error) fail(message.error);
              if (!jsep) return;
              receiving.createAnswer({
                jsep, tracks: [], error: fail,
                success: (answer) => receiving.send({ message: { request: 'start', room }, jsep: answer }),
              });
            },
            onremotetrack(track, mid, on) {
              log.push((on ? 'track ' : 'no track ') + track.kind);
              if (on && track.kind === 'video') document.getElementById('picture').srcObject = new MediaStream([track]);
            },
          });
        };
        janus.attach({
          plugin: 'janus.plugin.videoroom', error: fail,
          success(handle) {
            sending = handle;
            handle.send({ message: { request: 'join', ptype: 'publisher', room, display: '${DISPLAY_NAME}' } });
          },
          onmessage(message, jsep) {
            if (message.error) fail(message.error);
            if (message.videoroom === 'joined') {
              log.push('joined');
              sending.createOffer({
                tracks: ['audio', 'video'].map((type) => ({ type, capture: true, recv: false })), error: fail,
                success: (offer) =>
                  sending.send({ message: { request: 'configure', audio: true, video: true }, jsep: offer }),
              });
            }
            if (message.publishers) receive(message.publishers);
            if (jsep) sending.handleRemoteJsep({ jsep });
          },
        });
      },
    });
  },
});
</script></body></html>`;

test('a page with janus.js and a ticket joins, sends and receives', async ({ visit }) => {
  const { therapist, guests } = await openVideoRoom(visit, { name: 'Jonas' });
  const jonas = guests[0]!.page;
  await join(therapist, 'Start video', 'Join with camera');
  // A page that a route of the journey answers has no address on this machine, so it needs this permission to reach it.
  await jonas.context().grantPermissions(['camera', 'microphone', 'local-network-access']);
  const other: Page = await jonas.context().newPage();
  await other.route('**/plain/**', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/plain/janus.es.js') return route.fulfill({ path: JANUS, contentType: 'text/javascript' });
    if (pathname === '/plain/adapter.js') return route.fulfill({ path: ADAPTER, contentType: 'text/javascript' });
    return route.fulfill({ body: PAGE, contentType: 'text/html; charset=utf-8' });
  });
  await other.goto('/plain/');
  await other.waitForFunction(() => 'begin' in window);
  // Last, because a ticket is valid for a minute.
  const ticket = await jonas.evaluate(async () => {
    const answer = await fetch('/api/room/video-ticket', {
      method: 'POST',
      headers: { authorization: `Bearer ${localStorage.getItem('token')}`, 'content-type': 'application/json' },
      body: '{"firefox":false}',
    });
    return answer.json() as Promise<unknown>;
  });
  await other.evaluate((given) => (window as unknown as { begin(given: unknown): void }).begin(given), ticket);

  const log = () => other.evaluate(() => (window as unknown as { log: string[] }).log);
  await expect.poll(log).toEqual(expect.arrayContaining(['joined', 'track audio', 'track video']));
  await seesMoving(therapist, 'Jonas');
  await expect(tile(therapist, DISPLAY_NAME), 'names come from the server').toHaveCount(0);
  const frames = () =>
    other.locator('video').evaluate((element: HTMLVideoElement) => element.getVideoPlaybackQuality().totalVideoFrames);
  await expect.poll(frames).toBeGreaterThan(5);
  expect((await log()).filter((entry) => entry.startsWith('error'))).toEqual([]);
});
