/** The video engines behind one interface: the embedded engine in its own process, and Debian's Janus. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createJanusEngine } from '../../server/src/features/video/janus/janus.engine.ts';
import type {
  EngineEvent,
  EngineReply,
  EngineRequest,
  EngineStats,
  Jsep,
  RoomSpec,
  VideoEngine,
} from '../../server/src/features/video/video.types.ts';
import { freePort, startNode, startProgram, tempFolder, until } from '../lib/service/processes.ts';

const JANUS = '/usr/bin/janus';
const DEPLOY = fileURLToPath(new URL('../../deploy/janus/', import.meta.url));
const HOST = fileURLToPath(new URL('video-host.ts', import.meta.url));

export type HostAsk = { call: number } & (
  | { verb: 'open'; session: number; room: RoomSpec; person: { id: number; as: 'therapist' | 'client' } }
  | { verb: 'attach' | 'close'; session: number }
  | { verb: 'request'; session: number; handle: number; request: EngineRequest; jsep?: Jsep }
  | { verb: 'closeRoom'; therapistId: number }
  | { verb: 'stats' }
);
export type HostAnswer = { call: number; value?: unknown; error?: string } | { session: number; event: EngineEvent };
type WithoutCall<T> = T extends unknown ? Omit<T, 'call'> : never;

export interface VideoContender {
  name: string;
  /** The process whose CPU time is measured. */
  pid: number;
  engine: Pick<VideoEngine, 'open' | 'closeRoom'>;
  /** The engine's own statistics; null when it has none. */
  stats(): Promise<EngineStats | null>;
}

/** Starts our engine. Takes flags for Node, such as `--cpu-prof`, and the number of threads. */
export async function embedded(nodeFlags: string[] = [], threads = 1): Promise<VideoContender> {
  const host = startNode(HOST, [String(threads)], { ipc: true, nodeFlags });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const listeners = new Map<number, (event: EngineEvent) => void>();
  let calls = 0;
  let sessions = 0;
  host.child.on('message', (answer: HostAnswer) => {
    if ('event' in answer) return listeners.get(answer.session)?.(answer.event);
    const asked = waiting.get(answer.call);
    waiting.delete(answer.call);
    if (answer.error === undefined) asked?.resolve(answer.value);
    else asked?.reject(new Error(answer.error));
  });
  host.child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`the engine's process ended:\n${host.output()}`));
  });
  const ask = <T>(what: WithoutCall<HostAsk>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const call = ++calls;
      waiting.set(call, { resolve: resolve as (value: unknown) => void, reject });
      host.child.send({ ...what, call });
    });
  return {
    name: 'Fieldroom',
    pid: host.pid,
    stats: () => ask<EngineStats>({ verb: 'stats' }),
    engine: {
      async open(room, person, listener) {
        const session = ++sessions;
        listeners.set(session, listener);
        await ask({ verb: 'open', session, room, person });
        return {
          attach: () => ask<number>({ verb: 'attach', session }),
          request: (handle, request, jsep) =>
            ask<EngineReply>({ verb: 'request', session, handle, request, ...(jsep && { jsep }) }),
          trickle: () => undefined,
          hangup: () => Promise.resolve(),
          detach: () => Promise.resolve(),
          close: () => ask<void>({ verb: 'close', session }),
        };
      },
      closeRoom: (therapistId) => ask<void>({ verb: 'closeRoom', therapistId }),
    },
  };
}

/** Starts Debian's Janus with the settings of `deploy/janus`. Returns null when it is not installed. */
export async function janus(): Promise<VideoContender | null> {
  if (!existsSync(JANUS)) return null;
  const folder = await tempFolder('janus');
  const port = await freePort();
  for (const file of ['janus.jcfg', 'janus.transport.websockets.jcfg', 'janus.plugin.videoroom.jcfg']) {
    const text = (await readFile(join(DEPLOY, file), 'utf8'))
      .replace('"/etc/janus"', JSON.stringify(folder))
      .replace(/PUT-THE-VALUE-OF-\w+-HERE/, 'bench')
      .replace('ws_port = 8188', `ws_port = ${port}`);
    await writeFile(join(folder, file), text);
  }
  const started = startProgram(JANUS, ['-F', folder, '-C', join(folder, 'janus.jcfg')]);
  const silent = { info: () => undefined, warn: () => undefined };
  const engine = createJanusEngine({
    urls: [`ws://127.0.0.1:${port}`],
    secret: 'bench',
    adminKey: 'bench',
    log: silent,
  });
  await until('Janus', () => {
    if (started.child.exitCode !== null) throw new Error(`Janus ended:\n${started.output()}`);
    return engine.ready();
  });
  return { name: 'Janus 1.1.2', pid: started.pid, engine, stats: () => Promise.resolve(null) };
}
