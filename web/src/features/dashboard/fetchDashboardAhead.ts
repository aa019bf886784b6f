/**
 * Fetches the dashboard's data as soon as its code is loaded: the frame's words and the menus' colours may still be
 * loading then.
 */
import { isTherapist } from '@fieldroom/contract/accounts';
import type { OwnEvent } from '@fieldroom/contract/events';
import type { QueryClient } from '@tanstack/react-query';
import { askAhead } from '../../platform/fetching/askedAhead.ts';
import { queryClient } from '../../platform/fetching/queryClient.ts';
import { storage } from '../../platform/storage.ts';
import { sharedClock } from '../../platform/time/sharedClock.ts';
import { clockQuery } from '../../platform/time/useProductClock.ts';
import { eventQueries, rowPictureAddress } from '../events/list/index.ts';
import { sessionQueries } from '../sessions/index.ts';
import { usageQuery } from '../usage/running/index.ts';
import { dashboardQueries } from './dashboardQueries.ts';

/** Takes the query client. Resolves when the answers have arrived; the cards repeat failed requests. */
export async function fetchDashboardAhead(queries: QueryClient = queryClient): Promise<void> {
  // The guard may lead people without a practice elsewhere.
  if (!isTherapist(storage.get('user'))) return;
  const upcoming = eventQueries.page('upcoming', {}, 0);
  await Promise.all([
    askAhead(queries, [upcoming, clockQuery(), sessionQueries.latest(), usageQuery(), dashboardQueries.bookings()]),
    // The same call, which is already pending.
    queries.fetchQuery(upcoming).then(({ content: [next] }) => next && fetchPicture(next), nothing),
    // The timer's clock sends the same request.
    sharedClock().then(nothing, nothing),
  ]);
}

const nothing = () => undefined;

/**
 * The next event's picture is the largest element of the page; otherwise the browser would learn of it only from the
 * card.
 */
function fetchPicture(next: OwnEvent): void {
  const address = rowPictureAddress(next);
  if (address === null) return;
  const link = document.createElement('link');
  const wanted = { rel: 'preload', as: 'image', fetchpriority: 'high', href: address };
  for (const [name, value] of Object.entries(wanted)) link.setAttribute(name, value);
  document.head.append(link);
}
