/**
 * The embedded engine alone in a process, so that the process's CPU time is the engine's. The benchmark calls the
 * engine over the IPC channel. Argument: the number of threads.
 */
import { createEmbeddedEngine } from '../../server/src/features/video/engine/index.ts';
import type { EngineSession } from '../../server/src/features/video/video.types.ts';
import type { HostAnswer, HostAsk } from './video-contenders.ts';

const engine = createEmbeddedEngine({ workers: Number(process.argv[2] ?? 1), loopback: true });
const sessions = new Map<number, EngineSession>();
const send = (answer: HostAnswer) => process.send?.(answer);

async function answer(ask: HostAsk): Promise<unknown> {
  switch (ask.verb) {
    case 'open':
      sessions.set(
        ask.session,
        await engine.open(ask.room, ask.person, (event) => send({ session: ask.session, event })),
      );
      return null;
    case 'attach':
      return sessions.get(ask.session)!.attach();
    case 'request':
      return sessions.get(ask.session)!.request(ask.handle, ask.request, ask.jsep);
    case 'close':
      await sessions.get(ask.session)!.close();
      sessions.delete(ask.session);
      return null;
    case 'closeRoom':
      await engine.closeRoom(ask.therapistId);
      return null;
    case 'stats':
      return engine.stats();
  }
}

process.on('message', (ask: HostAsk) => {
  answer(ask).then(
    (value) => send({ call: ask.call, value }),
    (error: unknown) => send({ call: ask.call, error: String(error) }),
  );
});
const end = () => void engine.stop().finally(() => process.exit(0));
process.on('disconnect', end);
// Node writes profiles only when it exits normally.
process.on('SIGTERM', end);
