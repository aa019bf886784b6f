/**
 * The video line without a browser: the same suite against the embedded engine and Debian's Janus. Verbs, errors, events, clean-up, and what
 * an attacker would try: refused, and the others unharmed. Numbers are those of README.md.
 */
import { randomBytes } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { remove, updateSelected } from '@fieldroom/contract/clients';
import { VIDEO_PLUGIN } from '@fieldroom/contract/video';
import { aTherapist, type BuiltAccount } from '../../testing/builders.ts';
import { type BuiltClient, inRoom } from '../../testing/builders.clients.ts';
import { testApp, type TestApp } from '../../testing/index.ts';
import { openClientScreen, openTherapistScreen, type Screen } from '../../testing/screen.ts';
import { findJanus, JANUS_ADMIN_KEY, JANUS_SECRET, openProgram, openSocket, type Program, publish, type RunningJanus, startJanus, subscribe } from './video.fixture.ts';

const janusProgram = findJanus();

describe.each(['janus'] as const)('on %s', (kind) => {
  const isThere = kind !== 'janus' || janusProgram !== null;
  let janus: RunningJanus | null = null;
  let t: TestApp;
  beforeAll(async () => {
    if (!isThere) return;
    if (kind === 'janus') janus = await startJanus(janusProgram!);
    t = await testApp({ env: janus ? { JANUS_URL: janus.url, JANUS_SECRET, JANUS_ADMIN_KEY } : {} });
    while (!(await t.app.video.stats()).ready) await turn();
  });
  afterAll(async () => {
    await t?.close();
    await janus?.stop();
  });

  let therapist: BuiltAccount;
  let bori: BuiltClient;
  let mihai: BuiltClient;
  let room: number;
  const open: { close(): Promise<unknown> }[] = [];
  const closing = <T extends { close(): Promise<unknown> }>(one: T): T => {
    open.push(one);
    return one;
  };
  const line = async (person: { id: number; token: string }, options?: { firefox?: boolean }) => closing(await openProgram(t, person, options));
  const lines = (...people: { id: number; token: string }[]) => Promise.all(people.map((person) => line(person)));
  const publishing = async (program: Program, ...more: Parameters<typeof publish> extends [unknown, unknown, ...infer R] ? R : never) => closing(await publish(program, room, ...more));
  const watching = async (program: Program, streams: readonly object[]) => closing(await subscribe(program, room, streams));
  const screens: Screen[] = [];
  const screen = async (opening: Promise<Screen>) => {
    const opened = await opening;
    screens.push(opened);
    return opened;
  };

  beforeEach(async () => {
    if (!isThere) return;
    therapist = await aTherapist(t.db);
    room = therapist.id;
    bori = await inRoom(t.app, therapist, { name: 'Bori' });
    mihai = await inRoom(t.app, therapist, { name: 'Mihai' });
  });
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one.close();
    for (const one of screens.splice(0)) await one.leave();
  });

  test.runIf(isThere)('publish, subscribe, leave: sound and picture come through, everybody hears of it', async () => {
    const [judit, client] = await lines(therapist, bori);
    const page = await screen(openClientScreen(t.url, mihai));
    const made = await judit!.room(await judit!.attach(), { request: 'create', room, publishers: 3, bitrate: 10 ** 9, rec_dir: '/etc', permanent: true });
    expect(made).toMatchObject({ videoroom: 'created', room, permanent: false });
    const publisher = await publishing(judit!);
    expect(publisher.joined).toMatchObject({ videoroom: 'joined', room, id: therapist.id, publishers: [] });
    expect(publisher.published).toMatchObject({ configured: 'ok', room });
    expect((await page.next('START_VIDEO')).contents).toEqual({ userId: therapist.id });
    await page.next('VIDEO_STATE', ({ contents }) => contents.running && contents.faces.some((face) => face.id === therapist.id && face.audio && face.video));

    const own = await client!.attach();
    const joined = await client!.room(own, { request: 'join', ptype: 'publisher', room, display: 'somebody else', id: 4 });
    expect(joined).toMatchObject({ id: bori.id, room, publishers: [{ id: therapist.id, display: `${therapist.id}@therapist` }] });
    const subscriber = await watching(client!, [{ feed: therapist.id }]);
    expect(subscriber.attached).toMatchObject({ videoroom: 'attached', room });
    publisher.keepSaying('audio', 'voice');
    publisher.keepSaying('video', 'face');
    await expect.poll(() => [...subscriber.texts()].toSorted(), { timeout: 10_000 }).toEqual(['face', 'voice']);

    const list = await client!.room(own, { request: 'listparticipants', room });
    expect(list.participants).toEqual([
      { id: therapist.id, display: `${therapist.id}@therapist`, publisher: true, talking: false },
      { id: bori.id, display: String(bori.id), publisher: false, talking: false },
    ]);
    const before = client!.told.length;
    expect(await judit!.room(publisher.handle, { request: 'unpublish' })).toMatchObject({ unpublished: 'ok' });
    await client!.next('unpublished', (told) => told.plugindata?.data.unpublished === therapist.id, before);
    await page.next('VIDEO_STATE', ({ contents }) => !contents.running);
    expect(await judit!.room(publisher.handle, { request: 'leave' })).toMatchObject({ leaving: 'ok', room });
    await page.next('VIDEO_STATE', ({ contents }) => contents.faces.length === 1);
  });
});

void [randomBytes, remove, updateSelected, VIDEO_PLUGIN, openTherapistScreen, openSocket];
