import { isTherapist } from '@fieldroom/contract/accounts';
import { useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryClient } from '../../../platform/fetching/queryClient.ts';
import { storage } from '../../../platform/storage.ts';
import { designQueries } from '../designQueries.ts';
import { THEME_DESIGN } from '../ownDesign.ts';
import { keptMenus } from './keptMenus.ts';
import { leftMenuLook, topMenuLook } from './menuLook.ts';

/** Clients and admins without a practice have no design. */
const therapistHere = () => {
  const user = storage.get('user');
  return isTherapist(user) ? user : null;
};

/**
 * The colours of the two menus as inline styles: first those stored in this browser, then the account's, and those that
 * another tab saves.
 */
export function useMenuLook() {
  const id = therapistHere()?.id ?? null;
  const { data, refetch } = useQuery({ ...designQueries.own(), enabled: id !== null });
  const kept = useMemo(() => (id === null ? null : keptMenus(id)), [id]);
  useWindowEvent('storage', ({ key }) => {
    if (key === 'menus' && id !== null) void refetch();
  });
  const { left, top } = (id !== null && (data ?? kept)) || THEME_DESIGN;
  return useMemo(() => ({ left: leftMenuLook(left), top: topMenuLook(top) }), [left, top]);
}

/** A page in the theme's colours now is better than one in its own colours later. */
const PATIENCE_MS = 1_500;

/**
 * Fetches the colours before the first page if this browser has stored none. Without an answer within
 * {@link PATIENCE_MS}, the theme's are shown until it arrives.
 */
export async function fetchMenus(): Promise<void> {
  const user = therapistHere();
  if (user === null || keptMenus(user.id) !== null) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([queryClient.fetchQuery(designQueries.own()).catch(() => undefined), patience]);
  clearTimeout(timer);
}
