/**
 * A real S3 store for tests: OpenStack Swift with its S3 interface, from Debian's package `python3-swift`. Its four
 * servers (accounts, containers, objects, and the proxy that takes requests) run as processes of the test on free ports
 * of this machine, with their files in a temporary folder. They need no rights and no service of the system.
 * Source: https://docs.openstack.org/swift/latest/development_saio.html
 */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import * as path from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { answering, freePort, type Started, startProcess } from './process.ts';

/** Debian's own: another Python does not find Debian's packages. */
const PYTHON = '/usr/bin/python3';
/** Fails with 2 where a folder cannot keep what Swift notes at each file, or where this user has no name. */
const CHECK = `
import os, pwd, sys, tempfile
import swift.proxy.server, xattr
try:
    with tempfile.NamedTemporaryFile(dir=sys.argv[1]) as file:
        xattr.setxattr(file.name, 'user.fieldroom', b'1')
    pwd.getpwuid(os.getuid())
except (OSError, KeyError):
    sys.exit(2)
`;
/** Writes the rings, which say where the servers are: one of each kind, with one copy of all in one partition. */
const RINGS = `
import os, sys
from swift.common.ring import RingBuilder
folder, device, *servers = sys.argv[1:]
for kind, port in (server.split(':') for server in servers):
    ring = RingBuilder(0, 1, 1)
    where = {'ip': '127.0.0.1', 'port': int(port), 'device': device}
    ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'meta': '', **where})
    ring.rebalance()
    ring.get_ring().save(os.path.join(folder, kind + '.ring.gz'))
`;
/** What the programs of Debian's other packages do. */
const SERVER = `
import os, sys
from swift.common.utils import set_swift_dir
from swift.common.wsgi import run_wsgi
file, kind = sys.argv[1:]
set_swift_dir(os.path.dirname(file))
sys.exit(run_wsgi(file, kind + '-server', verbose=True))
`;

const KINDS = ['account', 'container', 'object', 'proxy'] as const;
type Kind = (typeof KINDS)[number];

const BUCKET = 'fieldroom-test';
const REGION = 'eu-test-1';
/** An account and its user; together they are the access key. */
const [PRACTICE, USER] = ['practice', 'fieldroom'];
const ACCESS_KEY = `${PRACTICE}:${USER}`;
/** As the interface calls the account inside. */
const ACCOUNT = `AUTH_${PRACTICE}`;
const DEVICE = 'disk';

/** Why Swift cannot run here; null if it can. `npm test` installs it where it may. */
export const noSwift = whyNot();

function whyNot(): string | null {
  const { status } = spawnSync(PYTHON, ['-c', CHECK, tmpdir()]);
  if (status === 0) return null;
  return status === 2
    ? 'it needs a temporary folder with extended attributes, and a user with a name'
    : 'install Debian’s package python3-swift';
}

export interface Swift {
  /** Settings of a server that uses it, with patience for a busy machine. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets how many bytes the bucket may have; null for any number. */
  quota(bytes: number | null): Promise<void>;
  /** Writes an object as if that was so long ago. There must not have been any of this key. */
  writeAged(key: string, bytes: Uint8Array, ageMs: number): Promise<void>;
  /** Ends one of its servers, or all, as a crash does. */
  down(kind?: Kind): Promise<void>;
  /** Starts those again that do not run. */
  up(): Promise<void>;
  close(): Promise<void>;
}

