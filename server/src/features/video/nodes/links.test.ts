/** Links and orders between two nodes, over a bus that a test can cut. */
import { afterEach, expect, test, vi } from 'vitest';
import type { Bus, BusMessage } from '../../../platform/nodes/bus.ts';
import { createLinks, type Link, type LinkEnd } from './links.ts';
import type { Order } from './orders.ts';

const ROOM = 7;
type Handler = Parameters<Bus['subscribe']>[1];
type Links = ReturnType<typeof createLinks>;

/** Delivers at once; `loses` decides what is lost on the way although it was sent. */
function aNetwork() {
  const handlers = new Map<string, Handler>();
  const gaps: ((channel: string | null) => void)[] = [];
  const network = { loses: (_message: BusMessage) => false, isCut: false };
  const deliver = (channel: string, message: BusMessage) => {
    const handler = handlers.get(channel);
    if (handler === undefined) return false;
    if (!network.loses(message)) handler(message, channel);
    return true;
  };
  const bus = {
    subscribe(channel: string, handler: Handler) {
      handlers.set(channel, handler);
      return () => void handlers.delete(channel);
    },
    reach: async (channel: string, message: BusMessage) => !network.isCut && deliver(channel, message),
    tellOthers: (channel: string, message: BusMessage) => void deliver(channel, message),
    onGap: (listener: (channel: string | null) => void) => void gaps.push(listener),
  };
  return Object.assign(network, {
    bus,
    gap: (channel: string | null) => gaps.forEach((listener) => listener(channel)),
  });
}

interface End extends LinkEnd {
  readonly heard: unknown[];
}
function anEnd(): End {
  const heard: unknown[] = [];
  return { heard, frame: (text) => void heard.push(text), closed: (...why) => void heard.push(why) };
}

let made: Links[] = [];
afterEach(() => {
  made.forEach((links) => links.stop());
  made = [];
  vi.useRealTimers();
});

function twoNodes() {
  const network = aNetwork();
  const accepted: { link: Link; end: End; therapistId: number }[] = [];
  const orders: Order[] = [];
  const missed: (number | null)[] = [];
  const errors: string[] = [];
  const make = (node: string) => {
    const links = createLinks({
      bus: network.bus,
      node,
      accept(link, therapistId) {
        const end = anEnd();
        accepted.push({ link, end, therapistId });
        return end;
      },
      async carryOut(_, order) {
        orders.push(order);
        if (order.kind === 'ended') throw new Error('broken');
        return order.kind === 'mute' ? [21] : undefined;
      },
      missed: (therapistId) => missed.push(therapistId),
      log: { error: (_fields, message) => void errors.push(message) },
    });
    made.push(links);
    return links;
  };
  return { network, accepted, orders, missed, errors, near: make('near'), far: make('far') };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('frames are sent both ways in order, from the first on, and closing one end closes both', async () => {
  const { near, far, accepted } = twoNodes();
  const page = anEnd();
  const link = near.connect('far', ROOM, 'create', page);
  link.send('attach');
  const [{ link: back, end, therapistId }] = accepted as [(typeof accepted)[0]];
  back.send('success');
  back.send('event');
  expect([therapistId, end.heard, page.heard]).toEqual([ROOM, ['create', 'attach'], ['success', 'event']]);
  expect(link.waiting()).toBe('createattach'.length);
  await turn();
  expect(link.waiting()).toBe(0);
  back.close(1008, 'left the room');
  back.send('too late');
  link.send('too late');
  expect(page.heard.slice(2)).toEqual([[1008, 'left the room']]);
  expect([near.count(), far.count(), end.heard.length]).toEqual([0, 0, 2]);
});

test('a lost frame ends the link at both ends, in either direction', async () => {
  const { network, near, far, accepted } = twoNodes();
  for (const way of ['out', 'back'] as const) {
    const page = anEnd();
    const link = near.connect('far', ROOM, 'create', page);
    const { link: back, end } = accepted.at(-1)!;
    const sender = way === 'out' ? link : back;
    network.loses = ({ body }) => body === 'lost';
    sender.send('lost');
    sender.send('next');
    for (const one of [page, end]) expect(one.heard.at(-1)).toEqual([1012, 'connect again']);
    expect(JSON.stringify([page.heard, end.heard])).not.toContain('next');
    expect([near.count(), far.count()]).toEqual([0, 0]);
  }
});

test('a gap in messages ends links too, and names the orders that may be missing', () => {
  const { network, near, accepted, missed } = twoNodes();
  const page = anEnd();
  near.connect('far', ROOM, 'create', page);
  network.gap('stomp:/topic/elsewhere');
  expect([page.heard, missed]).toEqual([[], []]);
  network.gap(`video:${ROOM}`);
  expect([page.heard, missed]).toEqual([[], [ROOM, ROOM]]);
  network.gap('video-node:far');
  for (const one of [page, accepted[0]!.end]) expect(one.heard.at(-1)).toEqual([1012, 'connect again']);
  network.gap(null);
  expect(missed).toEqual([ROOM, ROOM, null, null]);
});

test('a node that cannot be reached, or has died, ends the links to it, even without traffic', async () => {
  vi.useFakeTimers();
  const { network, near } = twoNodes();
  const [page, other] = [anEnd(), anEnd()];
  near.connect('far', ROOM, 'create', page);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(page.heard).toEqual([]);
  near.lose(['somebody']);
  near.lose(['far']);
  expect(page.heard).toEqual([[1012, 'connect again']]);
  near.connect('far', ROOM, 'create', other);
  network.isCut = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(other.heard).toEqual([[1012, 'connect again']]);
  const late = anEnd();
  near.connect('far', ROOM, 'create', late);
  await vi.advanceTimersByTimeAsync(0);
  expect(late.heard).toEqual([[1012, 'connect again']]);
});

test('an order is answered by the node that receives it; without one, or with a fault or a lost answer, the result is null', async () => {
  vi.useFakeTimers();
  const { network, near, far, orders, errors } = twoNodes();
  const mute: Order = { kind: 'mute', clientIds: 'all' };
  expect(await near.ask(ROOM, mute)).toBeNull();
  const stopHearing = far.hear(ROOM);
  expect(await near.ask(ROOM, mute)).toEqual({ value: [21] });
  expect(await near.ask(ROOM, { kind: 'facts' })).toEqual({ value: null });
  expect(await near.ask(ROOM, { kind: 'ended' })).toBeNull();
  expect(errors).toHaveLength(1);
  near.tell(ROOM, { kind: 'people', gone: [3] });
  expect(orders.at(-1)).toEqual({ kind: 'people', gone: [3] });
  network.loses = () => true;
  const asked = near.ask(ROOM, mute);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await asked).toBeNull();
  stopHearing();
  expect(await near.ask(ROOM, mute)).toBeNull();
});
