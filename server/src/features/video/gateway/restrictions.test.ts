/**
 * When the engine is told what the server decides, with an engine that only listens. Numbers are those of ../README.md.
 */
import { DEFAULT_VIDEO_SETTINGS } from '@fieldroom/contract/video';
import { describe, expect, test } from 'vitest';
import type { EngineReply, EngineRequest, Jsep } from '../video.types.ts';
import { createRoomRequests } from './room-requests.ts';
import { createRooms, type Handle, type MemberSession } from './rooms.ts';

const THERAPIST = 7;
const OFFER: Jsep = { type: 'offer', sdp: 'v=0' };
const PUBLICATION = {
  streams: [
    { mid: '0', mindex: 0, type: 'audio' as const },
    { mid: '1', mindex: 1, type: 'video' as const },
    { mid: '2', mindex: 2, type: 'audio' as const, disabled: true },
  ],
};

function aRoom() {
  const warnings: string[] = [];
  const rooms = createRooms({
    changed: () => {},
    talkingChanged: () => {},
    started: () => {},
    log: { warn: (_fields, message) => warnings.push(message) },
  });
  const room = rooms.open(THERAPIST, { settings: DEFAULT_VIDEO_SETTINGS, stage: null, selected: null });
  const requests = createRoomRequests(rooms);

  /** A handle of somebody's, and what the engine is told about it. */
  function aHandle(personId: number) {
    const told: EngineRequest[] = [];
    const hungUp: number[] = [];
    let meanwhile: () => unknown = () => {};
    let refuses = false;
    const engine = {
      async request(_handle: number, request: EngineRequest, jsep?: Jsep): Promise<EngineReply> {
        told.push(request);
        await Promise.resolve();
        meanwhile();
        meanwhile = () => {};
        if (refuses) return { kind: 'refused', code: 499, message: 'no' };
        if (request.kind === 'joinPublisher') return { kind: 'joined', id: personId, publishers: [] };
        if (request.kind === 'joinSubscriber') return { kind: 'attached', streams: [] };
        return { kind: 'configured', ...(jsep && { publication: PUBLICATION }) };
      },
      hangup: async (handle: number) => void hungUp.push(handle),
    } as unknown as MemberSession['engine'];
    const as = personId === THERAPIST ? 'therapist' : 'client';
    const session: MemberSession = {
      member: { as, therapistId: THERAPIST, personId, firefox: false, signIn: null },
      engine,
      handles: new Map(),
    };
    let tail: Promise<unknown> = Promise.resolve();
    const handle: Handle = {
      session,
      inner: 1,
      kind: null,
      gone: false,
      hasLeft: false,
      publishes: null,
      limited: new Set(),
      enforcing: null,
      inTurn<T>(work: () => Promise<T>): Promise<T> {
        const turn = tail.then(work);
        tail = turn.catch(() => {});
        return turn;
      },
      evict: async () => {},
    };
    session.handles.set(1, handle);
    rooms.enter(session);
    const ask: typeof requests.ask = (...args) => handle.inTurn(() => requests.ask(...args));
    return {
      handle,
      hungUp,
      told: () => told.splice(0),
      during: (work: () => unknown) => void (meanwhile = work),
      refuse: () => void (refuses = true),
      switches: (mid: string, send: boolean) =>
        ask(
          handle,
          {
            kind: 'configurePublisher',
            streams: [{ mid, send }],
            audio: undefined,
            video: undefined,
            keyframe: undefined,
            restart: undefined,
            update: undefined,
          },
          undefined,
        ),
      async publishes() {
        await ask(handle, { kind: 'joinPublisher' }, undefined);
        await ask(handle, { kind: 'publish' }, OFFER);
      },
      describesAgain: () => ask(handle, { kind: 'publish' }, OFFER),
      subscribes: () =>
        ask(
          handle,
          { kind: 'joinSubscriber', streams: [{ publisherId: THERAPIST }], useMsid: undefined, autoUpdate: undefined },
          undefined,
        ),
      /** Resolves when everything that was asked is done. */
      idle: () => handle.inTurn(async () => {}),
    };
  }
  return { rooms, room, aHandle, warnings };
}
const LOUD = { audio: false, mids: [] };

