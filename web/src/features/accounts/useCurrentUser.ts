import { getCurrentUserData, isClient } from '@fieldroom/contract/accounts';
import { useWindowEvent } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { api } from '../../platform/api/index.ts';
import { storage, type StoredUser } from '../../platform/storage.ts';

export interface CurrentUser {
  user: StoredUser | null;
  /** Asks the server again. */
  refresh(): void;
}

/**
 * The signed-in person as stored, as another tab of this browser changes it, and as the server knows it now: what is
 * stored is a claim of an earlier visit. Where the server can't be reached, what is stored stays; the app handles an
 * ended sign-in. Clients are not asked about.
 */
export function useCurrentUser(): CurrentUser {
  const [user, setUser] = useState(() => storage.get('user'));
  const reread = useCallback(() => setUser(storage.get('user')), []);
  const { data, refetch } = useQuery({
    queryKey: ['current-user', user?.id ?? 0],
    queryFn: async ({ signal }) => {
      const now = await api.call(getCurrentUserData, { signal });
      storage.set('user', now);
      return now;
    },
    enabled: user !== null && !isClient(user),
  });
  useEffect(reread, [data, reread]);
  useWindowEvent('storage', reread);
  const refresh = useCallback(() => void refetch({ cancelRefetch: false }), [refetch]);
  return { user, refresh };
}
