import { getCurrentUserData, isClient } from '@fieldroom/contract/accounts';
import { useWindowEvent } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { api } from '../../platform/api/index.ts';
import { storage, type StoredUser } from '../../platform/storage.ts';

export interface CurrentUser {
  user: StoredUser | null;
  /** Asks the server again, unless a request is pending. */
  refresh(): void;
  /** Asks the server after a change; an answer to an earlier question does not contain it. */
  changed(): void;
}

/**
 * The signed-in person. It starts from the stored value, an unverified claim of an earlier visit, and follows changes
 * by other tabs of this browser and the server's answer. If the server can't be reached, the stored value stays; the
 * app handles an ended sign-in. Clients are not asked about.
 */
export function useCurrentUser(): CurrentUser {
  const [user, setUser] = useState(() => storage.get('user'));
  const reread = useCallback(() => setUser(storage.get('user')), []);
  const queries = useQueryClient();
  const id = user?.id ?? 0;
  const { data, refetch } = useQuery({
    queryKey: ['current-user', id],
    queryFn: async ({ signal }) => {
      const now = await api.call(getCurrentUserData, { signal });
      // Another tab may have signed out, or signed somebody else in, before the answer arrived.
      if (storage.get('user')?.id === now.id) storage.set('user', now);
      return now;
    },
    enabled: user !== null && !isClient(user),
    // This is how a page without a connection learns that it was signed out on another device (docs/product.md#3.26).
    refetchOnWindowFocus: true,
  });
  useEffect(reread, [data, reread]);
  useWindowEvent('storage', reread);
  const refresh = useCallback(() => void refetch({ cancelRefetch: false }), [refetch]);
  const changed = useCallback(
    () => void queries.cancelQueries({ queryKey: ['current-user', id] }).then(() => refetch()),
    [queries, id, refetch],
  );
  return { user, refresh, changed };
}
