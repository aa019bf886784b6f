/**
 * The tabs of each therapist: which of them are in use, and when those that were left want the timer to stop (rule 4).
 * It is kept in memory: after a restart tabs are known again when they call `startTimer`. Several nodes share it by the
 * table `usage_tabs`, which the service writes and reads with each change.
 */

/** A stop that a tab scheduled, and how long before it that was; milliseconds of product time. */
export interface Scheduled {
  readonly atMs: number;
  readonly spanMs: number;
}

/** The tabs of a therapist in the form for other nodes. */
export type StoredTabs = readonly (readonly [tab: string, scheduled: Scheduled | null])[];

/** Programs that do not name their tab count as one. */
const UNNAMED = '';

/** Makes the record of all therapists' tabs. Times are milliseconds of product time. */
export function createTabs() {
  /** By therapist and tab; null is a tab in use. */
  const byTherapist = new Map<number, Map<string, Scheduled | null>>();

  function tabsOf(therapistId: number): Map<string, Scheduled | null> {
    let tabs = byTherapist.get(therapistId);
    if (tabs === undefined) byTherapist.set(therapistId, (tabs = new Map()));
    return tabs;
  }

  return {
    use: (therapistId: number, tab = UNNAMED): void => void tabsOf(therapistId).set(tab, null),
    leave: (therapistId: number, tab: string | undefined, scheduled: Scheduled): void =>
      void tabsOf(therapistId).set(tab ?? UNNAMED, scheduled),

    /**
     * The stop that counts: the latest one, if no tab is in use. A tab whose stop passed while another was used is
     * removed.
     */
    stop(therapistId: number, nowMs: number): Scheduled | null {
      const tabs = tabsOf(therapistId);
      if ([...tabs.values()].includes(null)) {
        for (const [tab, scheduled] of tabs) if (scheduled !== null && scheduled.atMs <= nowMs) tabs.delete(tab);
        return null;
      }
      return latestOf(tabs)?.[1] ?? null;
    },

    /** How long before its moment the stop that is due was scheduled. */
    latest: (therapistId: number): Scheduled | null => latestOf(tabsOf(therapistId))?.[1] ?? null,

    /** The room was in use when the stop was due, so it is checked again. The other tabs' stops have passed too. */
    putOff(therapistId: number, atMs: number): void {
      const tabs = tabsOf(therapistId);
      const last = latestOf(tabs);
      if (last === null) return;
      tabs.clear();
      tabs.set(last[0], { ...last[1], atMs });
    },

    /** The timer stopped as the tabs wanted: those tabs are removed. */
    forgetLeft(therapistId: number): void {
      const tabs = tabsOf(therapistId);
      for (const [tab, scheduled] of tabs) if (scheduled !== null) tabs.delete(tab);
    },

    /** For other nodes: what the tabs want, and to take over what the last one wrote. */
    write: (therapistId: number): StoredTabs => [...(byTherapist.get(therapistId) ?? [])],
    read: (therapistId: number, stored: StoredTabs): void => void byTherapist.set(therapistId, new Map(stored)),

    /** The live session is over. */
    forget: (therapistId: number): void => void byTherapist.delete(therapistId),
  };
}

export type Tabs = ReturnType<typeof createTabs>;

function latestOf(tabs: ReadonlyMap<string, Scheduled | null>): [string, Scheduled] | null {
  let latest: [string, Scheduled] | null = null;
  for (const [tab, scheduled] of tabs)
    if (scheduled !== null && (latest === null || scheduled.atMs >= latest[1].atMs)) latest = [tab, scheduled];
  return latest;
}
