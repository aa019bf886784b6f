import { useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryClient } from '../../../platform/queryClient.ts';
import { storage } from '../../../platform/storage.ts';
import { designQueries } from '../designQueries.ts';
import { THEME_DESIGN } from '../ownDesign.ts';
import { keptMenus } from './keptMenus.ts';
import { leftMenuLook, topMenuLook } from './menuLook.ts';

/** Clients and admins without a practice have no design. */
const therapistHere = () => {
  const user = storage.get('user');
  return user?.authorities.includes('ROLE_THERAPIST') === true ? user : null;
};

/**
 * The colours of the two menus as inline styles: those that this browser keeps at once, then those of the account, and
 * those that another tab saves.
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

/** Fetches the colours before the first page where this browser keeps none. Without an answer the theme's are shown. */
export async function fetchMenus(): Promise<void> {
  const user = therapistHere();
  if (user === null || keptMenus(user.id) !== null) return;
  await queryClient.fetchQuery(designQueries.own()).catch(() => undefined);
}
