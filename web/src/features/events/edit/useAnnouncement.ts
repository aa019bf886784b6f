/** Who would get an email if a change were saved. Only the server knows, so it is asked once the typing rests. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ASK_AFTER_MS } from '../../../ui/typingTimes.ts';
import { eventQueries } from '../eventQueries.ts';
import type { Announced, EventPayload } from '../eventsApi.ts';

export interface Announcement {
  /** The occurrences whose people are told; null until the server has answered for this very change. */
  told: Announced | null;
  /** Why it could not be found out; null while it is being asked, or when it is known. */
  problem: unknown;
  /**
   * Asks where the answer is not there yet. Returns it, and whether it was shown before. Throws what the server
   * refuses.
   */
  ask(): Promise<{ told: Announced; shown: boolean }>;
}

/** How many people are in an announcement. */
export const peopleIn = (told: Announced): number =>
  told.reduce((sum, { held, confirmed }) => sum + held + confirmed, 0);

/** Takes the change as it would be saved; null where nobody is told, or where it can't be saved yet. */
export function useAnnouncement(payload: EventPayload | null): Announcement {
  const queries = useQueryClient();
  const key = JSON.stringify(payload);
  const [rested] = useDebouncedValue(key, ASK_AFTER_MS);
  const options = eventQueries.announced(payload);
  const { data, error } = useQuery({ ...options, enabled: payload !== null && rested === key });
  return {
    told: data ?? null,
    problem: error,
    async ask() {
      if (data) return { told: data, shown: true };
      return { told: await queries.fetchQuery(options), shown: false };
    },
  };
}
