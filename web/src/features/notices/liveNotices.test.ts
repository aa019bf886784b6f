// @vitest-environment happy-dom
/** The bell's connection when the server refuses it. */
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiProblem } from '../../platform/api/index.ts';
import { keepSignIn, storage } from '../../platform/storage.ts';
import { therapist } from '../events/eventPages.testing.tsx';
import { listenToNotices } from './liveNotices.ts';

const world = vi.hoisted(() => ({ refuse: (_problem: Error): void => {}, called: [] as string[] }));
vi.mock('../../platform/realtime/index.ts', () => ({
  createConnection: () => ({
    on: () => () => {},
    onState: () => () => {},
    whenOpen: () => () => {},
    onRefused(listener: typeof world.refuse) {
      world.refuse = listener;
      return () => {};
    },
    close() {},
  }),
}));
vi.mock('../../platform/api/index.ts', async (original) => ({
  ...(await original<object>()),
  api: {
    async call({ path }: { path: string }) {
      world.called.push(path);
      throw new ApiProblem('session_expired');
    },
  },
}));

beforeEach(() => keepSignIn(storage, { token: 't', user: therapist }));

test('3.26 a page that is signed out elsewhere checks the sign-in, which leads to the sign-in page', () => {
  const nothing = () => undefined;
  listenToNotices({ onState: nothing, onRoom: nothing, onOpen: nothing, onLost: nothing });
  expect(world.called).toEqual([]);
  world.refuse(new ApiProblem('session_expired'));
  expect(world.called).toEqual(['/api/getCurrentUserData/']);
});
