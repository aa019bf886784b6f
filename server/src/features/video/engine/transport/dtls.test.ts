/**
 * The handshake without a network: rule 29 of the README. Datagrams go from side to side, and a test may change them.
 */
import { beforeAll, expect, test } from 'vitest';
import { clientProvesKey, serverProvesKey } from './dtls.proof.ts';
import { createCertificate, createDtls, type Certificate, type Dtls, type DtlsOptions, type Keys } from './dtls.ts';

/** Types of messages in a datagram of the handshake: byte 13, after the header of the record. */
const HELLO_VERIFY_REQUEST = 3;
const CERTIFICATE = 11;
const SERVER_KEY_EXCHANGE = 12;
const SERVER_HELLO_DONE = 14;
const CERTIFICATE_VERIFY = 15;
const CLIENT_KEY_EXCHANGE = 16;
const HANDSHAKE_RECORD = 22;
const typeOf = (data: Buffer) => (data[0] === HANDSHAKE_RECORD ? data[13] : undefined);

let certificate: Certificate;
let other: Certificate;
beforeAll(async () => {
  certificate = await createCertificate();
  // The library makes one certificate in a thread; another one comes from a copy of it.
  other = await anotherCertificate();
});

/** Makes a certificate with a key of its own. */
async function anotherCertificate(): Promise<Certificate> {
  const { CipherContext } = await import('werift');
  const made = await CipherContext.createSelfSignedCertificateWithKey({ signature: 3, hash: 4 }, 23);
  return {
    fingerprint: certificate.fingerprint,
    pem: made.certPem,
    key: made.keyPem,
    signatureHash: made.signatureHash,
  };
}

type Change = (data: Buffer, deliver: (data: Buffer) => void) => void;

interface Sides {
  /** The server's and the client's certificate and key. */
  server?: Certificate;
  client?: Certificate;
  /** Called for each datagram on its way; delivers it by default. */
  toServer?: Change;
  toClient?: Change;
}

/** Runs a handshake. Resolves with the keys of both sides, or null for a side that refused. */
function shakeHands({ server, client, toServer, toClient }: Sides = {}): Promise<{
  server: Keys | null;
  client: Keys | null;
}> {
  return new Promise((resolve) => {
    const results: { server?: Keys | null; client?: Keys | null } = {};
    const settle = (side: 'server' | 'client', keys: Keys | null) => {
      results[side] = keys;
      const { server: ofServer, client: ofClient } = results;
      // A side that refuses says nothing to the other.
      if (keys === null) resolve({ server: ofServer ?? null, client: ofClient ?? null });
      else if (ofServer !== undefined && ofClient !== undefined) resolve({ server: ofServer, client: ofClient });
    };
    const sides: { server?: Dtls; client?: Dtls } = {};
    const send = (to: 'server' | 'client', change?: Change) => (data: Buffer) => {
      // As on a network: nothing arrives before the sender has gone on.
      const deliver = (datagram: Buffer) => void setImmediate(() => sides[to]!.receive(datagram));
      if (change) change(Buffer.from(data), deliver);
      else deliver(Buffer.from(data));
    };
    const make = (role: 'server' | 'client', own: Certificate, sending: DtlsOptions['send']) =>
      createDtls({
        role,
        certificate: own,
        send: sending,
        onKeys: (keys) => settle(role, keys),
        onFailed: () => settle(role, null),
        onClosed: () => {},
      });
    sides.server = make('server', server ?? certificate, send('client', toClient));
    sides.client = make('client', client ?? certificate, send('server', toServer));
    sides.client.begin();
  });
}

/** Expects that both sides agree: what one sends with, the other receives with. */
function expectAgreed({ server, client }: { server: Keys | null; client: Keys | null }) {
  expect(server).not.toBeNull();
  expect(server!.send.masterKey).toEqual(client!.receive.masterKey);
  expect(server!.receive.masterKey).toEqual(client!.send.masterKey);
}

