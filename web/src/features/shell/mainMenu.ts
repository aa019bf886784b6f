/** The side menu (docs/product.md#11.5): ids are element ids, targets are routes; two more entries for ROLE_ADMIN. */
import {
  IconCalendarEvent,
  IconCalendarPlus,
  IconClockPlay,
  IconChartBar,
  IconFocusCentered,
  IconHistory,
  IconHome,
  IconLeaf,
  IconLifebuoy,
  IconPalette,
  IconUserCircle,
  type Icon,
} from '@tabler/icons-react';

export interface MenuEntry {
  id: string;
  icon: Icon;
  /** Key under `shell:menu`. */
  label: string;
  target: string;
  /** Entries of one group stand together. */
  group: 1 | 2 | 3 | 4;
}

const ENTRIES: readonly MenuEntry[] = [
  { id: 'dashboard', icon: IconHome, label: 'dashboard', target: '/app/dashboard', group: 1 },
  { id: 'play-area', icon: IconFocusCentered, label: 'play-area', target: '/app/play-area', group: 1 },
  {
    id: 'events',
    icon: IconCalendarEvent,
    label: 'manage-events-client',
    target: '/app/manage-events-client',
    group: 2,
  },
  { id: 'programmes', icon: IconCalendarPlus, label: 'program', target: '/app/program', group: 2 },
  { id: 'sessions', icon: IconHistory, label: 'history', target: '/app/history', group: 2 },
  { id: 'template', icon: IconPalette, label: 'template', target: '/app/template', group: 3 },
  { id: 'profile', icon: IconUserCircle, label: 'profile', target: '/app/profile', group: 3 },
  { id: 'faq', icon: IconLifebuoy, label: 'welcome', target: '/app/welcome', group: 3 },
];
const ADMIN_ENTRIES: readonly MenuEntry[] = [
  { id: 'usage', icon: IconChartBar, label: 'user-system-usage', target: '/app/user-system-usage', group: 4 },
  { id: 'cron-job', icon: IconClockPlay, label: 'cron-job-conf', target: '/app/cron-job-conf', group: 4 },
];

/** Stands at the foot of a therapist's menu. */
const PACKAGE: MenuEntry = {
  id: 'package',
  icon: IconLeaf,
  label: 'professional-package',
  target: '/app/subscription/professional-package',
  group: 4,
};

/** What stands at the foot of the menu; null for people who pay nothing. */
export const menuFootFor = (authorities: readonly string[]): MenuEntry | null =>
  authorities.includes('ROLE_THERAPIST') ? PACKAGE : null;

/** What this person finds in the menu. Clients have none. */
export function menuFor(authorities: readonly string[]): readonly MenuEntry[] {
  if (authorities[0] === 'ROLE_CLIENT') return [];
  const own = authorities.includes('ROLE_THERAPIST') ? ENTRIES : ENTRIES.filter(({ id }) => !PRACTICE.has(id));
  return authorities.includes('ROLE_ADMIN') ? [...own, ...ADMIN_ENTRIES] : own;
}

/** The pages that the person's own menu in the top bar leads to as well. */
const PERSONAL: ReadonlySet<string> = new Set(['sessions', 'package', 'faq']);

export const personMenuFor = (authorities: readonly string[]): readonly MenuEntry[] => {
  const foot = menuFootFor(authorities);
  return [...menuFor(authorities), ...(foot ? [foot] : [])].filter(({ id }) => PERSONAL.has(id));
};

/** Entries about a practice, which an operator without one does not have. */
const PRACTICE: ReadonlySet<string> = new Set(['play-area', 'events', 'programmes', 'sessions', 'template']);

const PARAMETER = /^(\d+|[0-9a-f]{8}-[0-9a-f-]{27})$/i;

/**
 * Takes a path. Returns its segments with their addresses for breadcrumb and heading (docs/product.md#11.5), without
 * query and trailing route parameters; the last one names the page.
 */
export function crumbsOf(path: string): { key: string; to: string }[] {
  const segments = (path.split(/[?#]/)[0] ?? '').split('/').filter(Boolean);
  while (segments.length > 1 && PARAMETER.test(segments.at(-1) as string)) segments.pop();
  return segments.map((key, index) => ({ key: key.toLowerCase(), to: `/${segments.slice(0, index + 1).join('/')}` }));
}
