/** A TURN server of the journeys' own: Debian's coturn with the rules of deploy/coturn, on loopback. */
import { createHmac } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../server/src/features/video/video.fixture.ts';
import { freePort, startProcess } from '../../server/tests/support/process.ts';

const CONFIGURATION = new URL('../../deploy/coturn/turnserver.conf', import.meta.url);
/** A binding request without anything in it. Source: RFC 8489 section 5. */
const BINDING = Buffer.from('000100002112a442000102030405060708090a0b', 'hex');
const LOOK_EVERY_MS = 50;

export interface RunningTurn {
  url: string;
  secret: string;
  stop(): Promise<void>;
}

export const findTurn = () => findProgram('/usr/bin/turnserver', 'coturn', 'relays are not tried.');

/** A name and password as a member gets them, made with any secret. */
export function turnPassword(secret: string): { username: string; credential: string } {
  const username = `${Math.floor(Date.now() / 1000) + 3600}:journey`;
  return { username, credential: createHmac('sha1', secret).update(username).digest('base64') };
}

/** Starts it; ready when it answers. */
export async function startTurn(program: string): Promise<RunningTurn> {
  const folder = await mkdtemp(join(tmpdir(), 'fieldroom-turn-'));
  const port = await freePort();
  const secret = 'turn-secret-of-the-journeys';
  const text = (await readFile(CONFIGURATION, 'utf8'))
    .replace('PUT-THE-VALUE-OF-TURN_SECRET-HERE', secret)
    .replace(/^listening-port=.*$/m, `listening-ip=127.0.0.1\nrelay-ip=127.0.0.1\nlistening-port=${port}`)
    // Here everything is on this machine; nobody else's network is behind it.
    .replace(/^denied-peer-ip=(?:127\.|::1).*$/gm, '')
    .replace(/^(?:tls-listening-port|syslog).*$/gm, '');
  const file = join(folder, 'turnserver.conf');
  await writeFile(
    file,
    `${text}\nallow-loopback-peers\nno-tls\nno-dtls\nlog-file=stdout\npidfile=${join(folder, 'pid')}\nuserdb=${join(folder, 'db')}\n`,
  );
  const started = startProcess(program, ['-c', file], { outputMax: 20_000 });
  const probe = createSocket('udp4');
  const asking = setInterval(() => probe.send(BINDING, port, '127.0.0.1'), LOOK_EVERY_MS);
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
