/** Starts a TURN server for journeys: Debian's coturn with the configuration in `deploy/coturn`, on loopback. */
import { createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../../server/src/features/video/video.fixture.ts';
import { freePort, startProcess } from '../../../server/tests/support/programs/process.ts';

const CONFIGURATION = new URL('../../../deploy/coturn/turnserver.conf', import.meta.url);
/** A binding request without attributes. Source: RFC 8489 section 5. */
const BINDING = Buffer.from('000100002112a442000102030405060708090a0b', 'hex');
const POLL_MS = 50;

export interface RunningTurn {
  url: string;
  secret: string;
  stop(): Promise<void>;
}

/** The path of coturn, which is installed if that is allowed; prints a message and returns null if there is none. */
export const findTurn = () => findProgram('/usr/bin/turnserver', 'coturn', 'relays are not tested.');

/** A user name and password in the form that members get. Takes the secret that signs them. */
export function turnPassword(secret: string): { username: string; credential: string } {
  const username = `${Math.floor(Date.now() / 1000) + 3600}:journey`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}

/** Starts coturn. Resolves when it answers a binding request. */
export async function startTurn(program: string): Promise<RunningTurn> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldroom-turn-'));
  const port = await freePort();
  const secret = 'turn-secret-of-the-journeys';
  const text = (await readFile(CONFIGURATION, 'utf8'))
    .replace('PUT-THE-VALUE-OF-TURN_SECRET-HERE', secret)
    .replace(/^listening-port=.*$/m, `listening-ip=127.0.0.1\nrelay-ip=127.0.0.1\nlistening-port=${port}`)
    // The journeys' peers are all on loopback, which the deployed rules deny.
    .replace(/^denied-peer-ip=(?:127\.|::1).*$/gm, '')
    .replace(/^(?:tls-listening-port|syslog).*$/gm, '');
  const file = join(folder, 'turnserver.conf');
  const settings = [
    ...['allow-loopback-peers', 'no-tls', 'no-dtls', 'log-file=stdout'],
    ...[`pidfile=${join(folder, 'pid')}`, `userdb=${join(folder, 'db')}`],
  ];
  await writeFile(file, `${text}\n${settings.join('\n')}\n`);
  const started = startProcess(program, ['-c', file], { outputMax: 20_000 });
  const probe = createSocket('udp4');
  const asking = setInterval(() => probe.send(BINDING, port, '127.0.0.1'), POLL_MS);
  try {
    await Promise.race([
      once(probe, 'message'),
      once(started.child, 'exit').then(() => {
        throw new Error(`coturn ended:\n${started.output()}`);
      }),
    ]);
  } finally {
    clearInterval(asking);
    probe.close();
  }
  return {
    url: `turn:127.0.0.1:${port}?transport=udp`,
    secret,
    async stop() {
      await started.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
