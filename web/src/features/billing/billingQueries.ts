/** What the subscription page fetches, and under which key it is cached. Keys begin with the therapist's id. */
import { getUserLocation } from '@fieldroom/contract/accounts';
import { type Billing, findBills, getBilling } from '@fieldroom/contract/billing';
import { getUsage, type Usage } from '@fieldroom/contract/usage';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api/index.ts';
import { storage } from '../../platform/storage.ts';
import { isCountry } from './customer/countryNames.ts';

/** Bills on one page of the list. */
export const BILLS_PAGE_SIZE = 12;

/** The signed-in therapist's id; the server believes its own sign-in record. */
export const ownId = (): number => storage.get('user')?.id ?? 0;

const orNull = <T>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null);

export interface Overview {
  billing: Billing;
  /** null if it could not be fetched: the page works without it. */
  usage: Usage | null;
  /** The country where the browser seems to be; empty if unknown. */
  suggestedCountry: string;
}

async function findOverview(signal: AbortSignal): Promise<Overview> {
  const [billing, usage, location] = await Promise.all([
    api.call(getBilling, { signal }),
    orNull(api.call(getUsage, { signal })),
    orNull(api.call(getUserLocation, { signal })),
  ]);
  const country = location?.countryCode ?? '';
  return { billing, usage, suggestedCountry: isCountry(country) ? country : '' };
}

export const billingQueries = {
  all: () => ['billing', ownId()] as const,

  /** The plan, the customer, prices and the running month; how much of the trial is used; the browser's country. */
  overview: () =>
    queryOptions({
      queryKey: [...billingQueries.all(), 'overview'],
      queryFn: ({ signal }) => findOverview(signal),
    }),

  /** A page of bills, from 0. The previous page is shown until the next answer. */
  bills: (page: number) =>
    queryOptions({
      queryKey: [...billingQueries.all(), 'bills', page],
      queryFn: ({ signal }) => api.call(findBills, { query: { page, size: BILLS_PAGE_SIZE }, signal }),
      placeholderData: keepPreviousData,
    }),
};
