// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createKeyring, type Keyring } from './keyring.ts';
import { handOver, keptKey, newRoomKey } from './keyExchange.ts';
import type { MediaHost } from '../mediaTypes.ts';
import type { RoomKey } from './encodedTransform.ts';

const THERAPIST = 7;
type Message = Parameters<MediaHost['sendKey']>[0];

/** The server's part: passes messages on to one person, as the room's connection does. */
function createRelay() {
  const listeners = new Map<number, Set<Parameters<MediaHost['onKey']>[0]>>();
  const passed: (Message & { from: number })[] = [];
  const rings: Keyring[] = [];
  return {
    passed,
    drop: () => rings.splice(0).forEach((ring) => ring.close()),
    person(id: number) {
      const heard: { key: RoomKey; sending: boolean }[] = [];
      const ring = createKeyring(
        {
          me: { id, as: id === THERAPIST ? 'therapist' : 'client' },
          therapistId: THERAPIST,
          sendKey(message) {
            passed.push({ ...message, from: id });
            const { to, ...rest } = message;
            for (const listener of listeners.get(to) ?? []) listener({ ...rest, from: id });
          },
          onKey(listener) {
            listeners.set(id, (listeners.get(id) ?? new Set()).add(listener));
            return () => void listeners.get(id)?.delete(listener);
          },
        } as MediaHost,
        (key, sending) => heard.push({ key, sending }),
      );
      rings.push(ring);
      // Each person has their own browser.
      const begin = () => (sessionStorage.clear(), ring.begin());
      return {
        ...ring,
        begin,
        heard,
        say: (message: Parameters<Parameters<MediaHost['onKey']>[0]>[0]) =>
          listeners.get(id)?.forEach((listener) => listener(message)),
      };
    },
  };
}
let relay: ReturnType<typeof createRelay>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  relay = createRelay();
});
afterEach(() => {
  relay.drop();
  vi.useRealTimers();
  sessionStorage.clear();
});

test('a client requests and gets the key that the therapist’s browser made', async () => {
  const [therapist, client] = [relay.person(THERAPIST), relay.person(9)];
  therapist.begin();
  client.begin();
  await vi.waitFor(() => expect(client.current()).toEqual(therapist.current()));
  expect(client.heard).toEqual([{ key: therapist.current(), sending: true }]);
  expect(
    relay.passed.some((message) =>
      JSON.stringify(message).includes(btoa(String.fromCharCode(...therapist.current()!.key)).replaceAll('=', '')),
    ),
  ).toBe(false);
});

