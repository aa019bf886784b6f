/**
 * The video connection without a browser: the same suite against the embedded engine and Debian's Janus. Verbs, errors,
 * events, clean-up, and what an attacker would try: refused, and the others unharmed. Numbers are those of README.md.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { remove, updateSelected } from '@fieldroom/contract/clients';
import {
  askToUnmute,
  getVideoTicket,
  muteClients,
  setStage,
  setVideoSettings,
  VIDEO_PLUGIN,
} from '@fieldroom/contract/video';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { type BuiltClient, inRoom } from '../../builders/clients.builders.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { openClientScreen, openTherapistScreen, type Screen } from '../../../tests/support/people/screen.ts';
import { createEmbeddedEngine } from './engine/index.ts';
import {
  findJanus,
  JANUS_ADMIN_KEY,
  JANUS_SECRET,
  openProgram,
  openSocket,
  type Program,
  publish,
  type RunningJanus,
  startJanus,
  subscribe,
} from './video.fixture.ts';

// Connections of real peers, several a test.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const janusProgram = findJanus();
/** Packets and processes take their time on a busy machine. */
const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 60_000 });

describe.each(['embedded', 'janus'] as const)('on %s', (kind) => {
  const isThere = kind !== 'janus' || janusProgram !== null;
  let janus: RunningJanus | null = null;
  /** As a crash would. */
  const killEngine = async () => {
    if (embedded) for (const thread of embedded.threads()) await thread.terminate();
    await janus?.kill();
    await janus?.restart();
  };
  const embedded = kind === 'embedded' ? createEmbeddedEngine({ loopback: true }) : null;
  let t: TestApp;
  beforeAll(async () => {
    if (!isThere) return;
    if (kind === 'janus') janus = await startJanus(janusProgram!);
    t = await testApp({
      env: janus ? { JANUS_URL: janus.url, JANUS_SECRET, JANUS_ADMIN_KEY } : {},
      ...(embedded ? { videoEngine: embedded } : {}),
    });
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
  const connected = async (person: { id: number; token: string }, options?: { firefox?: boolean }) =>
    closing(await openProgram(t, person, options));
  const connecting = (...people: { id: number; token: string }[]) =>
    Promise.all(people.map((person) => connected(person)));
  const publishing = async (
    program: Program,
    ...more: Parameters<typeof publish> extends [unknown, unknown, ...infer R] ? R : never
  ) => closing(await publish(program, room, ...more));
  const watching = async (program: Program, streams: readonly object[]) =>
    closing(await subscribe(program, room, streams));
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
    if (isThere) await t.app.sessions.end(room, 'ended');
  });

  test.runIf(isThere)('publish, subscribe, leave: audio and video arrive, and everybody is told', async () => {
    const [judit, client] = await connecting(therapist, bori);
    const page = await screen(openClientScreen(t.url, mihai));
    const made = await judit!.room(await judit!.attach(), {
      request: 'create',
      room,
      publishers: 3,
      bitrate: 10 ** 9,
      rec_dir: '/etc',
      permanent: true,
    });
    expect(made).toMatchObject({ videoroom: 'created', room, permanent: false });
    const publisher = await publishing(judit!);
    expect(publisher.joined).toMatchObject({ videoroom: 'joined', room, id: therapist.id, publishers: [] });
    expect(publisher.published).toMatchObject({ configured: 'ok', room });
    expect((await page.next('START_VIDEO')).contents).toEqual({ userId: therapist.id });
    await page.next(
      'VIDEO_STATE',
      ({ contents }) =>
        contents.running && contents.faces.some((face) => face.id === therapist.id && face.audio && face.video),
    );

    const own = await client!.attach();
    const joined = await client!.room(own, {
      request: 'join',
      ptype: 'publisher',
      room,
      display: 'somebody else',
      id: 4,
    });
    expect(joined).toMatchObject({
      id: bori.id,
      room,
      publishers: [{ id: therapist.id, display: `${therapist.id}@therapist` }],
    });
    const subscriber = await watching(client!, [{ feed: therapist.id }]);
    expect(subscriber.attached).toMatchObject({ videoroom: 'attached', room });
    publisher.keepSaying('audio', 'voice');
    publisher.keepSaying('video', 'face');
    await eventually(() => [...subscriber.texts()].toSorted()).toEqual(['face', 'voice']);

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

  test.runIf(isThere)('12: a therapist who left the video and starts it again makes another offer', async () => {
    const page = await screen(openClientScreen(t.url, mihai));
    const running = (on: boolean, after = 0) =>
      page.next('VIDEO_STATE', ({ contents }) => contents.running === on, after);
    const judit = await connected(therapist);
    const first = await publishing(judit);
    await running(true);
    let heard = page.heard.length;
    await judit.room(first.handle, { request: 'unpublish' });
    await judit.room(first.handle, { request: 'leave' });
    await running(false, heard);
    heard = page.heard.length;
    await publishing(judit);
    await running(true, heard);
    expect(page.of('START_VIDEO')).toHaveLength(2);
  });

  test.runIf(isThere)(
    'joins and publishes in one; publishes again after unpublishing; joins again after leaving',
    async () => {
      const [judit, client] = await connecting(therapist, bori);
      const draft = await publishing(judit!);
      const sdp = draft.pc.localDescription!.sdp;
      expect(await judit!.room(draft.handle, { request: 'publish' }, { type: 'offer', sdp })).toMatchObject({
        error_code: expect.any(Number),
      });
      expect(await judit!.room(draft.handle, { request: 'unpublish' })).toMatchObject({ unpublished: 'ok' });
      expect(await judit!.room(draft.handle, { request: 'unpublish' })).toMatchObject({ error_code: 435 });
      await judit!.say({ janus: 'hangup', handle_id: draft.handle });
      const again = await publishing(judit!, ['audio', 'video'], {
        request: 'publish',
        audiocodec: 'opus',
        videocodec: 'vp8',
      });
      expect(await client!.room(await client!.attach(), { request: 'exists', room })).toMatchObject({
        videoroom: 'success',
        room,
        exists: true,
      });
      // The newer handle took the place of the older one (rule 4).
      await judit!.next('detached', (told) => told.janus === 'detached' && told.sender === draft.handle);
      expect(await judit!.room(again.handle, { request: 'leave' })).toMatchObject({ leaving: 'ok' });
      expect(await judit!.room(again.handle, { request: 'publish' })).toMatchObject({ error_code: 424 });
      expect(await judit!.room(again.handle, { request: 'leave' })).toMatchObject({ error_code: 426 });
      expect(await judit!.room(await judit!.attach(), { request: 'join', room, ptype: 'publisher' })).toMatchObject({
        videoroom: 'joined',
        id: therapist.id,
      });
      const both = await judit!.attach();
      const { pc } = await publishing(client!);
      expect(
        await judit!.room(
          both,
          { request: 'joinandconfigure', room, ptype: 'publisher', audio: true, video: true },
          { type: 'offer', sdp: pc.localDescription!.sdp },
        ),
      ).toMatchObject({ videoroom: 'joined', id: therapist.id, jsep: { type: 'answer' } });
      expect((await t.app.video.state(room)).running).toBe(true);
    },
  );

  test.runIf(isThere)('a subscriber adds, switches, pauses, configures and drops streams', async () => {
    const [judit, client, other] = await connecting(therapist, bori, mihai);
    const first = await publishing(judit!);
    const second = await publishing(other!);
    const subscriber = await watching(client!, [{ feed: therapist.id, mid: '0' }]);
    const ask = (body: object, jsep?: Parameters<Program['room']>[2]) => client!.room(subscriber.handle, body, jsep);
    const added = await ask({ request: 'subscribe', streams: [{ feed: mihai.id }] });
    expect(added).toMatchObject({ videoroom: 'updated', room });
    await subscriber.answer(added.jsep!);
    first.keepSaying('audio', 'hers');
    second.keepSaying('audio', 'his');
    second.keepSaying('video', 'face');
    await eventually(() => [...subscriber.texts()].toSorted()).toEqual(['face', 'hers', 'his']);

    expect(await ask({ request: 'pause' })).toMatchObject({ paused: 'ok' });
    expect(await ask({ request: 'start' })).toMatchObject({ started: 'ok' });
    const picture = added.streams!.find((stream) => stream.type === 'video')!;
    expect(await ask({ request: 'configure', mid: picture.mid, substream: 1, temporal: 0 })).toMatchObject({
      configured: 'ok',
    });
    expect(await ask({ request: 'configure', streams: [{ mid: picture.mid, send: false }] })).toMatchObject({
      configured: 'ok',
      room,
    });
    const voice = added.streams!.find((stream) => stream.type === 'audio' && stream.feed_id === therapist.id)!;
    expect(await ask({ request: 'switch', streams: [{ feed: mihai.id, mid: '0', sub_mid: voice.mid }] })).toMatchObject(
      { switched: 'ok', room },
    );
    first.keepSaying('video', 'hidden');
    subscriber.forget();
    second.keepSaying('audio', 'twice');
    await eventually(() => subscriber.texts().has('twice')).toBe(true);
    const dropped = await ask({
      request: 'update',
      unsubscribe: [{ feed: mihai.id }],
      subscribe: [{ feed: therapist.id, mid: '1' }],
    });
    await subscriber.answer(dropped.jsep!);
    await eventually(() => subscriber.texts().has('hidden')).toBe(true);
    expect(await ask({ request: 'unsubscribe', streams: [{ feed: therapist.id }] })).toMatchObject({
      videoroom: expect.stringMatching(/updated|event/),
    });
    expect(await ask({ request: 'leave' })).toMatchObject({ left: 'ok' });
  });

  test.runIf(isThere)('errors of the plugin have the plugin’s numbers', async () => {
    const [judit, client] = await connecting(therapist, bori);
    const handle = await client!.attach();
    const ask = async (body: object, jsep?: Parameters<Program['room']>[2]) =>
      (await client!.room(handle, body, jsep)).error_code;
    for (const request of [
      'publish',
      'configure',
      'unpublish',
      'leave',
      'start',
      'pause',
      'subscribe',
      'unsubscribe',
      'update',
      'switch',
    ])
      expect(await ask({ request }), request).toBe(424);
    expect(await ask({ request: 'join', ptype: 'publisher' })).toBe(429);
    expect(await ask({ request: 'join', room })).toBe(429);
    expect(await ask({ request: 'join', ptype: 'publisher', room: String(room) })).toBe(430);
    expect(await ask({ request: 'join', ptype: 'owner', room })).toBe(430);
    expect(await ask({ request: 'join', ptype: 'subscriber', room })).toBe(430);
    expect(await ask({ request: 'join', ptype: 'subscriber', room, streams: [{ feed: 9 }], extra: 1 })).toBe(430);
    expect(await ask({ request: 'join', ptype: 'subscriber', room, streams: [{ feed: 9 }] })).toBe(428);
    expect(await ask({})).toBe(429);
    expect(await ask({ request: 'join', ptype: 'publisher', room })).toBeUndefined();
    expect(await ask({ request: 'join', ptype: 'publisher', room })).toBe(425);
    expect(await ask({ request: 'join', ptype: 'subscriber', room, streams: [{ feed: 9 }] })).toBe(425);
    expect(await ask({ request: 'joinandconfigure', room })).toBe(425);
    expect(await ask({ request: 'unpublish' })).toBe(435);
    expect(await ask({ request: 'start' })).toBe(423);
    const { pc } = await publishing(judit!);
    const sdp = pc.localDescription!.sdp;
    expect(await ask({ request: 'publish' }, { type: 'answer', sdp })).toBe(431);
    const watcher = await client!.attach();
    expect(
      (await client!.room(watcher, { request: 'join', ptype: 'subscriber', room, feed: therapist.id })).jsep,
    ).toMatchObject({ type: 'offer' });
    expect((await client!.room(watcher, { request: 'publish' }, { type: 'offer', sdp })).error_code).toBe(423);
    expect((await client!.room(watcher, { request: 'start' }, { type: 'offer', sdp })).error_code).toBe(431);
  });

  test.runIf(isThere)('1: a ticket opens one session, once; later messages carry it', async () => {
    const nobody = closing(await openSocket(t.url, 'x'.repeat(43)));
    expect((await nobody.ask({ janus: 'create' })).error?.code).toBe(403);
    expect((await nobody.ask({ janus: 'create', token: 'x'.repeat(43) })).error?.code).toBe(403);
    expect(
      (await nobody.ask({ janus: 'attach', plugin: VIDEO_PLUGIN, session_id: 7, token: 'x'.repeat(43) })).error?.code,
    ).toBe(403);
    const client = await connected(bori);
    const again = closing(await openSocket(t.url, client.ticket));
    expect((await again.ask({ janus: 'create', token: client.ticket })).error?.code).toBe(403);
    expect((await client.say({ janus: 'create' })).error?.code).toBe(468);
    for (const token of [undefined, 'y'.repeat(43)]) {
      expect((await client.say({ janus: 'attach', plugin: VIDEO_PLUGIN, token })).error?.code).toBe(403);
      expect((await client.say({ janus: 'keepalive', token })).error?.code).toBe(403);
    }
    expect((await client.say({ janus: 'keepalive' })).janus).toBe('ack');
    expect((await client.say({ janus: 'destroy' })).janus).toBe('success');
    expect(await client.closed).toBe(1000);
    expect(t.logged.text()).not.toContain(client.ticket);
  });

  test.runIf(isThere)('1: a ticket ends with the membership, and with the live session', async () => {
    const ticketOf = async (token: string) => (await t.api(getVideoTicket, { body: {} }, { token })).ticket;
    const gone = await ticketOf(bori.token);
    await t.api(remove, { body: { clientId: bori.id } }, { token: therapist.token });
    // Back in the same seat is another membership.
    const away = await ticketOf(mihai.token);
    await t.app.clients.setNonActive(mihai.id);
    await t.app.clients.setActive(mihai.id);
    expect((await closing(await openSocket(t.url, away)).ask({ janus: 'create', token: away })).error?.code).toBe(403);
    const over = [await ticketOf(mihai.token), await ticketOf(therapist.token)];
    await t.app.sessions.end(room, 'ended');
    for (const ticket of [gone, ...over])
      expect((await closing(await openSocket(t.url, ticket)).ask({ janus: 'create', token: ticket })).error?.code).toBe(
        403,
      );
    await expect(ticketOf(therapist.token)).rejects.toMatchObject({ code: 'no_live_session' });
    await expect(ticketOf(bori.token)).rejects.toMatchObject({ code: 'sent_out' });
  });

  test.runIf(isThere)('2: verbs by allow-list, with Janus’ own errors', async () => {
    const client = await connected(bori);
    for (const janus of ['claim', 'list_sessions', 'start_pcap', 'add_token', 'set_log_level'])
      expect((await client.say({ janus })).error?.code, janus).toBe(453);
    for (const [text, code] of [
      ['{', 454],
      ['[]', 455],
      ['null', 455],
      ['{"transaction":"a1"}', 452],
      ['{"janus":"attach"}', 456],
      ['{"janus":"attach","transaction":7}', 467],
    ] as const) {
      const before = client.told.length;
      client.raw(text);
      expect((await client.next(text, (told) => told.error !== undefined, before)).error?.code, text).toBe(code);
    }
    expect((await client.say({ janus: 'attach' })).error?.code).toBe(456);
    for (const plugin of ['janus.plugin.streaming', 'janus.plugin.recordplay', 'janus.plugin.textroom'])
      expect((await client.say({ janus: 'attach', plugin })).error?.code).toBe(460);
    expect(
      (await client.say({ janus: 'attach', plugin: VIDEO_PLUGIN, session_id: client.session + 1 })).error?.code,
    ).toBe(458);
    const handle = await client.attach();
    expect((await client.say({ janus: 'message', handle_id: handle })).error?.code).toBe(456);
    expect((await client.say({ janus: 'message', handle_id: handle, body: [] })).error?.code).toBe(467);
    expect(
      (
        await client.say({
          janus: 'message',
          handle_id: handle,
          body: { request: 'publish' },
          jsep: { type: 'pranswer', sdp: 'v=0' },
        })
      ).error?.code,
    ).toBe(465);
    expect((await client.say({ janus: 'trickle', handle_id: handle })).error?.code).toBe(456);
    expect(
      (
        await client.say({
          janus: 'trickle',
          handle_id: handle,
          candidate: { candidate: 'candidate:1 \u0000', sdpMid: '0' },
        })
      ).error?.code,
    ).toBe(466);
    expect((await client.say({ janus: 'trickle', handle_id: handle, candidate: { completed: true } })).janus).toBe(
      'ack',
    );
    expect((await client.say({ janus: 'detach', handle_id: handle })).janus).toBe('success');
    expect((await client.say({ janus: 'detach', handle_id: handle })).error?.code).toBe(459);
    expect((await client.say({ janus: 'hangup', handle_id: handle })).error?.code).toBe(459);
  });

  test.runIf(isThere)(
    '2: other messages of stock programs are accepted: info and ping, null candidates, fields without effect; detaching is announced',
    async () => {
      const stranger = closing(await openSocket(t.url));
      expect(await stranger.ask({ janus: 'info' })).toMatchObject({
        janus: 'server_info',
        name: 'Fieldroom',
        plugins: { [VIDEO_PLUGIN]: expect.anything() },
      });
      expect((await stranger.ask({ janus: 'ping' })).janus).toBe('pong');
      const client = await connected(bori);
      const publisher = await publishing(client);
      const offer = await publisher.offer();
      const sdp = offer.sdp
        .replace(/a=fmtp:111 .*\r\n/, '')
        .replace(/a=rtpmap:111 opus\/48000\/2\r\n/, '$&a=fmtp:111 minptime=10;useinbandfec=1\r\n');
      const { streams } = await client.room(publisher.handle, { request: 'configure' }, { ...offer, sdp });
      expect((streams as unknown as Record<string, unknown>[]).find(({ type }) => type === 'audio')).toMatchObject({
        fec: true,
      });
      const trickled = (message: object) => client.say({ janus: 'trickle', handle_id: publisher.handle, ...message });
      for (const last of [{ candidate: null }, { candidate: { completed: true } }, { candidates: [null] }])
        expect((await trickled(last)).janus).toBe('ack');
      expect((await trickled({})).error?.code).toBe(456);
      const configured = await client.room(publisher.handle, {
        request: 'configure',
        audio_level_average: 10,
        min_delay: 0,
        max_delay: 0,
        keyframe: true,
      });
      expect(configured).toMatchObject({ configured: 'ok' });
      for (const recording of [{ record: true }, { filename: 'x' }])
        expect((await client.room(publisher.handle, { request: 'configure', ...recording })).error_code).toBe(430);
      const subscriber = await watching(await connected(mihai), [{ feed: bori.id }]);
      const layers = { spatial_layer: 1, temporal_layer: 1 };
      expect(
        await subscriber.program.room(subscriber.handle, {
          request: 'configure',
          ...layers,
          streams: [{ mid: '1', ...layers }],
        }),
      ).toMatchObject({ configured: 'ok' });
      const handle = await client.attach();
      expect((await client.say({ janus: 'detach', handle_id: handle })).janus).toBe('success');
      await client.next('detached', (told) => told.janus === 'detached' && told.sender === handle);
    },
  );

  test.runIf(isThere)('2: foreign rooms, handles and sessions do not exist', async () => {
    const stranger = await aTherapist(t.db);
    const theirs = await inRoom(t.app, stranger);
    const [judit, client] = await connecting(therapist, theirs);
    const publisher = await publishing(judit!);
    const handle = await client!.attach();
    expect((await client!.room(handle, { request: 'join', ptype: 'publisher', room })).error_code).toBe(426);
    expect(
      (await client!.room(handle, { request: 'join', ptype: 'subscriber', room, streams: [{ feed: therapist.id }] }))
        .error_code,
    ).toBe(426);
    expect(
      (
        await client!.room(handle, {
          request: 'join',
          ptype: 'subscriber',
          room: stranger.id,
          streams: [{ feed: therapist.id }],
        })
      ).error_code,
    ).toBe(428);
    expect((await client!.room(handle, { request: 'listparticipants', room })).error_code).toBe(426);
    expect(await client!.room(handle, { request: 'exists', room })).toMatchObject({ exists: false });
    expect(
      (await client!.say({ janus: 'message', handle_id: publisher.handle, body: { request: 'unpublish' } })).error
        ?.code,
    ).toBe(459);
    expect((await client!.say({ janus: 'detach', handle_id: publisher.handle })).error?.code).toBe(459);
    expect((await client!.say({ janus: 'destroy', session_id: judit!.session })).error?.code).toBe(458);
    expect(
      (await client!.say({ janus: 'destroy', session_id: judit!.session, token: judit!.ticket })).error?.code,
    ).toBe(403);
    expect((await t.app.video.state(room)).running).toBe(true);
    await t.app.sessions.end(stranger.id, 'ended');
  });

  test.runIf(isThere)(
    '2, 3: server-only requests are refused or ignored, and the others continue unharmed',
    async () => {
      const [judit, client, evil] = await connecting(therapist, bori, mihai);
      const publisher = await publishing(judit!);
      const subscriber = await watching(client!, [{ feed: therapist.id }]);
      const handle = await evil!.attach();
      const ask = (body: object, jsep?: Parameters<Program['room']>[2]) => evil!.room(handle, body, jsep);
      const secrets = { room, secret: 'adminpwd', admin_key: 'supersecret', id: therapist.id };
      const forbidden = [
        'edit',
        'list',
        'destroy',
        'kick',
        'moderate',
        'allowed',
        'rtp_forward',
        'stop_rtp_forward',
        'listforwarders',
        'enable_recording',
        'record',
        'add_remote_publisher',
        'nonsense',
        '__proto__',
        'joinPublisher',
        'configureSubscriber',
      ];
      for (const request of forbidden)
        expect(
          (
            await ask({
              request,
              ...secrets,
              host: '127.0.0.1',
              audio_port: 5004,
              filename: 'recording',
              mid: '0',
              mute: true,
            })
          ).error_code,
          request,
        ).toBe(423);
      expect((await ask({ request: 'create', room, rec_dir: 'recordings', record: true })).error_code).toBe(433);
      await ask({
        request: 'join',
        ptype: 'publisher',
        ...secrets,
        display: `${therapist.id}@therapist`,
        bitrate: 10 ** 9,
      });
      for (const request of forbidden) expect((await ask({ request, ...secrets })).error_code, request).toBe(423);
      for (const extra of [
        { record: true },
        { filename: 'recording' },
        { descriptions: [{ mid: '0', description: 'd'.repeat(100) }] },
        { streams: [{ mid: '0', mute: true }] },
      ])
        expect((await ask({ request: 'configure', ...extra })).error_code).toBe(430);
      expect(await ask({ request: 'configure', bitrate: 10 ** 9, display: 'x' })).toMatchObject({ configured: 'ok' });
      expect((await judit!.room(await judit!.attach(), { request: 'destroy', room })).error_code).toBe(423);
      expect((await client!.room(await client!.attach(), { request: 'listparticipants', room })).participants).toEqual([
        expect.objectContaining({ id: therapist.id, publisher: true }),
        { id: mihai.id, display: String(mihai.id), publisher: false, talking: false },
      ]);
      publisher.keepSaying('audio', 'unharmed');
      await eventually(() => subscriber.texts().has('unharmed')).toBe(true);
    },
  );

  test.runIf(isThere)(
    '7: oversized descriptions, and long or too many messages are refused; the others continue',
    async () => {
      const [judit, evil, flooding] = await connecting(therapist, bori, mihai);
      const publisher = await publishing(judit!);
      const subscriber = await watching(evil!, [{ feed: therapist.id }]);
      const handle = await evil!.attach();
      await evil!.room(handle, { request: 'join', ptype: 'publisher', room });
      const own = publisher.pc.localDescription!.sdp;
      const lines1000 = own + 'm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:9\r\n'.repeat(1000);
      expect((await evil!.room(handle, { request: 'publish' }, { type: 'offer', sdp: lines1000 })).error_code).toBe(
        437,
      );
      for (const sdp of [
        own.slice(0, 200) + 'a=x:' + 'y'.repeat(9_000) + '\r\n',
        `${own}a=\u0000\r\n`,
        'nonsense',
        `${own}${'a=filler\r\n'.repeat(28_000)}`,
      ]) {
        const refused = await evil!.say({
          janus: 'message',
          handle_id: handle,
          body: { request: 'publish' },
          jsep: { type: 'offer', sdp },
        });
        expect([refused.janus, refused.error?.code], sdp.slice(-40)).toEqual(['error', 465]);
      }
      const before = evil!.told.length;
      evil!.raw(
        JSON.stringify({
          janus: 'message',
          transaction: 'long',
          body: { request: 'join', filler: 'x'.repeat(70_000) },
        }),
      );
      await evil!.next('too long', (told) => told.error?.reason === 'Too long', before);
      evil!.raw(
        JSON.stringify({
          janus: 'message',
          transaction: 'huge',
          jsep: { type: 'offer', sdp: 'v=0'.padEnd(1_000_000, 'x') },
        }),
      );
      expect(await evil!.closed).toBe(1009);
      for (let count = 0; count < 400; count++) flooding!.raw('{"janus":"keepalive","transaction":"f"}');
      expect(await flooding!.closed).toBe(1008);
      const [, next] = [await judit!.room(await judit!.attach(), { request: 'exists', room }), await connected(mihai)];
      const watcher = await watching(next, [{ feed: therapist.id }]);
      publisher.keepSaying('audio', 'still');
      await eventually(() => watcher.texts().has('still')).toBe(true);
      void subscriber;
    },
  );

  test.runIf(isThere)('4: a newer connection replaces the older one, which is told', async () => {
    const [judit, old] = await connecting(therapist, bori);
    const first = await publishing(old!);
    const subscriber = await watching(judit!, [{ feed: bori.id }]);
    const newer = await connected(bori);
    const second = await publishing(newer);
    await old!.next('replaced', (told) => told.plugindata?.data.reason === 'replaced');
    await old!.next('detached', (told) => told.janus === 'detached' && told.sender === first.handle);
    expect(
      (await old!.say({ janus: 'message', handle_id: first.handle, body: { request: 'unpublish' } })).error?.code,
    ).toBe(459);
    expect((await t.app.video.state(room)).faces.filter((face) => face.id === bori.id)).toHaveLength(1);
    const again = await watching(judit!, [{ feed: bori.id }]);
    second.keepSaying('audio', 'newer');
    await eventually(() => again.texts().has('newer')).toBe(true);
    void subscriber;
  });

  test.runIf(isThere)('8: a removed person is disconnected at once and cannot come back; others are told', async () => {
    const page = await screen(openTherapistScreen(t.url, therapist));
    const [judit, client] = await connecting(therapist, bori);
    await publishing(client!);
    const watcher = await judit!.attach();
    await judit!.room(watcher, { request: 'join', ptype: 'publisher', room });
    await page.next('VIDEO_STATE', ({ contents }) => contents.faces.some((face) => face.id === bori.id && face.video));
    const [before, heard] = [judit!.told.length, page.heard.length];
    await t.api(remove, { body: { clientId: bori.id } }, { token: therapist.token });
    expect([await client!.closed, client!.reason()]).toEqual([1008, 'left the room']);
    await judit!.next(
      'leaving',
      ({ plugindata }) => plugindata?.data.leaving === bori.id || plugindata?.data.unpublished === bori.id,
      before,
    );
    await page.next('VIDEO_STATE', ({ contents }) => !contents.faces.some((face) => face.id === bori.id), heard);
    await expect(openProgram(t, bori)).rejects.toMatchObject({ code: 'sent_out' });
  });

  test.runIf(isThere)('8: the end of the live session ends every connection and the room behind it', async () => {
    const page = await screen(openTherapistScreen(t.url, therapist));
    const [judit, client] = await connecting(therapist, bori);
    await Promise.all([publishing(judit!), publishing(client!)]);
    await t.app.sessions.end(room, 'ended');
    expect(await Promise.all([judit!.closed, client!.closed])).toEqual([1008, 1008]);
    expect(judit!.reason()).toBe('the live session is over');
    const after = page.heard.findIndex(({ change }) => change.eventType === 'SESSION_OUT');
    await page.next('VIDEO_STATE', ({ contents }) => !contents.running && contents.faces.length === 0, after);
    await eventually(() => t.app.video.stats()).toMatchObject({ rooms: 0, publishers: 0 });
  });

  test.runIf(isThere)('8: an interrupted socket ends its handles', async () => {
    const [judit, client] = await connecting(therapist, bori);
    await Promise.all([publishing(judit!), publishing(client!)]);
    const before = judit!.told.length;
    client!.ws.terminate();
    await judit!.next(
      'leaving',
      ({ plugindata }) => plugindata?.data.leaving === bori.id || plugindata?.data.unpublished === bori.id,
      before,
    );
    await eventually(async () => (await t.app.video.state(room)).faces.map((face) => face.id)).toEqual([therapist.id]);
    await eventually(async () => (await t.app.video.stats()).publishers).toBe(1);
  });

  test.runIf(isThere)(
    '6: hidden clients: their video reaches no client, whatever it requests; audio and the therapist’s view continue',
    async () => {
      const [judit, client, other] = await connecting(therapist, bori, mihai);
      const hers = await publishing(judit!);
      const his = await publishing(other!);
      const seen = await watching(client!, [{ feed: mihai.id }, { feed: therapist.id }]);
      const therapistSees = await watching(judit!, [{ feed: mihai.id }]);
      let stops = [hers.keepSaying('video', 'anna'), his.keepSaying('video', 'open'), his.keepSaying('audio', 'voice')];
      await eventually(() => [...seen.texts()].toSorted()).toEqual(['anna', 'open', 'voice']);

      expect(
        await t.api(setVideoSettings, { body: { clientsVisible: false } }, { token: therapist.token }),
      ).toMatchObject({ clientsVisible: false });
      const late = await watching(client!, [{ feed: mihai.id }]);
      const picture = seen.attached.streams!.find((stream) => stream.type === 'video' && stream.feed_id === mihai.id)!;
      const theirs = seen.attached.streams!.find(
        (stream) => stream.type === 'video' && stream.feed_id === therapist.id,
      )!;
      const ask = async (body: object) => (await client!.room(seen.handle, body)).error_code;
      expect(await ask({ request: 'configure', streams: [{ mid: picture.mid, send: true }] })).toBeUndefined();
      expect(
        await ask({ request: 'configure', mid: picture.mid, send: true, video: true, substream: 2 }),
      ).toBeUndefined();
      expect(await ask({ request: 'subscribe', streams: [{ feed: mihai.id, mid: '1' }] })).toBe(428);
      expect(await ask({ request: 'update', subscribe: [{ feed: mihai.id, mid: '1' }] })).toBe(428);
      expect(await ask({ request: 'switch', streams: [{ feed: mihai.id, mid: '1', sub_mid: theirs.mid }] })).toBe(428);
      expect(
        (
          await client!.room(await client!.attach(), {
            request: 'join',
            ptype: 'subscriber',
            room,
            streams: [{ feed: mihai.id, mid: '1' }],
          })
        ).error_code,
      ).toBe(428);
      for (const stop of stops) stop();
      for (const one of [seen, late, therapistSees]) one.forget();
      stops = [hers.keepSaying('video', 'later'), his.keepSaying('video', 'secret'), his.keepSaying('audio', 'heard')];
      await eventually(() => seen.texts().has('heard') && seen.texts().has('later')).toBe(true);
      await eventually(() => therapistSees.texts().has('secret')).toBe(true);
      await eventually(() => late.texts().has('heard')).toBe(true);
      expect([...seen.texts(), ...late.texts()]).not.toContain('secret');

      await t.api(setVideoSettings, { body: { clientsVisible: true } }, { token: therapist.token });
      await eventually(() => seen.texts().has('secret')).toBe(true);
    },
  );

  test.runIf(isThere)('14: with "only the stage" the others’ video reaches no client; audio continues', async () => {
    const [judit, client, other] = await connecting(therapist, bori, mihai);
    const his = await publishing(other!);
    const seen = await watching(client!, [{ feed: mihai.id }]);
    const therapistSees = await watching(judit!, [{ feed: mihai.id }]);
    let stops = [his.keepSaying('video', 'open'), his.keepSaying('audio', 'voice')];
    await eventually(() => [...seen.texts()].toSorted()).toEqual(['open', 'voice']);

    await t.api(setVideoSettings, { body: { stageOnly: true } }, { token: therapist.token });
    await t.api(setStage, { body: { clientIds: [bori.id] } }, { token: therapist.token });
    for (const stop of stops) stop();
    for (const one of [seen, therapistSees]) one.forget();
    stops = [his.keepSaying('video', 'secret'), his.keepSaying('audio', 'heard')];
    await eventually(() => seen.texts().has('heard')).toBe(true);
    await eventually(() => therapistSees.texts().has('secret')).toBe(true);
    expect([...seen.texts()]).not.toContain('secret');

    await t.api(setStage, { body: { clientIds: [mihai.id] } }, { token: therapist.token });
    await eventually(() => seen.texts().has('secret')).toBe(true);
    for (const stop of stops) stop();
  });

  test.runIf(isThere)(
    '5: a mute by the therapist lasts, even after publishing again, until an act of the person',
    async () => {
      const page = await screen(openClientScreen(t.url, bori));
      const [judit, client] = await connecting(therapist, bori);
      let speaking = await publishing(client!);
      let hears = await watching(judit!, [{ feed: bori.id }]);
      const stop = speaking.keepSaying('audio', 'before');
      await eventually(() => hears.texts().has('before')).toBe(true);
      await t.api(muteClients, { body: { clientIds: 'all' } }, { token: therapist.token });
      stop();
      expect((await page.next('VIDEO_ASK')).contents).toEqual({ ask: 'muted' });
      await page.next('VIDEO_STATE', ({ contents }) =>
        contents.faces.some((face) => face.id === bori.id && face.mutedByTherapist && !face.audio && face.video),
      );
      speaking.keepSaying('audio', 'muted');
      speaking.keepSaying('video', 'shown');
      await eventually(() => hears.texts().has('shown')).toBe(true);
      expect(hears.texts().has('muted')).toBe(false);
      expect(
        (await client!.room(speaking.handle, { request: 'configure', streams: [{ mid: '1', send: true }] })).configured,
      ).toBe('ok');
      expect((await t.app.video.state(room)).faces).toContainEqual(
        expect.objectContaining({ id: bori.id, audio: false, mutedByTherapist: true }),
      );

      // A new connection of theirs is not an act of theirs.
      client!.ws.terminate();
      const back = await connected(bori);
      speaking = await publishing(back);
      hears = await watching(judit!, [{ feed: bori.id }]);
      speaking.keepSaying('audio', 'again');
      speaking.keepSaying('video', 'seen');
      await eventually(() => hears.texts().has('seen')).toBe(true);
      expect(hears.texts().has('again')).toBe(false);
      await t.api(askToUnmute, { body: { clientId: bori.id } }, { token: therapist.token });
      expect((await page.next('VIDEO_ASK', ({ contents }) => contents.ask === 'unmute')).contents).toEqual({
        ask: 'unmute',
      });
      expect((await t.app.video.state(room)).faces).toContainEqual(
        expect.objectContaining({ id: bori.id, mutedByTherapist: true }),
      );
      expect(
        (await back.room(speaking.handle, { request: 'configure', streams: [{ mid: '0', send: true }] })).configured,
      ).toBe('ok');
      await eventually(() => hears.texts().has('again')).toBe(true);
      await page.next('VIDEO_STATE', ({ contents }) =>
        contents.faces.some((face) => face.id === bori.id && !face.mutedByTherapist && face.audio),
      );
      // And one's own switch.
      expect(
        (await back.room(speaking.handle, { request: 'configure', streams: [{ mid: '0', send: false }] })).configured,
      ).toBe('ok');
      hears.forget();
      speaking.keepSaying('audio', 'silent');
      await eventually(() => hears.texts().has('seen')).toBe(true);
      expect(hears.texts().has('silent')).toBe(false);
      expect((await t.app.video.state(room)).faces).toContainEqual(
        expect.objectContaining({ id: bori.id, audio: false, mutedByTherapist: false }),
      );
    },
  );

  test.runIf(isThere)('5: a new description cannot evade a mute, whatever its streams are called', async () => {
    const [judit, client] = await connecting(therapist, bori);
    const speaking = await publishing(client!);
    await t.api(muteClients, { body: { clientIds: 'all' } }, { token: therapist.token });
    // The muted stream gets a new name, and a new stream gets the old one. A mute that is remembered by name would
    // fail.
    const second = speaking.addAudio();
    const { sdp } = await speaking.offer();
    const named = (text: string, mids: readonly string[]) => {
      let at = 0;
      return text.replace(/(?<=^a=mid:)\S+/gm, () => mids[at++]!).replace(/(?<=^a=group:BUNDLE ).*/gm, mids.join(' '));
    };
    const answer = await client!.room(
      speaking.handle,
      { request: 'configure' },
      { type: 'offer', sdp: named(sdp, ['9', '1', '0']) },
    );
    await speaking.pc.setRemoteDescription({ type: 'answer', sdp: named(answer.jsep!.sdp, ['0', '1', '2']) } as never);
    expect(answer.streams!.map(({ mid, type }) => [mid, type])).toEqual([
      ['9', 'audio'],
      ['1', 'video'],
      ['0', 'audio'],
    ]);
    const hears = await watching(judit!, [{ feed: bori.id }]);
    speaking.keepSaying('video', 'witness');
    speaking.keepSaying('audio', 'first');
    second('second');
    await eventually(() => hears.texts().has('witness')).toBe(true);
    hears.forget();
    await eventually(() => hears.count(hears.midOf('video'))).toBeGreaterThan(25);
    expect([...hears.texts()]).toEqual(['witness']);
    expect((await t.app.video.state(room)).faces).toContainEqual(
      expect.objectContaining({ id: bori.id, audio: false, video: true, mutedByTherapist: true }),
    );
    // Their own act ends it for all of it.
    await client!.room(speaking.handle, { request: 'configure', audio: true });
    await eventually(() => hears.texts().has('second')).toBe(true);
  });

  test.runIf(isThere)(
    '3: caps depend on the people who take part, the selected client, and the room’s switch',
    async () => {
      const caps = new Map<number, number>();
      const capped = async (person: { id: number; token: string }, options?: { firefox?: boolean }) => {
        const publisher = await publishing(await connected(person, options));
        publisher.onCap((bits) => void caps.set(person.id, bits));
        publisher.keepSaying('video', 'x');
      };
      const cap = (person: { id: number }, bits: number) => eventually(() => caps.get(person.id)).toBe(bits);
      await capped(therapist);
      await capped(bori, { firefox: true });
      await cap(therapist, 200_000);
      await cap(bori, 150_000);
      expect((await t.api(getVideoTicket, { body: {} }, { token: mihai.token })).bitrate).toBe(100_000);
      await capped(mihai);
      await cap(mihai, 100_000);
      await cap(bori, 75_000);
      await t.api(updateSelected, { body: { id: mihai.id, selected: true } }, { token: therapist.token });
      await cap(mihai, 200_000);
      await t.api(setVideoSettings, { body: { highQuality: true } }, { token: therapist.token });
      for (const person of [therapist, bori, mihai]) await cap(person, 1_200_000);
    },
  );

  // Janus asks publishers to keep to their cap and does not hold them to it.
  test.runIf(kind === 'embedded')(
    '3: a publisher far above the cap is told so, and shown without video while it lasts',
    async () => {
      const page = await screen(openClientScreen(t.url, mihai));
      const client = await connected(bori);
      const publisher = await publishing(client);
      const shows = (video: boolean) =>
        page.next('VIDEO_STATE', ({ contents }) =>
          contents.faces.some((face) => face.id === bori.id && face.video === video && face.audio),
        );
      await shows(true);
      const stops = Array.from({ length: 10 }, () => publisher.keepSaying('video', 'x'.repeat(1_000)));
      const held = await client.next('held back', ({ plugindata }) => Array.isArray(plugindata?.data.limited));
      expect(held.plugindata!.data).toMatchObject({ videoroom: 'event', room, limited: ['video'], bitrate: 200_000 });
      await shows(false);
      for (const stop of stops) stop();
      const heard = page.heard.length;
      await client.next(
        'passed on again',
        ({ plugindata }) => Array.isArray(plugindata?.data.limited) && plugindata.data.limited.length === 0,
      );
      await page.next(
        'VIDEO_STATE',
        ({ contents }) => contents.faces.some((face) => face.id === bori.id && face.video),
        heard - 1,
      );
    },
  );

  test.runIf(isThere)('talking is announced to the room', async () => {
    const page = await screen(openClientScreen(t.url, mihai));
    const speaking = await publishing(await connected(bori));
    const stop = speaking.talk();
    expect((await page.next('TALKING', ({ contents }) => contents.ids.length > 0)).contents.ids).toEqual([bori.id]);
    stop();
    await page.next(
      'TALKING',
      ({ contents }) => contents.ids.length === 0,
      page.heard.findIndex(({ change }) => change.eventType === 'TALKING' && change.contents.ids.length > 0),
    );
  });

  test.runIf(isThere)('when the engine dies, connections end, and people who reconnect have video', async () => {
    const [judit] = await connecting(therapist);
    await publishing(judit!);
    await killEngine();
    expect(await judit!.closed).toBe(1012);
    while (!(await t.app.video.stats()).ready) await turn();
    const again = await connected(therapist);
    const publisher = await publishing(again);
    const subscriber = await watching(await connected(bori), [{ feed: therapist.id }]);
    publisher.keepSaying('audio', 'back');
    await eventually(() => subscriber.texts().has('back')).toBe(true);
  });
});
