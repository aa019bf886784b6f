/**
 * Video: from the click on join to the first frame of another person's video, in Chromium on our own page, with the
 * embedded engine and with Debian's Janus behind the same gateway, alternating. See README.md. Settings: BENCH_ROUNDS
 * (10 joins on each), BENCH_RESULT (`video-first-frame`; empty writes none).
 */
import { admit, enterRoom, openRoom } from '@fieldroom/contract/clients';
import { findJanus, JANUS_ADMIN_KEY, JANUS_SECRET, startJanus } from '../../server/src/features/video/video.fixture.ts';
import { startChrome, type Target } from '../lib/browser/chrome.ts';
import { type Fieldroom, startFieldroom } from '../lib/service/fieldroom.ts';
import { type Aim, aimRows, keep, median, round, type Row, setting, table } from '../lib/numbers.ts';
import { signInPage } from '../lib/browser/page.ts';
import { buildIfChanged, program } from '../lib/service/processes.ts';

const ROUNDS = setting('BENCH_ROUNDS', 10);
const RESULT = process.env['BENCH_RESULT'] ?? 'video-first-frame';
const DEVICES = [
  '--use-fake-device-for-media-stream=fps=10',
  '--use-fake-ui-for-media-stream',
  '--window-size=1280,720',
];
/** The timeout of every wait in the pages. */
const WAIT_MS = 30_000;

/** Functions for the pages, as text: finding a button by its name, and waiting with a check at each animation frame. */
const HELPERS = `
const nameOf = (button) => (button.getAttribute('aria-label') ?? button.textContent).trim();
const named = (name) =>
  [...document.querySelectorAll('button')].find((button) => !button.disabled && nameOf(button) === name);
const when = (what, look) => new Promise((resolve, reject) => {
  const until = performance.now() + ${WAIT_MS};
  const turn = () => {
    const found = look();
    if (found) resolve(found);
    else if (performance.now() > until) reject(new Error('timeout while waiting for ' + what));
    else requestAnimationFrame(turn);
  };
  turn();
});
const press = async (name) => (await when(name, () => named(name))).click();`;
const drive = <T>(page: Target, work: string) => page.evaluate<T>(`(async () => { ${HELPERS} ${work} })()`);

interface Side {
  name: string;
  server: Fieldroom;
  client: Target;
  ms: number[];
}

await program(async () => {
  await buildIfChanged('web');
  const janusProgram = findJanus();
  const janus = janusProgram === null ? null : await startJanus(janusProgram);
  try {
    const [therapists, clients] = [await startChrome(DEVICES), await startChrome(DEVICES)];
    const sides: Side[] = [];
    try {
      for (const [name, settings] of [
        ['Fieldroom', {}],
        ...(janus ? [['Janus 1.1.2', { JANUS_URL: janus.url, JANUS_SECRET, JANUS_ADMIN_KEY }] as const] : []),
      ] as const) {
        const server = await startFieldroom(settings);
        const therapist = await therapists.newPage();
        const {
          token,
          user: { joinLink },
        } = await signInPage(server, therapist);
        await server.call(openRoom, { token });
        const seat = await server.call(enterRoom, { body: { joinLink, name: 'Jonas' } });
        await server.call(admit, { token, body: { clientIds: 'all' } });
        await therapist.send('Page.bringToFront');
        await therapist.goto(`${server.url}/app/play-area`);
        await drive(
          therapist,
          `await press('Start video');
           await press('Join with camera');
           await when('one’s own video', () => named('Stop video'));`,
        );

        const client = await clients.newPage();
        // As the join page stores it (web/src/platform/storage.ts).
        const user = {
          id: seat.client.id,
          firstName: seat.client.name,
          lastName: '',
          email: '',
          roles: ['ROLE_CLIENT'],
          authorities: ['ROLE_CLIENT'],
          language: 'en',
          joinLink,
        };
        const stored = { token: seat.token, client: JSON.stringify(seat.client), user: JSON.stringify(user) };
        await client.send('Page.addScriptToEvaluateOnNewDocument', {
          source: `for (const [key, value] of Object.entries(${JSON.stringify(stored)}))
            localStorage.setItem(key, value);`,
        });
        await client.send('Page.bringToFront');
        await client.goto(`${server.url}/app/play-area-view`);
        await drive(client, `await press('Not now');`);
        sides.push({ name, server, client, ms: [] });
      }
      // The first join of each page loads its code and is not counted.
      for (let number = 0; number <= ROUNDS; number += 1) {
        for (let index = 0; index < sides.length; index += 1) {
          const { name, client, ms } = sides[(index + number) % sides.length]!;
          await client.send('Page.bringToFront');
          const took = await drive<number>(
            client,
            `
            await press('Join video');
            const join = await when('the offer', () => named('Join with camera'));
            const began = performance.now();
            join.click();
            const therapistVideo = () => document.querySelector('figure[data-person][data-therapist] video');
            const video = await when('video', therapistVideo);
            await new Promise((resolve) => video.requestVideoFrameCallback(resolve));
            const took = performance.now() - began;
            await press('Leave video');
            const leaving = () => document.body.innerText.includes('Leaving the video');
            await when('the button to join', () => named('Join video') && !leaving());
            return took;`,
          );
          if (number > 0) ms.push(round(took, 0));
          console.log(`${number === 0 ? 'warming up' : `join ${number}`}, ${name}: ${Math.round(took)} ms`);
        }
      }
    } finally {
      await therapists.stop();
      await clients.stop();
      for (const { server } of sides) await server.stop();
    }

    const rows = sides.map(({ name, ms }): Row => ({
      'Click to first remote frame': name,
      'median ms': round(median(ms), 0),
      'minimum ms': Math.min(...ms),
      'maximum ms': Math.max(...ms),
      joins: ms.length,
    }));
    const [ours, theirs] = sides.map(({ ms }) => median(ms));
    const aims: Aim[] =
      ours !== undefined && theirs !== undefined
        ? [
            {
              what: 'click to first remote frame, median',
              aim: 'at or below Janus',
              measured: `${round(ours, 0)} ms, Janus ${round(theirs, 0)} ms`,
              reached: ours <= theirs,
            },
          ]
        : [];
    const sections = [
      [
        `A client in the room joins with camera and microphone and leaves again, in turns on both servers; a therapist`,
        `sends on each. The time is from the click until a frame of the therapist is drawn: ticket, WebSocket,`,
        `devices, both peer connections, and the key frame. Page, gateway and browser are the same; only the engine`,
        `differs.`,
      ].join(' '),
      table(rows),
      aims.length > 0 ? table(aimRows(aims)) : 'Janus is not installed (`apt-get install janus`); no comparison.',
    ];
    if (RESULT === '') console.log(sections.join('\n\n'));
    else
      await keep(RESULT, 'Video: the first frame', sections, {
        rounds: ROUNDS,
        results: Object.fromEntries(sides.map(({ name, ms }) => [name, ms])),
        aims,
      });
  } finally {
    await janus?.stop();
  }
});