test('a client who asked before there was a key keeps asking and gets it once it exists', async () => {
  const client = relay.person(9);
  client.begin();
  await vi.waitFor(() => expect(relay.passed).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(3_000);
  await vi.waitFor(() => expect(relay.passed).toHaveLength(2));
  const therapist = relay.person(THERAPIST);
  await vi.advanceTimersByTimeAsync(3_000);
  therapist.begin();
  await vi.waitFor(() => expect(client.current()).toEqual(therapist.current()));
});

test('a removed person gets no new key; everybody else encrypts with it a moment later', async () => {
  const [therapist, stays, goes] = [relay.person(THERAPIST), relay.person(9), relay.person(10)];
  for (const person of [therapist, stays, goes]) person.begin();
  await vi.waitFor(() => expect([stays.current(), goes.current()]).toEqual([therapist.current(), therapist.current()]));
  const before = therapist.current()!;
  therapist.renew([10]);
  await vi.waitFor(() => expect(stays.current()).toEqual(therapist.current()));
  expect(therapist.current()?.generation).toBe(before.generation + 1);
  expect(goes.current()).toEqual(before);
  expect(stays.heard.at(-1)).toMatchObject({ sending: false });
  await vi.advanceTimersByTimeAsync(800);
  expect(stays.heard.at(-1)).toEqual({ key: therapist.current(), sending: true });
  expect(therapist.heard.at(-1)).toEqual({ key: therapist.current(), sending: true });
});

test('only a key from the therapist counts, and only an answer to this client', async () => {
  const [therapist, client, other] = [relay.person(THERAPIST), relay.person(9), relay.person(10)];
  therapist.begin();
  other.begin();
  await vi.waitFor(() => expect(other.current()).not.toBeNull());
  const forOther = relay.passed.find(({ to }) => to === 10)!;
  client.begin();
  client.say({ ...forOther, from: THERAPIST });
  client.say({ ...forOther, from: 10 });
  await vi.waitFor(() => expect(client.current()).toEqual(therapist.current()));
  expect(client.heard).toHaveLength(1);
  // Somebody else can make a message that would decrypt, but may not give keys.
  const asked = relay.passed.find(({ from }) => from === 9)!;
  const made = () => handOver(asked.publicKey, { therapistId: THERAPIST, clientId: 9 }, newRoomKey(null));
  const [foreign, real] = [(await made())!, (await made())!];
  client.say({ ...foreign, from: 10 });
  client.say({ ...real, from: THERAPIST });
  await vi.waitFor(() => expect(client.current()?.generation).toBe(real.generation));
  expect(client.heard.map(({ key }) => key.generation)).toEqual([therapist.current()?.generation, real.generation]);
});

test('somebody removed while the therapist takes no part cannot decrypt what follows', async () => {
  const [therapist, goes] = [relay.person(THERAPIST), relay.person(10)];
  for (const person of [therapist, goes]) person.begin();
  await vi.waitFor(() => expect(goes.current()).toEqual(therapist.current()));
  therapist.rest();
  therapist.renew([10]);
  expect(keptKey(THERAPIST)).toBeNull();
  therapist.begin();
  expect(therapist.current()!.key).not.toEqual(goes.current()!.key);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(relay.passed.filter(({ to }) => to === 10)).toHaveLength(1);
});

test('a key made for a client before the renewal does not arrive after the new one', async () => {
  const [therapist, client] = [relay.person(THERAPIST), relay.person(9)];
  therapist.begin();
  client.begin();
  await vi.waitFor(() => expect(client.current()).toEqual(therapist.current()));
  const { publicKey } = relay.passed.find(({ from }) => from === 9)!;
  await vi.advanceTimersByTimeAsync(1_000);
  const before = therapist.current()!;
  // The answer to this is on its way when somebody else is removed.
  therapist.say({ from: 9, publicKey });
  therapist.renew([10]);
  await vi.waitFor(() => expect(client.current()).toEqual(therapist.current()));
  const given = relay.passed.filter(({ to }) => to === 9).map(({ generation }) => generation);
  expect(given).toEqual([before.generation, therapist.current()!.generation]);
});

test('of two windows of the therapist only the one that takes part gives out its key', async () => {
  const [first, second, client] = [relay.person(THERAPIST), relay.person(THERAPIST), relay.person(9)];
  first.begin();
  client.begin();
  await vi.waitFor(() => expect(client.current()).toEqual(first.current()));
  first.rest();
  second.begin();
  await vi.advanceTimersByTimeAsync(3_000);
  client.lacking();
  await vi.waitFor(() => expect(client.current()).toEqual(second.current()));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(client.current()!.key).not.toEqual(first.current()!.key);
});

test('a client that leaves the video stops asking, and asks again when it comes back', async () => {
  const client = relay.person(9);
  client.begin();
  await vi.waitFor(() => expect(relay.passed).toHaveLength(1));
  client.rest();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(relay.passed).toHaveLength(1);
  client.begin();
  await vi.waitFor(() => expect(relay.passed).toHaveLength(2));
});

test('frequent requests get one answer a second, for the newest public key', async () => {
  const therapist = relay.person(THERAPIST);
  therapist.begin();
  const client = relay.person(9);
  client.begin();
  await vi.waitFor(() => expect(client.current()).not.toBeNull());
  const asked = relay.passed.find(({ from }) => from === 9)!;
  for (let count = 0; count < 20; count += 1) therapist.say({ from: 9, publicKey: asked.publicKey });
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(relay.passed.filter(({ to }) => to === 9)).toHaveLength(2));
});

test('a client that can’t decrypt frames asks again, but not all the time', async () => {
  const client = relay.person(9);
  relay.person(THERAPIST).begin();
  client.begin();
  await vi.waitFor(() => expect(client.current()).not.toBeNull());
  const asked = () => relay.passed.filter(({ from }) => from === 9).length;
  expect(asked()).toBe(1);
  client.lacking();
  expect(asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(3_000);
  client.lacking();
  client.lacking();
  await vi.waitFor(() => expect(asked()).toBe(2));
});