/** Starts it with one empty bucket. Takes how many keys a list has at most. */
export async function swift({ pageSize = 1000 } = {}): Promise<Swift> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-swift-'));
  const ports = new Map<Kind, number>();
  for (const kind of KINDS) ports.set(kind, await freePort());
  const running = new Map<Kind, Started>();
  const secretKey = randomBytes(24).toString('base64url');
  const at = (kind: Kind) => `127.0.0.1:${ports.get(kind)}`;
  const url = `http://${at('proxy')}`;
  await writeConfiguration(folder, ports, { secretKey, pageSize });

  async function startOne(kind: Kind): Promise<void> {
    const started = startProcess(PYTHON, ['-c', SERVER, path.join(folder, `${kind}.conf`), kind], {
      outputMax: 20_000,
    });
    running.set(kind, started);
    await answering(started, `http://${at(kind)}/healthcheck`);
  }
  async function up(): Promise<void> {
    await Promise.all(KINDS.filter((kind) => !running.has(kind)).map(startOne));
  }
  async function down(only?: Kind): Promise<void> {
    const ending = [...running].filter(([kind]) => only === undefined || kind === only);
    await Promise.all(ending.map(([, started]) => started.stop('SIGKILL')));
    for (const [kind] of ending) running.delete(kind);
  }
  const output = () => [...running].map(([kind, started]) => `${kind}: ${started.output()}`).join('\n');
  async function close(): Promise<void> {
    await down();
    await rm(folder, { recursive: true, force: true });
  }
  /** Makes the bucket, or sets what is noted at it. */
  async function putBucket(headers: Record<string, string> = {}): Promise<void> {
    const signed = await new AwsV4Signer({
      ...{ method: 'PUT', url: `${url}/${BUCKET}`, accessKeyId: ACCESS_KEY, secretAccessKey: secretKey },
      ...{ region: REGION, service: 's3', headers },
    }).sign();
    const answer = await fetch(signed.url, { method: 'PUT', headers: signed.headers });
    const text = await answer.text();
    if (!answer.ok && !text.includes('BucketAlreadyOwnedByYou'))
      throw new Error(`there is no bucket: ${answer.status} ${text}\n${output()}`);
  }

  try {
    await up();
    await putBucket();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    env: {
      ...{ S3_URL: url, S3_BUCKET: BUCKET, S3_REGION: REGION, S3_TIMEOUT_MS: '45000' },
      ...{ S3_ACCESS_KEY: ACCESS_KEY, S3_SECRET_KEY: secretKey },
    },
    quota: (bytes) => putBucket({ 'x-container-meta-quota-bytes': bytes === null ? '' : String(bytes) }),
    async writeAged(key, bytes, ageMs) {
      // What the proxy sends to the server of objects, which tells that of containers. The proxy itself takes no time.
      const answer = await fetch(`http://${at('object')}/${DEVICE}/0/${ACCOUNT}/${BUCKET}/${key}`, {
        method: 'PUT',
        headers: {
          ...{ 'x-timestamp': ((Date.now() - ageMs) / 1000).toFixed(5), 'content-type': 'application/octet-stream' },
          ...{ 'x-container-host': at('container'), 'x-container-device': DEVICE, 'x-container-partition': '0' },
        },
        body: new Uint8Array(bytes),
      });
      if (!answer.ok) throw new Error(`nothing was written: ${answer.status} ${await answer.text()}\n${output()}`);
    },
    down,
    up,
    close,
  };
}

async function writeConfiguration(
  folder: string,
  ports: ReadonlyMap<Kind, number>,
  { secretKey, pageSize }: { secretKey: string; pageSize: number },
): Promise<void> {
  const filters: Readonly<Record<Kind, Readonly<Record<string, readonly string[]>>>> = {
    account: {},
    container: {},
    object: {},
    proxy: {
      catch_errors: [],
      // Where nobody listens: Swift needs the setting, and goes on without a cache, so it never tells what was.
      memcache: ['memcache_servers = 127.0.0.1:1'],
      s3api: [`location = ${REGION}`, `max_bucket_listing = ${pageSize}`],
      tempauth: [`user_${PRACTICE}_${USER} = ${secretKey} .admin`],
      container_quotas: [],
      slo: [],
    },
  };
  const more: Readonly<Record<Kind, readonly string[]>> = {
    account: [],
    container: [],
    // Lists show what was just written, also on a busy machine.
    object: ['container_update_timeout = 45', 'node_timeout = 45'],
    // There is no second server of a kind, so none is left out for its faults.
    proxy: ['account_autocreate = true', 'node_timeout = 45', 'error_suppression_limit = 1000000'],
  };
  const files: Record<string, string[]> = {
    'swift.conf': ['[swift-hash]', `swift_hash_path_suffix = ${randomBytes(16).toString('hex')}`],
  };
  for (const kind of KINDS) {
    const names = ['healthcheck', ...Object.keys(filters[kind])];
    files[`${kind}.conf`] = [
      '[DEFAULT]',
      ...['bind_ip = 127.0.0.1', `bind_port = ${ports.get(kind)}`, `user = ${userInfo().username}`, 'workers = 0'],
      ...[`swift_dir = ${folder}`, `devices = ${path.join(folder, 'devices')}`, 'mount_check = false'],
      // A machine may be nearly full; other connections than the first may wait for a processor.
      ...['fallocate_reserve = 0', 'conn_timeout = 45'],
      // Not into the system's log: nobody listens there, and we read what it prints.
      ...['log_level = WARNING', 'log_udp_host = 127.0.0.1', 'log_udp_port = 9'],
      '[pipeline:main]',
      `pipeline = ${[...names, `${kind}-server`].join(' ')}`,
      `[app:${kind}-server]`,
      ...[`use = egg:swift#${kind}`, ...more[kind]],
      ...names.flatMap((name) => [`[filter:${name}]`, `use = egg:swift#${name}`, ...(filters[kind][name] ?? [])]),
    ];
  }
  await mkdir(path.join(folder, 'devices', DEVICE), { recursive: true });
  for (const [name, lines] of Object.entries(files)) await writeFile(path.join(folder, name), `${lines.join('\n')}\n`);
  const servers = KINDS.filter((kind) => kind !== 'proxy').map((kind) => `${kind}:${ports.get(kind)}`);
  const rings = spawnSync(PYTHON, ['-c', RINGS, folder, DEVICE, ...servers], { encoding: 'utf8' });
  if (rings.status !== 0) throw new Error(`Swift has no rings:\n${rings.stderr}`);
}
