/**
 * The programs for which the files in `deploy` are written take them as they are shipped, and Janus and coturn start as
 * in their containers with one door each.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import * as path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createCertificate } from '../../src/features/video/engine/transport/dtls.ts';
import { findJanus, findProgram } from '../../src/features/video/video.fixture.ts';
import { freePort, type Started, startProcess } from '../support/programs/process.ts';
import { caddy, caddyEnv, DEPLOY, nginx, nginxSettings, shipped } from '../support/programs/reverse-proxies.ts';

const groups = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, group]) => group!);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'fieldroom-deploy-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The path of a program that is not installed for a test; null, with a message, if it is not there. */
function presentProgram(program: string, debianPackage: string, without: string): string | null {
  if (existsSync(program)) return program;
  console.warn(`${program} is not here (apt-get install ${debianPackage}): ${without}`);
  return null;
}
// A host has systemd or has not, and Prometheus takes 100 MB.
const systemdAnalyze = presentProgram('/usr/bin/systemd-analyze', 'systemd', 'deploy/systemd is not tested.');
const promtool = presentProgram('/usr/bin/promtool', 'prometheus', 'rules of deploy/monitoring are not tested.');

const janusProgram = findJanus();
const turnProgram = findProgram('/usr/bin/turnserver', 'coturn', 'deploy/image/coturn.sh is not tested.');
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

/** Runs a program to its end. Returns all it wrote. @throws that, with the exit code, where it is not 0. */
async function outputOf(program: string, args: string[], env?: Record<string, string>): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: folder, ...(env && { env }) });
  return stdout + stderr;
}

