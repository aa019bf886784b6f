/** Who would get an email if a change were saved. Only the server knows, so it is asked once typing pauses. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ASK_AFTER_MS } from '../../../ui/typingTimes.ts';
import { eventQueries } from '../eventQueries.ts';
import type { Announced, EventPayload } from '../eventsApi.ts';

export interface Announcement {
  /** The occurrences whose people get an email; null until the server has answered for exactly this change. */
  told: Announced | null;
  /** Why it could not be determined; null while the request is pending, or when it is known. */
  problem: unknown;
  /**
   * Asks the server if the answer is not known yet. Returns it, and whether it was shown before. Throws the server's
   * refusal.
   */
  ask(): Promise<{ told: Announced; shown: boolean }>;
}

/** The number of people in an announcement. */
export const peopleIn = (told: Announced): number =>
  told.reduce((sum, { held, confirmed }) => sum + held + confirmed, 0);

/** Takes the change as it would be saved; null if nobody would get an email, or if it can't be saved yet. */
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
