// @vitest-environment happy-dom
/** A saved design, and an answer that was requested before. */
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../platform/fetching/queryClient.ts';
import { designQueries, noteDesign } from './designQueries.ts';
import { THEME_DESIGN } from './ownDesign.ts';

afterEach(() => vi.unstubAllGlobals());

test('an answer from before the save does not overwrite the saved design', async () => {
  let answer = () => {};
  const old = () => Response.json([{ type: 'BACKGROUND_COLOR', bgColor: null }]);
  vi.stubGlobal('fetch', () => new Promise((resolve) => (answer = () => resolve(old()))));
  const client = createQueryClient();
  const { queryKey } = designQueries.own();
  client.setQueryData(queryKey, THEME_DESIGN);
  const late = client.fetchQuery({ ...designQueries.own(), staleTime: 0 }).catch(() => undefined);
  await vi.waitFor(() => expect(client.isFetching()).toBe(1));
  await noteDesign(client, { ...THEME_DESIGN, color: '#2f4a3c' });
  answer();
  await late;
  expect(client.getQueryData(queryKey)?.color).toBe('#2f4a3c');
});
