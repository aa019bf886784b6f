/** The side menu (docs/product.md#11.5, 11.35): ids are element ids, targets are routes; admins have one entry more. */
import { isClient, isTherapist } from '@fieldroom/contract/accounts';
import {
  API_DOCS_PAGE,
  BROWSER_LOGS_PAGE,
  BUG_REPORTS_PAGE,
  DASHBOARD_PAGE,
  FEATURES_PAGE,
  HELP_PAGE,
  HISTORY_PAGE,
  JOBS_PAGE,
  MY_EVENTS_PAGE,
  PACKAGE_PAGE,
  PROFILE_PAGE,
  PROGRAM_PAGE,
  SUPPORT_PAGE,
  TEMPLATE_PAGE,
  THERAPIST_ROOM,
  USAGE_PAGE,
} from '@fieldroom/contract/pages';
import {
  IconBook2,
  IconBug,
  IconCalendarEvent,
  IconCalendarPlus,
  IconClockPlay,
  IconChartBar,
  IconFocusCentered,
  IconHelpCircle,
  IconHistory,
  IconHome,
  IconLeaf,
  IconLifebuoy,
  IconListDetails,
  IconMessageQuestion,
  IconPalette,
  IconSparkles,
  IconTool,
  IconUserCircle,
  type Icon,
} from '@tabler/icons-react';

interface EntryWords {
  id: string;
  icon: Icon;
  /** Key under `shell:menu`. */
  label: string;
}
/** An entry that leads to a page. */
export interface MenuLink extends EntryWords {
  target: string;
  /** The target is a separate document, which opens in a new window. */
  newWindow?: true;
}
/** An entry that expands its sub-entries. */
export interface MenuParent extends EntryWords {
  entries: readonly MenuLink[];
}
/** An entry of the first level; entries of one group are together. */
export type MenuEntry = (MenuLink | MenuParent) & { group: 1 | 2 | 3 | 4 };

/** Whether an entry expands sub-entries instead of leading to a page. */
export const isParent = (entry: MenuLink | MenuParent): entry is MenuParent => 'entries' in entry;

const FEATURES: MenuLink = { id: 'features', icon: IconSparkles, label: 'features', target: FEATURES_PAGE };
const SUPPORT: MenuLink = { id: 'support', icon: IconMessageQuestion, label: 'support', target: SUPPORT_PAGE };
const HELP_ENTRIES: readonly MenuLink[] = [
  { id: 'faq', icon: IconHelpCircle, label: 'welcome', target: HELP_PAGE },
  FEATURES,
  SUPPORT,
  { id: 'api', icon: IconBook2, label: 'api', target: API_DOCS_PAGE, newWindow: true },
];
const ENTRIES: readonly MenuEntry[] = [
  { id: 'dashboard', icon: IconHome, label: 'dashboard', target: DASHBOARD_PAGE, group: 1 },
  { id: 'play-area', icon: IconFocusCentered, label: 'play-area', target: THERAPIST_ROOM, group: 1 },
  {
    id: 'events',
    icon: IconCalendarEvent,
    label: 'manage-events-client',
    target: MY_EVENTS_PAGE,
    group: 2,
  },
  { id: 'programmes', icon: IconCalendarPlus, label: 'program', target: PROGRAM_PAGE, group: 2 },
  { id: 'sessions', icon: IconHistory, label: 'history', target: HISTORY_PAGE, group: 2 },
  { id: 'template', icon: IconPalette, label: 'template', target: TEMPLATE_PAGE, group: 3 },
  { id: 'profile', icon: IconUserCircle, label: 'profile', target: PROFILE_PAGE, group: 3 },
  { id: 'help', icon: IconLifebuoy, label: 'help', entries: HELP_ENTRIES, group: 3 },
];
const ADMIN_ENTRIES: readonly MenuLink[] = [
  { id: 'usage', icon: IconChartBar, label: 'user-system-usage', target: USAGE_PAGE },
  { id: 'cron-job', icon: IconClockPlay, label: 'cron-job-conf', target: JOBS_PAGE },
  { id: 'browser-logs', icon: IconListDetails, label: 'browser-logs', target: BROWSER_LOGS_PAGE },
  { id: 'bug-reports', icon: IconBug, label: 'bug-reports', target: BUG_REPORTS_PAGE },
];
const OPERATION: MenuEntry = { id: 'operation', icon: IconTool, label: 'operation', entries: ADMIN_ENTRIES, group: 4 };

