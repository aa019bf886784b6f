/** What the gateway knows of a room, without sockets and engine. Numbers are those of ../README.md. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_VIDEO_SETTINGS, OFFER_KEPT_SECONDS } from '@fieldroom/contract/video';
import { createRooms, type HandedOver, type Handle, type MemberSession } from './rooms.ts';

const THERAPIST = 7;
const STREAMS = [
  { mid: '0', mindex: 0, type: 'audio' as const },
  { mid: '1', mindex: 1, type: 'video' as const },
];

function aRoom(before: HandedOver | null = null) {
  const at = { ms: 1_000_000 };
  let offers = 0;
  const rooms = createRooms({
    changed: () => {},
    talkingChanged: () => {},
    started: () => void offers++,
    now: () => at.ms,
    log: { warn: (fields) => expect.unreachable(JSON.stringify(fields)) },
  });
  rooms.open(THERAPIST, { settings: DEFAULT_VIDEO_SETTINGS, stage: null, selected: null }, before);
  const engine = { request: async () => ({ kind: 'configured' }) } as unknown as MemberSession['engine'];

  /** A connection with a handle that has joined as publisher. */
  async function joined(personId: number): Promise<Handle> {
    const as = personId === THERAPIST ? 'therapist' : 'client';
    const session: MemberSession = {
      member: { as, therapistId: THERAPIST, personId, firefox: false, signIn: null },
      engine,
      handles: new Map(),
    };
    const handle: Handle = {
      session,
      inner: 1,
      kind: null,
      gone: false,
      hasLeft: false,
      publishes: null,
      limited: new Set(),
      enforcing: null,
      inTurn: (work) => work(),
      evict: async () => {},
    };
    session.handles.set(1, handle);
    rooms.enter(session);
    await rooms.joinPublisher(handle, async () => true);
    return handle;
  }
  return {
    rooms,
    joined,
    offers: () => offers,
    wait: (seconds: number) => void (at.ms += seconds * 1000),
    async publishes(personId: number): Promise<Handle> {
      const handle = await joined(personId);
      rooms.published(handle, STREAMS);
      return handle;
    },
  };
}

describe('12: START_VIDEO is sent once per offer', () => {
  test('not again when the video is published again, nor when a connection returns', async () => {
    const { rooms, publishes, offers, wait } = aRoom();
    const first = await publishes(THERAPIST);
    rooms.unpublished(first);
    wait(OFFER_KEPT_SECONDS - 1);
    rooms.published(first, STREAMS);
    expect(offers()).toBe(1);
    wait(3600);
    rooms.gone(first.session);
    wait(OFFER_KEPT_SECONDS - 1);
    await publishes(THERAPIST);
    expect(offers()).toBe(1);
  });

  test('again when nothing arrived for too long', async () => {
    const { rooms, publishes, offers, wait } = aRoom();
    rooms.gone((await publishes(THERAPIST)).session);
    wait(OFFER_KEPT_SECONDS);
    const second = await publishes(THERAPIST);
    expect(offers()).toBe(2);
    rooms.unpublished(second);
    wait(OFFER_KEPT_SECONDS);
    rooms.published(second, STREAMS);
    expect(offers()).toBe(3);
  });

  test('again at once after leaving; clients offer nothing', async () => {
    const { rooms, publishes, offers } = aRoom();
    const first = await publishes(THERAPIST);
    rooms.unpublished(first);
    rooms.tookLeave(first);
    await publishes(THERAPIST);
    expect(offers()).toBe(2);
    const client = await publishes(8);
    rooms.tookLeave(client);
    await publishes(8);
    expect(offers()).toBe(2);
  });
});

test('media flow while somebody sends something that is not switched off', async () => {
  const { rooms, publishes, joined } = aRoom();
  const flow = () => rooms.mediaFlow(THERAPIST);
  expect([rooms.mediaFlow(8), flow()]).toEqual([false, false]);
  await joined(9);
  expect(flow()).toBe(false);
  const handle = await publishes(THERAPIST);
  expect(flow()).toBe(true);
  rooms.switched(handle, [
    { mid: '0', send: false },
    { mid: '1', send: false },
  ]);
  expect(flow()).toBe(false);
  rooms.switched(handle, [{ mid: '0', send: true }]);
  expect(flow()).toBe(true);
  rooms.unpublished(handle);
  expect(flow()).toBe(false);
});

describe('15: the state that one node passes to the next', () => {
  test('includes a muted person, until they turn their microphone on', async () => {
    const before = aRoom();
    await before.publishes(8);
    await before.rooms.mute(THERAPIST, 'all');
    const handed = before.rooms.toHandOver(THERAPIST);
    expect(handed).toEqual({ flows: true, muted: [8], offered: false });
    const { rooms, publishes } = aRoom(handed);
    const handle = await publishes(8);
    expect(rooms.publisherRestrictions(handle)!.silent.audio).toBe(true);
    rooms.switched(handle, [{ mid: '0', send: true }]);
    expect(rooms.toHandOver(THERAPIST)!.muted).toEqual([]);
    expect(rooms.toHandOver(8)).toBeNull();
  });

  test('includes the offer, for as long as a lost connection keeps it', async () => {
    const before = aRoom();
    const offered = () => before.rooms.toHandOver(THERAPIST)!.offered;
    const handle = await before.publishes(THERAPIST);
    const handed = before.rooms.toHandOver(THERAPIST);
    before.rooms.gone(handle.session);
    before.wait(OFFER_KEPT_SECONDS - 1);
    expect(offered()).toBe(true);
    before.wait(1);
    expect(offered()).toBe(false);
    const [soon, late] = [aRoom(handed), aRoom(handed)];
    soon.wait(OFFER_KEPT_SECONDS - 1);
    late.wait(OFFER_KEPT_SECONDS);
    for (const { publishes } of [soon, late]) await publishes(THERAPIST);
    expect([soon.offers(), late.offers()]).toEqual([0, 1]);
  });
});
