/** Settings: their defaults, and every fault that is reported. */
import * as path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigFault, isLoopback, readConfig } from './config.ts';

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigFault);
    return (error as ConfigFault).lines;
  }
  return [];
}

test('without any setting: a demo on this machine alone', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    publicUrl: 'http://127.0.0.1:8080',
    dataDir: path.resolve('data'),
    databaseUrl: null,
    demo: true,
    clockSpeed: 1,
    trustProxy: false,
    logLevel: 'info',
    production: false,
    smtpUrl: null,
    metricsToken: null,
  });
  expect(config.limits.signIn).toEqual({ max: 10, windowSeconds: 900 });
});

test('every fault is reported at once', () => {
  const lines = faultsOf({
    PORT: '80a',
    DATABASE_URL: 'mysql://x',
    CLOCK_SPEED: '0',
    LIMIT_SIGN_IN: 'many',
    LIMIT_SIGNIN: '1/1',
    PUBLIC_URL: 'https://a.example/path',
  });
  for (const name of ['PORT', 'DATABASE_URL', 'CLOCK_SPEED', 'LIMIT_SIGN_IN', 'LIMIT_SIGNIN', 'PUBLIC_URL'])
    expect(
      lines.filter((line) => line.startsWith(`${name}:`)),
      name,
    ).toHaveLength(1);
});

test.each([
  [{ NODE_ENV: 'production' }, false],
  [{ HOST: '0.0.0.0' }, false],
  [{ PUBLIC_URL: 'https://room.example.org' }, false],
  [{ DATABASE_URL: 'postgresql://db/x' }, false],
  [{ HOST: '::1' }, true],
  [{ PUBLIC_URL: 'http://localhost:9000' }, true],
  [{ DEMO: '0' }, false],
  [{ DEMO: '1', DATABASE_URL: 'postgresql://db/x' }, true],
])('the demo with %j: %s', (env, shown) => {
  expect(readConfig(env).demo).toBe(shown);
});

test('in production neither demo nor a changed clock, both told', () => {
  const lines = faultsOf({ NODE_ENV: 'production', DEMO: '1', CLOCK_SPEED: '60' });
  expect(lines.map((line) => line.split(':')[0])).toEqual(['DEMO', 'CLOCK_SPEED']);
  expect(faultsOf({ NODE_ENV: 'production', CLOCK_SPEED: '1', DEMO: '0' })).toEqual([]);
});