describe('3, 5: publishers', () => {
  test('get the decisions with the description, and later only changes that concern them', async () => {
    const { room, rooms, aHandle } = aRoom();
    const [judit, bori, mihai, dora] = [aHandle(THERAPIST), aHandle(8), aHandle(9), aHandle(10)];
    await judit.publishes();
    await bori.publishes();
    expect(bori.told().at(-1)).toEqual({ kind: 'publish', bitrate: 200_000, silent: LOUD });
    judit.told();
    await mihai.publishes();
    await bori.idle();
    expect(bori.told()).toEqual([{ kind: 'configurePublisher', bitrate: 100_000, silent: LOUD }]);
    // The third client does not change anybody's cap.
    await dora.publishes();
    await Promise.all([bori, mihai, judit].map((one) => one.idle()));
    expect([judit.told(), bori.told(), mihai.told().length]).toEqual([[], [], 2]);
    await rooms.applyPeople(THERAPIST, { selected: 9 }).settled;
    expect([bori.told(), mihai.told()]).toEqual([[], [{ kind: 'configurePublisher', bitrate: 200_000, silent: LOUD }]]);
    expect(room.publishers.size).toBe(4);
  });

  test('are muted before the page has its answer if the mute arrives during a description', async () => {
    const { rooms, aHandle } = aRoom();
    const bori = aHandle(8);
    await bori.publishes();
    await rooms.mute(THERAPIST, 'all');
    expect(bori.told().at(-1)).toMatchObject({ silent: { audio: true, mids: [] } });
    await bori.switches('0', true);
    bori.told();
    bori.during(() => void rooms.mute(THERAPIST, [8]));
    const answered = bori.describesAgain().then(() => bori.told().at(-1));
    expect(await answered).toMatchObject({ kind: 'configurePublisher', silent: { audio: true, mids: [] } });
  });

  test('have their own switches and the mute sent as one; streams that are not received have no switch', async () => {
    const { rooms, aHandle } = aRoom();
    const bori = aHandle(8);
    await bori.publishes();
    await bori.switches('1', false);
    await rooms.mute(THERAPIST, [8]);
    expect(bori.told().at(-1)).toMatchObject({ silent: { audio: true, mids: ['1'] } });
    await bori.switches('0', true);
    expect(bori.told().at(-1)).toMatchObject({ silent: { audio: false, mids: ['1'] } });
    await expect(bori.switches('2', false)).rejects.toMatchObject({ code: 430 });
  });
});

describe('6: subscribers', () => {
  test('get the allowed videos with the join and with the setting; the therapist may have all', async () => {
    const { rooms, aHandle } = aRoom();
    const [judit, bori] = [aHandle(THERAPIST), aHandle(8)];
    await Promise.all([judit.subscribes(), bori.subscribes()]);
    expect([judit.told()[0], bori.told()[0]]).toMatchObject([{ videoFrom: 'everybody' }, { videoFrom: 'everybody' }]);
    await rooms.applySettings(THERAPIST, { ...DEFAULT_VIDEO_SETTINGS, clientsVisible: false }).settled;
    expect([judit.told(), bori.told()]).toEqual([
      [],
      [{ kind: 'configureSubscriber', streams: [], videoFrom: [THERAPIST, 8] }],
    ]);
  });

  test('are also restricted if clients are hidden during their join', async () => {
    const { rooms, aHandle } = aRoom();
    const bori = aHandle(8);
    bori.during(() => rooms.applySettings(THERAPIST, { ...DEFAULT_VIDEO_SETTINGS, clientsVisible: false }));
    await bori.subscribes();
    expect(bori.told().map((request) => 'videoFrom' in request && request.videoFrom)).toEqual([
      'everybody',
      [THERAPIST, 8],
    ]);
  });
});

describe('14: the stage', () => {
  test('allows a client only the video of people on it, with "only the stage"; the therapist everybody’s', async () => {
    const { rooms, aHandle } = aRoom();
    const [judit, bori, mihai] = [aHandle(THERAPIST), aHandle(8), aHandle(9)];
    await Promise.all([judit.subscribes(), bori.subscribes(), mihai.subscribes()]);
    for (const one of [judit, bori, mihai]) one.told();
    const allowed = (handle: typeof bori) =>
      handle.told().map((request) => 'videoFrom' in request && request.videoFrom);

    await rooms.applyPeople(THERAPIST, { stage: [9] }).settled;
    expect([bori, mihai].map(allowed)).toEqual([[], []]);
    await rooms.applySettings(THERAPIST, { ...DEFAULT_VIDEO_SETTINGS, stageOnly: true }).settled;
    expect([bori, mihai].map(allowed)).toEqual([[[THERAPIST, 8, 9]], [[THERAPIST, 9]]]);
    // Somebody who leaves the stage shows nobody to more people.
    await rooms.applyPeople(THERAPIST, { stage: [] }).settled;
    expect([bori, mihai].map(allowed)).toEqual([[[THERAPIST, 8]], []]);
    await rooms.applyPeople(THERAPIST, { stage: null }).settled;
    expect([judit, bori, mihai].map(allowed)).toEqual([[], ['everybody'], ['everybody']]);
  });

  test('is overridden by hiding the clients', async () => {
    const { rooms, aHandle } = aRoom();
    const bori = aHandle(8);
    await rooms.applyPeople(THERAPIST, { stage: [9] }).settled;
    await rooms.applySettings(THERAPIST, { ...DEFAULT_VIDEO_SETTINGS, stageOnly: true, clientsVisible: false }).settled;
    await bori.subscribes();
    expect(bori.told()[0]).toMatchObject({ videoFrom: [THERAPIST, 8] });
  });
});

test('8: the connection is hung up when the engine does not comply', async () => {
  const { rooms, aHandle, warnings } = aRoom();
  const bori = aHandle(8);
  await bori.publishes();
  bori.refuse();
  await rooms.mute(THERAPIST, 'all');
  expect([bori.hungUp, warnings.length]).toEqual([[1], 1]);
});