/** At the foot of a therapist's menu. */
const PACKAGE: MenuLink = {
  id: 'package',
  icon: IconLeaf,
  label: 'professional-package',
  target: PACKAGE_PAGE,
};

/** The foot of the menu; null for people who pay nothing. */
export const menuFootFor = (authorities: readonly string[]): MenuLink | null =>
  isTherapist({ authorities }) ? PACKAGE : null;

/** This person's menu. Clients have none. */
export function menuFor(authorities: readonly string[]): readonly MenuEntry[] {
  if (isClient({ authorities })) return [];
  const own = isTherapist({ authorities }) ? ENTRIES : ENTRIES.filter(({ id }) => !PRACTICE.has(id));
  return authorities.includes('ROLE_ADMIN') ? [...own, OPERATION] : own;
}

/** Pages by their names in the user menu of the top bar. That of the history leads to the bills too. */
const ACCOUNT: MenuLink = { id: 'account', icon: IconUserCircle, label: 'account', target: PROFILE_PAGE };
const HISTORY: MenuLink = { id: 'own-history', icon: IconHistory, label: 'own-history', target: HISTORY_PAGE };

/** The targets of the user menu, beside the colours and signing out. */
export function personMenuFor(authorities: readonly string[]): readonly MenuLink[] {
  if (isClient({ authorities })) return [];
  return isTherapist({ authorities }) ? [ACCOUNT, FEATURES, HISTORY, SUPPORT] : [ACCOUNT, FEATURES, SUPPORT];
}

/** The entries that lead to a page, of both levels. */
export const linksOf = (entries: readonly MenuEntry[]): MenuLink[] =>
  entries.flatMap((entry) => (isParent(entry) ? entry.entries : [entry]));

/**
 * Takes the menu and the path of a page. Returns the entry of the first level that the page belongs to, determined by
 * its second path segment; null for a page that is in no menu.
 */
export function selectedEntry(entries: readonly MenuEntry[], path: string): MenuEntry | null {
  const segment = (address: string) => address.split(/[/?#]/)[2]?.toLowerCase();
  const here = segment(path);
  return entries.find((entry) => linksOf([entry]).some(({ target }) => segment(target) === here)) ?? null;
}

/** Entries about a practice, which an operator without one does not have. */
const PRACTICE: ReadonlySet<string> = new Set([
  'dashboard',
  'play-area',
  'events',
  'programmes',
  'sessions',
  'template',
]);

/** Segments of addresses that have no page. */
const WITHOUT_PAGE: ReadonlySet<string> = new Set(['pages', 'miscellaneous']);
const PARAMETER = /^(\d+|[0-9a-f]{8}-[0-9a-f-]{27})$/i;

/**
 * Takes a path. Returns its segments with their addresses for breadcrumb and heading (docs/product.md#11.5), without
 * query and trailing route parameters; the last one names the page.
 */
export function crumbsOf(path: string): { key: string; to: string }[] {
  const segments = (path.split(/[?#]/)[0] ?? '').split('/').filter(Boolean);
  while (segments.length > 1 && PARAMETER.test(segments.at(-1) as string)) segments.pop();
  return segments
    .map((key, index) => ({ key: key.toLowerCase(), to: `/${segments.slice(0, index + 1).join('/')}` }))
    .filter(({ key }) => !WITHOUT_PAGE.has(key));
}
