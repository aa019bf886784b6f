// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import {
  fromBase64Url,
  handOver,
  keepKey,
  keptKey,
  keyFragment,
  newHandKeys,
  newRoomKey,
  safetyCode,
  takeOver,
  toBase64Url,
} from './keyExchange.ts';
import { holdLinkKey, seatLinkKey } from '../../links/linkKey.ts';

const IDS = { therapistId: 7, clientId: 9 };
beforeEach(() => sessionStorage.clear());

describe('giving the key to a client', () => {
  test('gives the client the therapist’s key, in messages that the contract accepts', async () => {
    const key = newRoomKey(null);
    const client = await newHandKeys();
    const message = (await handOver(client.publicKey, IDS, key))!;
    expect(message.publicKey).toMatch(/^[\w-]{1,128}$/);
    expect(message.sealed).toMatch(/^[\w-]{1,256}$/);
    expect(await takeOver(client, IDS, message)).toEqual(key);
  });
  test('fits no one else: other keys, other ids, another generation, changed bytes', async () => {
    const client = await newHandKeys();
    const message = (await handOver(client.publicKey, IDS, newRoomKey(null)))!;
    const bytes = fromBase64Url(message.sealed)!;
    bytes[20]! ^= 1;
    expect(await takeOver(await newHandKeys(), IDS, message)).toBeNull();
    expect(await takeOver(client, { ...IDS, clientId: 10 }, message)).toBeNull();
    expect(await takeOver(client, { ...IDS, therapistId: 8 }, message)).toBeNull();
    expect(await takeOver(client, IDS, { ...message, generation: message.generation + 1 })).toBeNull();
    expect(await takeOver(client, IDS, { ...message, sealed: toBase64Url(bytes) })).toBeNull();
    expect(await takeOver(client, IDS, { ...message, publicKey: (await newHandKeys()).publicKey })).toBeNull();
  });
  test.each(['', '!', 'AAAA', toBase64Url(new Uint8Array(65).fill(4))])(
    'refuses a public key that is %s',
    async (publicKey) => expect(await handOver(publicKey, IDS, newRoomKey(null))).toBeNull(),
  );
  test('the private key can’t be read', async () => {
    const { pair } = await newHandKeys();
    await expect(crypto.subtle.exportKey('pkcs8', pair.privateKey)).rejects.toThrow();
  });
});

test('each new key differs and has the next generation', () => {
  const first = newRoomKey(null);
  const second = newRoomKey(first);
  expect(second.generation).toBe(first.generation + 1);
  expect(second.key).not.toEqual(first.key);
  expect(newRoomKey({ ...first, generation: 999_999 }).generation).toBe(0);
});

test('the code to compare is equal only for the same key', async () => {
  const key = { generation: 3, key: new Uint8Array(16).fill(1) };
  expect(await safetyCode(key)).toMatch(/^\d{4} \d{4} \d{4}$/);
  expect(await safetyCode({ ...key, key: key.key.slice() })).toBe(await safetyCode(key));
  expect(await safetyCode({ generation: 3, key: new Uint8Array(16).fill(2) })).not.toBe(await safetyCode(key));
});

describe('where the key is kept', () => {
  test('only in this tab, for its room', () => {
    const key = newRoomKey(null);
    keepKey(7, key);
    expect(keptKey(7)).toEqual(key);
    expect(keptKey(8)).toBeNull();
    expect(Object.keys(localStorage)).toEqual([]);
    keepKey(7, null);
    expect(keptKey(7)).toBeNull();
  });
  test('a link carries it behind its #, and the join page leaves it for the room', () => {
    const key = newRoomKey(null);
    window.history.replaceState(null, '', `/user/join/anna?x=1#part=2&${keyFragment(key)}`);
    holdLinkKey('anna');
    expect(window.location.href).toMatch(/\/user\/join\/anna\?x=1#part=2$/);
    expect(keptKey(7)).toBeNull();
    seatLinkKey({ id: 7, joinLink: 'anna' });
    expect(keptKey(7)).toEqual(key);
    expect(Object.keys(localStorage)).toEqual([]);
  });
  test('a key from another room’s link decrypts nothing here', () => {
    window.history.replaceState(null, '', `/user/join/bela#${keyFragment(newRoomKey(null))}`);
    holdLinkKey('bela');
    seatLinkKey({ id: 7, joinLink: 'anna' });
    expect([keptKey(7), Object.keys(sessionStorage)]).toEqual([null, []]);
  });
  test.each([
    '',
    '#',
    '#k=',
    '#k=1',
    '#k=1.AAAA',
    '#k=x.AAAAAAAAAAAAAAAAAAAAAA',
    '#k=99999999.AAAAAAAAAAAAAAAAAAAAAA',
    '#k=9999999.AAAAAAAAAAAAAAAAAAAAAA',
  ])('no key is read from %s', (hash) => {
    window.history.replaceState(null, '', `/user/join/anna${hash}`);
    holdLinkKey('anna');
    seatLinkKey({ id: 7, joinLink: 'anna' });
    expect([keptKey(7), window.location.hash.includes('k=')]).toEqual([null, false]);
  });
});
