/**
 * Queries that only the dashboard uses. Keys begin with the therapist's id, so that nobody sees another person's data.
 */
import { getLatestBookings } from '@fieldroom/contract/bookings';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api/index.ts';
import { CHANGES_WITH_NEWS } from '../../platform/fetching/news.ts';
import { storage } from '../../platform/storage.ts';

/**
 * For cards that are drawn once the first steps are known (`useFirstSteps`). The page watches the same queries and has
 * just fetched them; a later card would fetch them again.
 */
export const ASKED = { refetchOnMount: false } as const;

/** The id of the signed-in person; 0 for nobody. */
export const ownId = () => storage.get('user')?.id ?? 0;

export const dashboardQueries = {
  /** Bookings come from other people's browsers, so they are fetched again whenever the page gets the focus. */
  bookings: () =>
    queryOptions({
      queryKey: ['latest-bookings', ownId()],
      queryFn: ({ signal }) => api.call(getLatestBookings, { signal }),
      refetchOnWindowFocus: true,
      meta: CHANGES_WITH_NEWS,
    }),
};