/** Takes the datagram of a client's key exchange. Returns it with the same kind of public key, of somebody else. */
async function foreignExchange(): Promise<Buffer> {
  return new Promise((resolve) => {
    void shakeHands({
      toServer: (data, deliver) => {
        if (typeOf(data) === CLIENT_KEY_EXCHANGE) resolve(data);
        else deliver(data);
      },
    });
  });
}

test('29: both sides prove the keys of their certificates, and agree on the media keys', async () => {
  expectAgreed(await shakeHands());
});

test('29: a client with a certificate but without its key is refused', async () => {
  // The certificate that a browser showed is public; the key is of whoever stands between.
  expect((await shakeHands({ client: { ...certificate, key: other.key } })).server).toBeNull();
});

test('29: a server with a certificate but without its key is refused', async () => {
  expect((await shakeHands({ server: { ...certificate, key: other.key } })).client).toBeNull();
});

test('29: without a signature, or with a certificate that cannot be read, nothing is proved', () => {
  const message = (type: number, fragment: Buffer) => ({ msg_type: type, fragment, serialize: () => fragment });
  const signature = message(CERTIFICATE_VERIFY, Buffer.from([4, 3, 0, 1, 0]));
  expect(clientProvesKey([], [message(CERTIFICATE, Buffer.from([0, 0, 6, 0, 0, 3, 1, 2, 3])), signature])).toBe(false);
  expect(clientProvesKey([], [message(CERTIFICATE, Buffer.alloc(2)), signature])).toBe(false);
  expect(clientProvesKey([], [signature])).toBe(false);
  expect(clientProvesKey([], [])).toBe(false);
  expect(serverProvesKey([], Buffer.alloc(32))).toBe(false);
});

test('29: a signature over something else is refused', async () => {
  const { server } = await shakeHands({
    toServer: (data, deliver) => {
      // The last byte of the signature.
      if (typeOf(data) === CERTIFICATE_VERIFY) data[data.length - 1]! ^= 1;
      deliver(data);
    },
  });
  expect(server).toBeNull();
});

test('29: data added after the signature does not replace signed data', async () => {
  const foreign = await foreignExchange();
  expectAgreed(
    await shakeHands({
      toServer: (data, deliver) => {
        deliver(data);
        if (typeOf(data) === CERTIFICATE_VERIFY) deliver(foreign);
      },
    }),
  );
});

test('29: a first hello that arrives late does not restart the handshake', async () => {
  let first: Buffer | null = null;
  expectAgreed(
    await shakeHands({
      toServer: (data, deliver) => {
        first ??= data;
        // Between the server's answer and the client's certificate, and once more before its end.
        if (typeOf(data) === CERTIFICATE || typeOf(data) === CERTIFICATE_VERIFY) deliver(first);
        deliver(data);
      },
    }),
  );
});

test('29: server messages that arrive twice do no harm', async () => {
  const twice = new Set<number | undefined>([
    HELLO_VERIFY_REQUEST,
    CERTIFICATE,
    SERVER_KEY_EXCHANGE,
    SERVER_HELLO_DONE,
  ]);
  expectAgreed(
    await shakeHands({
      toClient: (data, deliver) => {
        deliver(data);
        if (twice.has(typeOf(data))) deliver(data);
      },
    }),
  );
});

test('29: a client whose certificate is lost or late connects after repeating its messages', async () => {
  let isLost = false;
  expectAgreed(
    await shakeHands({
      toServer: (data, deliver) => {
        if (typeOf(data) !== CERTIFICATE || isLost) return deliver(data);
        isLost = true;
      },
    }),
  );
  let late: Buffer | null = null;
  expectAgreed(
    await shakeHands({
      toServer: (data, deliver) => {
        if (typeOf(data) === CERTIFICATE && late === null) {
          late = data;
          return;
        }
        deliver(data);
        if (typeOf(data) === CLIENT_KEY_EXCHANGE) deliver(late!);
      },
    }),
  );
});