/** Whether this user may listen at the ports of the web. */
const mayListenAt80 =
  process.getuid?.() === 0 ||
  (process.platform === 'linux' && Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8')) <= 80);

describe('as they are shipped', () => {
  test.runIf(systemdAnalyze)('systemd understands every line of the unit', async () => {
    const text = shipped('systemd/fieldroom.service');
    const [program] = groups(text, /^ExecStart=(\S+)/gm);
    const file = path.join(folder, 'fieldroom.service');
    // It looks whether the program is there.
    await writeFile(file, existsSync(program!) ? text : text.replace(program!, process.execPath));
    const output = await outputOf(systemdAnalyze!, ['verify', file]);
    // It exits with 0 all the same, and may complain of other units of the machine.
    expect(output.split('\n').filter((line) => line.includes('fieldroom.service'))).toEqual([]);
  });

  // nginx opens the ports for this. Without the right to, only the ports are not tested: `proxies-nodes.test.ts`.
  test.runIf(nginx && mayListenAt80 && hasIpv6)('nginx takes its file with TLS', async () => {
    const { pem, key } = await createCertificate();
    const file = await nginxSettings(folder, shipped('nginx/fieldroom.conf'), { pem, key });
    const output = await outputOf(nginx!, ['-t', '-c', file, '-e', 'stderr']);
    expect(output).toContain('test is successful');
    // Newer versions have another word for HTTP/2 and still take this one.
    expect(groups(output, /\[(?:warn|error)\] (?!.*"listen ... http2" directive is deprecated)(.*)$/gm)).toEqual([]);
  });

  test.runIf(caddy)('Caddy takes its file with the site of HTTPS', async () => {
    const file = path.join(DEPLOY, 'caddy/Caddyfile');
    const env = {
      ...(await caddyEnv(folder)),
      UPSTREAM: `127.0.0.1:${await freePort()} 127.0.0.1:${await freePort()}`,
    };
    const settings = ['--adapter', 'caddyfile', '--config', file];
    await expect(outputOf(caddy!, ['validate', ...settings], env)).resolves.toContain('Valid configuration');
    const { stdout } = await promisify(execFile)(caddy!, ['adapt', ...settings], { env });
    const { apps } = JSON.parse(stdout) as {
      apps: { http: { servers: Record<string, { listen: string[]; routes: { match: { host: string[] }[] }[] }> } };
    };
    const [site, ...others] = Object.values(apps.http.servers);
    expect(others).toEqual([]);
    expect(site!.listen).toEqual([':443']);
    expect(site!.routes.map(({ match }) => match)).toEqual([[{ host: ['room.example.org'] }]]);
  });

  test.runIf(promtool)('Prometheus takes its settings and the alarms', async () => {
    await cp(path.join(DEPLOY, 'monitoring'), folder, { recursive: true });
    const [token] = groups(shipped('monitoring/prometheus.yml'), /credentials_file: (.*)/g);
    await writeFile(path.join(folder, 'token'), 'token-of-the-test');
    const file = path.join(folder, 'prometheus.yml');
    await writeFile(file, shipped('monitoring/prometheus.yml').replace(token!, path.join(folder, 'token')));
    // It reads the alarms that the settings name too.
    const output = await outputOf(promtool!, ['check', 'config', file]);
    const alarms = groups(shipped('monitoring/alarms.yml'), /^ *- alert: (.*)$/gm);
    expect(output).toContain(`SUCCESS: ${alarms.length} rules found`);
  });
});

/** What a descriptor of a process is; empty when it has just been closed. */
function descriptor(pid: number, fd: string): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${fd}`);
  } catch {
    return '';
  }
}

/** Ports at which a process listens by TCP. */
function listening(pid: number): number[] {
  const own = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((fd) => groups(descriptor(pid, fd), /^socket:\[(\d+)\]$/g)),
  );
  const ports = ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      // The state 0A is LISTEN; the tenth column is the socket.
      .filter((columns) => columns[3] === '0A' && own.has(columns[9]!))
      .map((columns) => Number.parseInt(columns[1]!.split(':')[1]!, 16)),
  );
  return [...new Set(ports)];
}

describe.runIf(process.platform === 'linux')('in their containers', () => {
  const SECRET = '0123456789abcdef-secret';
  let started: Started | null = null;
  afterEach(async () => {
    await started?.stop();
    started = null;
  });

  test.runIf(janusProgram)('Janus opens one port, and answers nobody without the secret', async () => {
    const port = await freePort();
    await cp(path.join(DEPLOY, 'janus'), path.join(folder, 'settings'), { recursive: true });
    const file = path.join(folder, 'settings/janus.transport.websockets.jcfg');
    await writeFile(file, (await readFile(file, 'utf8')).replace('ws_port = 8188', `ws_port = ${port}`));
    const env = { JANUS_ADMIN_KEY: SECRET, VIDEO_ADDRESS: '203.0.113.7', JANUS_PORTS: '42000-42399', TMPDIR: folder };
    const run = (secret: string) =>
      startProcess(path.join(DEPLOY, 'image/janus.sh'), [path.join(folder, 'settings')], {
        env: { ...env, JANUS_SECRET: secret },
      });
    for (const wrong of ['', 'short', `${SECRET}";x`]) {
      started = run(wrong);
      await expect.poll(() => started!.child.exitCode).toBe(1);
      await expect.poll(() => started!.output()).toContain('JANUS_SECRET');
    }

    started = run(SECRET);
    const ask = (protocol: string, message: object) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}`, protocol);
        socket.on('open', () => socket.send(JSON.stringify({ transaction: 'a', ...message })));
        socket.on('message', (data: Buffer) => {
          socket.terminate();
          resolve(data.toString());
        });
        socket.on('error', () => resolve('refused'));
      });
    await expect.poll(() => ask('janus-protocol', { janus: 'ping' })).toContain('pong');
    expect(await ask('janus-protocol', { janus: 'create' })).toContain('Unauthorized');
    expect(await ask('janus-protocol', { janus: 'create', apisecret: SECRET })).toContain('success');
    expect(await ask('janus-admin-protocol', { janus: 'list_sessions' })).toBe('refused');
    expect(listening(started.pid)).toEqual([port]);
    expect(started.output()).not.toContain(SECRET);
  });

  test.runIf(turnProgram)('coturn opens one port, and leads to no private address', async () => {
    const port = await freePort();
    const file = path.join(folder, 'turnserver.conf');
    // On loopback, because the world may reach the machine of the tests.
    const local = `listening-port=${port}\nlistening-ip=127.0.0.1\nrelay-ip=127.0.0.1${hasIpv6 ? '\nrelay-ip=::1' : ''}`;
    await writeFile(file, shipped('coturn/turnserver.conf').replace(/^listening-port=.*$/m, local));
    const run = (secret: string) =>
      startProcess(path.join(DEPLOY, 'image/coturn.sh'), [file], {
        // The public address stands for that of IPv4 alone.
        env: { TURN_SECRET: secret, VIDEO_ADDRESS: '203.0.113.7/127.0.0.1', TMPDIR: folder },
      });
    started = run('short');
    await expect.poll(() => started!.child.exitCode).toBe(1);
    await expect.poll(() => started!.output()).toContain('TURN_SECRET');

    started = run(SECRET);
    await expect.poll(() => listening(started!.pid)).toEqual([port]);
    // coturn's own client. It asks again and again, so one name has one peer, within the quota.
    const peers = ['10.0.0.1', '127.0.0.1', '172.20.0.3', '169.254.169.254'];
    // The same for who comes to them by IPv6: unique local addresses, and IPv4 mapped and translated.
    if (hasIpv6) peers.push('fd00::1', '::ffff:10.0.0.1', '64:ff9b::a00:1');
    for (const peer of peers) {
      const client = startProcess('/usr/bin/turnutils_uclient', [
        ...['-c', '-n', '1', '-u', `to-${peer}`, '-W', SECRET, '-e', peer, '-p', String(port), '127.0.0.1'],
      ]);
      try {
        await expect.poll(() => client.output()).toContain('403 (Forbidden IP)');
      } finally {
        await client.stop('SIGKILL');
      }
    }
    expect(started.output()).not.toContain(SECRET);
  });
});