test('settings that need one another', () => {
  expect(faultsOf({ TURN_URL: 'turn:t.example:3478' })).toHaveLength(1);
  expect(faultsOf({ SMTP_URL: 'smtp://mail.example' })).toHaveLength(1);
  expect(readConfig({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@b.example' }).mailFrom).toBe('a@b.example');
});

test('a Janus elsewhere needs its secret; a secret needs a Janus', () => {
  expect(faultsOf({ JANUS_URL: 'ws://127.0.0.1:8188,wss://b/janus' })).toEqual([
    expect.stringMatching(/^JANUS_URL: .*JANUS_SECRET/),
  ]);
  expect(faultsOf({ JANUS_SECRET: 's'.repeat(16) })).toHaveLength(1);
  expect(faultsOf({ JANUS_ADMIN_KEY: 's'.repeat(16) })).toHaveLength(1);
  expect(faultsOf({ JANUS_URL: 'ws://127.0.0.1:8188', JANUS_SECRET: 'short' })).toHaveLength(1);
  expect(readConfig({ JANUS_URL: 'ws://127.0.0.1:8188' }).janus).toEqual({
    urls: ['ws://127.0.0.1:8188'],
    secret: null,
    adminKey: null,
  });
});

test('where the embedded engine listens', () => {
  expect(readConfig({}).video).toEqual({ ports: { first: 40_000, last: 40_999 }, addresses: [], workers: null });
  expect(
    readConfig({ VIDEO_PORTS: '50000-50199', VIDEO_ADDRESS: '203.0.113.7, 2001:db8::7', VIDEO_WORKERS: '3' }).video,
  ).toEqual({
    ports: { first: 50_000, last: 50_199 },
    addresses: ['203.0.113.7', '2001:db8::7'],
    workers: 3,
  });
  for (const ports of ['40000', '40000-40010', '40999-40000', '80-1000', '65000-66000'])
    expect(faultsOf({ VIDEO_PORTS: ports }), ports).toHaveLength(1);
  for (const env of [{ VIDEO_ADDRESS: 'room.example.org' }, { VIDEO_WORKERS: '0' }])
    expect(faultsOf(env as unknown as Record<string, string>)).toHaveLength(1);
});

test('no sender that adds a header', () => {
  expect(faultsOf({ MAIL_FROM: 'a@b.example\nBcc: c@d.example' })).toHaveLength(1);
});

test('lists, limits and proxies', () => {
  const config = readConfig({
    PRIVILEGED_USER_IDS: '4, 12',
    JANUS_URL: 'ws://127.0.0.1:8188,wss://b/janus',
    JANUS_SECRET: 's'.repeat(16),
    LIMIT_WRONG_CODE: '7/2h',
    TRUST_PROXY: '1',
    PUBLIC_URL: 'https://room.example.org/',
  });
  expect(config.privilegedUserIds).toEqual([4, 12]);
  expect(config.janus.urls).toEqual(['ws://127.0.0.1:8188', 'wss://b/janus']);
  expect(config.limits.wrongCode).toEqual({ max: 7, windowSeconds: 7200 });
  expect(config.trustProxy).toBe(1);
  expect(config.publicUrl).toBe('https://room.example.org');
  expect(readConfig({ TRUST_PROXY: '10.0.0.0/8,loopback' }).trustProxy).toEqual(['10.0.0.0/8', 'loopback']);
});

test('empty means not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: null });
});

test('what is this machine', () => {
  for (const host of ['127.0.0.1', '127.8.9.1', 'localhost', '[::1]', '::1']) expect(isLoopback(host), host).toBe(true);
  for (const host of ['0.0.0.0', '10.0.0.1', 'localhost.example.org', '127.0.0.1.example.org', ''])
    expect(isLoopback(host), host).toBe(false);
});

test('several nodes need one database', () => {
  const REDIS_URL = 'redis://localhost:6379';
  expect(readConfig({}).redisUrl).toBeNull();
  expect(faultsOf({ REDIS_URL })).toEqual([expect.stringContaining('DATABASE_URL')]);
  expect(readConfig({ REDIS_URL, DATABASE_URL: 'postgresql://localhost/fieldroom' }).redisUrl).toBe(REDIS_URL);
});

describe('a bucket', () => {
  const S3 = {
    S3_URL: 'https://s3.example.org/',
    S3_BUCKET: 'fieldroom-files',
    S3_ACCESS_KEY: 'the-access-key',
    S3_SECRET_KEY: 'the/secret+key=',
  };

  test('without settings files lie in the folder', () => {
    expect(readConfig({}).s3).toBeNull();
  });

  test('needs four settings, and has defaults for the rest', () => {
    expect(readConfig(S3).s3).toEqual({
      url: 'https://s3.example.org',
      bucket: 'fieldroom-files',
      region: 'us-east-1',
      accessKey: 'the-access-key',
      secretKey: 'the/secret+key=',
      prefix: '',
      timeoutMs: 1500,
    });
    const more = { S3_REGION: 'eu-central-1', S3_PREFIX: 'practice/files', S3_TIMEOUT_MS: '3000' };
    expect(readConfig({ ...S3, ...more }).s3).toMatchObject({
      region: 'eu-central-1',
      prefix: 'practice/files/',
      timeoutMs: 3000,
    });
    expect(readConfig({ ...S3, S3_PREFIX: 'practice/' }).s3!.prefix).toBe('practice/');
    expect(readConfig({ ...S3, S3_URL: 'http://127.0.0.1:9000/storage/v1/s3' }).s3!.url).toBe(
      'http://127.0.0.1:9000/storage/v1/s3',
    );
  });

  test('half of the settings stop the start, and say which are missing', () => {
    for (const missing of Object.keys(S3)) {
      const given = Object.fromEntries(Object.entries(S3).filter(([name]) => name !== missing));
      expect(faultsOf(given), missing).toEqual([expect.stringMatching(new RegExp(`^${missing}: is missing;`))]);
    }
    for (const [alone, value] of [
      ['S3_REGION', 'auto'],
      ['S3_PREFIX', 'a'],
      ['S3_TIMEOUT_MS', '3000'],
    ] as const)
      expect(faultsOf({ [alone]: value })).toEqual([
        expect.stringMatching(/^S3_URL, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY: are missing;/),
      ]);
  });

  test.each([
    ['S3_URL', 'ftp://s3.example.org'],
    ['S3_URL', 'https://key:secret@s3.example.org'],
    ['S3_URL', 'https://s3.example.org?bucket=a'],
    ['S3_URL', 's3.example.org'],
    ['S3_BUCKET', 'a/b'],
    ['S3_BUCKET', '..'],
    ['S3_REGION', 'eu central'],
    ['S3_ACCESS_KEY', 'two words'],
    ['S3_SECRET_KEY', 'a\nb'],
    ['S3_PREFIX', '../other'],
    ['S3_PREFIX', '/a'],
    ['S3_PREFIX', 'a/web'],
    ['S3_TIMEOUT_MS', '0'],
  ])('%s=%j is told without its value', (name, value) => {
    const lines = faultsOf({ ...S3, [name]: value });
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name}: has to be `))]);
    if (name.endsWith('KEY') || value.includes('secret')) expect(lines[0]).not.toContain(value);
  });
});

test('the length of codes', () => {
  expect(readConfig({}).roomCodeLength).toBe(5);
  expect(readConfig({ ROOM_CODE_LENGTH: '12' }).roomCodeLength).toBe(12);
  for (const text of ['4', '13', '6.5', 'long']) expect(faultsOf({ ROOM_CODE_LENGTH: text })).toHaveLength(1);
});

test.each([
  [{ FIELDROOM_DEV: '1', NODE_ENV: 'development' }, true],
  [{ FIELDROOM_DEV: '1' }, false],
  [{ NODE_ENV: 'development' }, false],
  [{ FIELDROOM_DEV: '0', NODE_ENV: 'development' }, false],
  [{ FIELDROOM_DEV: '1', NODE_ENV: 'development', DEMO: '0' }, false],
  [{ FIELDROOM_DEV: '1', NODE_ENV: 'development', HOST: '0.0.0.0' }, false],
])('the development page with %j: %s', (env, shown) => {
  expect(readConfig(env).dev).toBe(shown);
});

test('no development page in production, told', () => {
  expect(faultsOf({ FIELDROOM_DEV: '1', NODE_ENV: 'production' })).toEqual([expect.stringMatching(/^FIELDROOM_DEV:/)]);
});

test.each([
  [{ SMTP_URL: 'smtp://mail.example' }, true],
  [{ SMTP_URL: 'smtp://127.0.0.1:1025' }, false],
  [{ SMTP_URL: 'smtp://[::1]:1025' }, false],
  [{ SMTP_URL: 'smtp://mail.example', SMTP_REQUIRE_TLS: '0' }, false],
  [{ SMTP_URL: 'smtp://127.0.0.1:1025', SMTP_REQUIRE_TLS: '1' }, true],
])('emails with %j: encryption required is %s', (env, required) => {
  expect(readConfig({ ...env, MAIL_FROM: 'a@b.example' }).smtpRequireTls).toBe(required);
});

describe('bills', () => {
  const seller = {
    SELLER_NAME: 'Fieldroom Kft.',
    SELLER_ADDRESS: '1051 Budapest',
    SELLER_TAX_NUMBER: '12892312-2-42',
    SELLER_EMAIL: 'bills@seller.example',
    SELLER_BANK: 'HU42 1177 3016',
  };

  test('prices, tax, days and zone have defaults; outside production the seller is a demo’s', () => {
    expect(readConfig({}).billing).toMatchObject({
      prices: { HUF: 90_000, EUR: 300, USD: 400 },
      taxPercent: 27,
      dueDays: 10,
      timeZone: 'Europe/Budapest',
      seller: { name: 'Fieldroom demo seller' },
      missing: [],
    });
    expect(readConfig({ SELLER_NAME: 'Me' }).billing.seller).toMatchObject({
      name: 'Me',
      bank: expect.stringContaining('demo'),
    });
  });

  test('in production all of the seller’s data has to be set, or there is no seller', () => {
    const { SELLER_BANK: _, ...most } = seller;
    expect(readConfig({ NODE_ENV: 'production', ...most }).billing).toMatchObject({
      seller: null,
      missing: ['SELLER_BANK'],
    });
    expect(readConfig({ NODE_ENV: 'production', ...seller }).billing).toMatchObject({
      seller: { name: 'Fieldroom Kft.', bank: 'HU42 1177 3016' },
      missing: [],
    });
  });

  test('what is set counts', () => {
    const env = {
      BILLING_PRICE_EUR: '2.5',
      BILLING_TAX_PERCENT: '0',
      BILLING_DUE_DAYS: '30',
      BILLING_TIME_ZONE: 'Asia/Kolkata',
    };
    expect(readConfig(env).billing).toMatchObject({
      prices: { HUF: 90_000, EUR: 250, USD: 400 },
      taxPercent: 0,
      dueDays: 30,
      timeZone: 'Asia/Kolkata',
    });
  });

  test.each([
    { BILLING_PRICE_HUF: '0' },
    { BILLING_PRICE_HUF: '-900' },
    { BILLING_PRICE_EUR: '3.001' },
    { BILLING_PRICE_USD: '99999999' },
    { BILLING_TAX_PERCENT: '101' },
    { BILLING_TAX_PERCENT: '27.5' },
    { BILLING_DUE_DAYS: 'ten' },
    { BILLING_TIME_ZONE: 'Europe/Nowhere' },
    { BILLING_TIME_ZONE: 'PST' },
    { BILLING_TIME_ZONE: '+01:00' },
    { SELLER_NAME: 'two\nlines' },
    { SELLER_BANK: 'x'.repeat(121) },
    { SELLER_EMAIL: 'nobody' },
  ] as Record<string, string>[])('%j is refused', (env) => {
    expect(faultsOf(env)).toEqual([expect.stringMatching(new RegExp(`^${Object.keys(env)[0]!}: `))]);
  });
});
