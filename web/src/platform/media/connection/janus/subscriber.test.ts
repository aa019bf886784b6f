/**
 * The subscriber against a server that has one offer out at a time, as the plugin does: requests made in between are
 * noted and answered with one more offer.
 */
import { expect, test, vi } from 'vitest';
import type { RoomData } from './publisherList.ts';
import type { HandleEvents, Jsep, Plugin, Session } from './janusSession.ts';

// The client's file is made for browsers only; nothing of it is used here.
vi.mock('janus-gateway', () => ({ default: {} }));
const { createSubscriber } = await import('./subscriber.ts');

interface Name {
  feed: number;
  mid: string;
}
const OFFER: Jsep = { type: 'offer', sdp: 'v=0' };
const voice = (feed: number) => ({ feed, mid: '0', type: 'audio' as const });

/** A server and the connection to it: one request after the other, as `janusSession.ts` sends them; every reply comes
 * at once. */
function aServer() {
  const streams: (Name | null)[] = [];
  const asked: string[] = [];
  const at = {
    out: false,
    noted: false,
    offers: 0,
    beforeUpdate: () => undefined as void,
    beforePromised: () => undefined as void,
  };
  let events: HandleEvents | null = null;
  let waiting: {
    until: (data: RoomData) => boolean;
    done: (answer: { data: RoomData; jsep: Jsep | undefined }) => void;
  } | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  const say = (data: RoomData, jsep?: Jsep) => {
    if (waiting?.until(data)) waiting.done({ data, jsep });
    events!.message(data, jsep);
  };
  const list = () =>
    streams.map((name, index) => ({
      mid: String(index),
      type: 'audio',
      active: name !== null,
      ...(name ? { feed_id: name.feed, feed_mid: name.mid } : {}),
    }));
  const offer = (videoroom: 'attached' | 'updated') => {
    at.out = true;
    at.offers += 1;
    say({ videoroom, streams: list() } as RoomData, OFFER);
  };
  const changed = () => {
    if (at.out) at.noted = true;
    else offer('updated');
  };
  const add = (names: readonly Name[]) => {
    // Like the plugin: somebody who is requested twice arrives twice.
    for (const name of names) {
      const free = streams.indexOf(null);
      if (free < 0) streams.push(name);
      else streams[free] = name;
    }
  };
  const server = {
    at,
    asked,
    heard: () => streams.filter((name) => name !== null).map(({ feed }) => feed),
    /** Somebody stops sending: the server removes the streams by an offer that nobody requested. */
    ends(feed: number) {
      streams.forEach((name, index) => {
        if (name?.feed === feed) streams[index] = null;
      });
      changed();
    },
  };
  const take = (body: { request: string; streams?: Name[]; subscribe?: Name[]; unsubscribe?: Name[] }) => {
    asked.push(body.request);
    if (body.request === 'join') {
      add(body.streams ?? []);
      offer('attached');
    } else if (body.request === 'update') {
      at.beforeUpdate();
      at.beforeUpdate = () => undefined;
      for (const { feed } of body.unsubscribe ?? [])
        streams.forEach((name, index) => {
          if (name?.feed === feed) streams[index] = null;
        });
      add(body.subscribe ?? []);
      if (at.out) {
        at.noted = true;
        say({ videoroom: 'updating' } as RoomData);
      } else offer('updated');
    } else if (body.request === 'start') {
      at.out = false;
      say({ started: 'ok' } as RoomData);
      if (!at.noted) return;
      at.noted = false;
      // In its own message.
      setTimeout(() => {
        at.beforePromised();
        setTimeout(() => offer('updated'));
      });
    }
  };
  const plugin = {
    handle: { webrtcStuff: { pc: null }, hangup: () => undefined },
    ask(body: { request: string }, { until = () => true }: { until?: (data: RoomData) => boolean } = {}) {
      const mine = queue.then(
        () =>
          new Promise((done) => {
            waiting = {
              until,
              done: (answer) => {
                waiting = null;
                done(answer);
              },
            };
            take(body);
          }),
      );
      queue = mine;
      return mine;
    },
    answer: () => Promise.resolve({ type: 'answer', sdp: 'v=0' } as Jsep),
    detach: () => undefined,
  } as unknown as Plugin;
  const session = {
    attach: (_: string, given: HandleEvents) => {
      events = given;
      return Promise.resolve(plugin);
    },
  } as unknown as Session;
  return { server, session };
}

function aSubscriber(streamsChanged: () => void = () => undefined) {
  const { server, session } = aServer();
  const lost = vi.fn<() => void>();
  const subscriber = createSubscriber({
    session,
    me: { id: 9 },
    room: 1,
    msid: false,
    encryption: null,
    events: { streams: () => streamsChanged(), layers: () => undefined, ice: () => undefined, lost },
  });
  const arrives = async (...publishers: number[]) => {
    await vi.waitFor(() =>
      expect([
        server.heard().toSorted(),
        subscriber
          .arriving()
          .map(({ feed }) => feed)
          .toSorted(),
        server.at.out,
      ]).toEqual([publishers, publishers, false]),
    );
    expect(lost).not.toHaveBeenCalled();
  };
  return { server, subscriber, arrives };
}

test('an unrequested offer is answered before the next request, even if it makes the page want other streams', async () => {
  let again: () => void = () => undefined;
  const { server, subscriber, arrives } = aSubscriber(() => again());
  subscriber.want([voice(2), voice(3)]);
  await arrives(2, 3);
  // The other person starts again at once: the page wants the new audio as soon as it learns that the old one has
  // ended.
  again = () => {
    again = () => undefined;
    subscriber.want([voice(2), voice(4)]);
  };
  server.ends(3);
  await arrives(2, 4);
  expect(server.asked).toEqual(['join', 'start', 'start', 'update', 'start']);
});

test('a request that meets an offer ends with "updating": the offer is answered, and the requested streams come once', async () => {
  const { server, subscriber, arrives } = aSubscriber();
  subscriber.want([voice(2), voice(3)]);
  await arrives(2, 3);
  server.at.beforeUpdate = () => {
    server.ends(3);
    subscriber.want([voice(2), voice(4)]);
  };
  // Requested once more while it is still pending.
  server.at.beforePromised = () => subscriber.want([voice(2), voice(4)]);
  subscriber.want([voice(2), voice(3), voice(4)]);
  await arrives(2, 4);
  expect(server.asked).toEqual(['join', 'start', 'update', 'start', 'start']);
  expect(server.at.offers).toBe(3);
});
