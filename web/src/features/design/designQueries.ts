/** What pages fetch about the therapist's own design, and under which key it is cached. */
import { allTemplates } from '@fieldroom/contract/design';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api/index.ts';
import { storage } from '../../platform/storage.ts';
import { groundPicture } from './ground/groundPicture.ts';
import { keepMenus } from './menus/keptMenus.ts';
import { designOf, type OwnDesign } from './ownDesign.ts';

const ownId = () => storage.get('user')?.id ?? 0;

export const designQueries = {
  /** The therapist's own design. Its menus are stored for the next page's first paint. */
  own: () =>
    queryOptions({
      queryKey: ['design', ownId()],
      queryFn: async ({ signal }): Promise<OwnDesign> => {
        const therapistId = ownId();
        const design = designOf(await api.call(allTemplates, { params: { therapistId }, signal }));
        keepMenus(therapistId, design);
        return design;
      },
      // The first page does not repeat the requests that were made ahead of it.
      staleTime: 30_000,
    }),

  /** Address of the therapist's own picture, decoded. */
  picture: (imageId: string) =>
    queryOptions({
      queryKey: ['design', ownId(), 'picture', imageId],
      queryFn: () => groundPicture(ownId(), imageId),
      staleTime: Infinity,
      gcTime: 0,
    }),
};

/** Replaces the known design by the saved one, here and for the next page. */
export async function noteDesign(client: QueryClient, design: OwnDesign): Promise<void> {
  const { queryKey } = designQueries.own();
  // A pending answer may be from before the save.
  await client.cancelQueries({ queryKey, exact: true });
  keepMenus(ownId(), design);
  client.setQueryData(queryKey, design);
}
