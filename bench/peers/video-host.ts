/**
 * The embedded engine alone in a process of its own (argument: its threads), so that what it costs is what the
 * process costs. Its interface is called over the channel to the bench.
 */
import { createEmbeddedEngine } from '../../server/src/features/video/engine/index.ts';
import type { EngineSession } from '../../server/src/features/video/video.types.ts';
import type { HostAnswer, HostAsk } from './video-contenders.ts';

const engine = createEmbeddedEngine({ workers: Number(process.argv[2] ?? 1), loopback: true });
const sessions = new Map<number, EngineSession>();
const tell = (answer: HostAnswer) => process.send?.(answer);

async function answer(ask: HostAsk): Promise<unknown> {
  switch (ask.verb) {
    case 'open':
      sessions.set(
        ask.session,
        await engine.open(ask.room, ask.person, (event) => tell({ session: ask.session, event })),
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
    (value) => tell({ call: ask.call, value }),
    (error: unknown) => tell({ call: ask.call, error: String(error) }),
  );
});
const end = () => void engine.stop().finally(() => process.exit(0));
process.on('disconnect', end);
// Profiles are written at an orderly end only.
process.on('SIGTERM', end);
