/** In which order the room hears of its video, without a database. Numbers are those of README.md. */
import { DEFAULT_VIDEO_SETTINGS, type VideoSettings } from '@fieldroom/contract/video';
import { expect, test, vi } from 'vitest';
import type { VideoParts } from './video.service.ts';

let row: VideoSettings = DEFAULT_VIDEO_SETTINGS;
/** Lets reads that are under way come back. */
const reads: (() => void)[] = [];
vi.mock('./video.store.ts', () => ({
  async readRoom() {
    const settings = row;
    await new Promise<void>((resolve) => reads.push(resolve));
    return { settings, stage: null };
  },
  writeSettings: async (_db: unknown, _therapistId: number, changed: Partial<VideoSettings>) =>
    (row = { ...row, ...changed }),
  writeStage: async () => {},
}));
const { createVideoService } = await import('./video.service.ts');

const settled = () => new Promise((resolve) => setImmediate(resolve));
async function answerReads(): Promise<void> {
  for (let round = 0; round < 5; round++) {
    reads.splice(0).forEach((answer) => answer());
    await settled();
  }
}

test('11: a person who joins while a setting changes never gets the old state after the new one', async () => {
  const told: boolean[] = [];
  let tail: Promise<unknown> = Promise.resolve();
  const service = createVideoService({
    room: { inOrder: <T>(_id: number, work: () => Promise<T>) => (tail = tail.then(work)) },
    publish: (_destination: string, { contents }: { contents: { settings: VideoSettings } }) =>
      void told.push(contents.settings.clientsVisible),
    clients: { people: async () => [], onPeopleChanged: () => {} },
    sessions: { onEnding: () => {} },
    engine: { stop: async () => {} },
    log: { info: () => {}, warn: () => {}, error: (fields: object) => expect.unreachable(JSON.stringify(fields)) },
  } as unknown as VideoParts);
  const joining = service.state(7).then(({ settings }) => told.push(settings.clientsVisible));
  await settled();
  // The joiner's read takes its time; that of the change is quick.
  const slow = reads.splice(0);
  const setting = service.setSettings(7, { clientsVisible: false });
  await settled();
  await answerReads();
  slow.forEach((answer) => answer());
  await settled();
  await answerReads();
  await Promise.all([joining, setting]);
  expect(told).toEqual([true, false]);
  await service.stop();
});
