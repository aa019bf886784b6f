/** A look back while the live session runs (docs/product.md#6.16). */
import type { Move, Replay, ReplayPart } from '@fieldroom/contract/moments';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../../platform/fetching/queryClient.ts';
import { aFigure } from '../../sessions/sessions.testing.tsx';
import { useReplay } from './useReplay.ts';

const world = vi.hoisted(() => ({ part: {} as unknown, replay: {} as unknown }));
vi.mock('../../../platform/api/index.ts', async (original) => ({
  ...(await original<object>()),
  api: { call: async ({ path }: { path: string }) => (path.includes('firstMove') ? world.part : world.replay) },
}));

afterEach(cleanup);

const startsOn = '2026-12-03T09:30:00Z';
const movedTo = (x: number): Move => ({
  number: 1,
  revision: x,
  movedOn: startsOn,
  by: 'client',
  kind: 'act',
  steps: [{ figureId: 1, set: { x } }],
});

test('6.15 a quick repeat that is merged into the last move is shown', async () => {
  const part = (x: number): ReplayPart => ({
    firstMove: 1,
    startsOn,
    figures: [aFigure({ id: 1 })],
    moves: [movedTo(x)],
  });
  world.replay = {
    ...{ liveSessionId: 5, startedOn: startsOn, endedOn: null, lastMove: 1, moments: [] },
    parts: [{ firstMove: 1, startsOn }],
  } satisfies Replay;
  world.part = part(200);
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result, rerender } = renderHook(({ revision }) => useReplay(5, 1, revision), {
    wrapper,
    initialProps: { revision: 7 },
  });
  await waitFor(() => expect(result.current.shown?.figures[0]?.x).toBe(200));
  world.part = part(300);
  rerender({ revision: 8 });
  await waitFor(() => expect(result.current.shown?.figures[0]?.x).toBe(300));
});
