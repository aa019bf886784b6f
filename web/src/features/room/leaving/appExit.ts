/** How the therapist leaves the room for another page. */
import type { DASHBOARD_PAGE } from '@fieldroom/contract/pages';
import { type ComponentType, createContext, type ReactNode } from 'react';
import type { Leaving, LeavingRules } from '../../../ui/dialogs/leaving.ts';

interface LinkProps {
  to: typeof DASHBOARD_PAGE;
  className: string | undefined;
  'aria-label': string;
  children: ReactNode;
}

export interface AppExit {
  /** Holds back a person who leaves, as the rules say. Both rules are the same functions at each call. */
  useLeaving(rules: LeavingRules): Leaving;
  Link: ComponentType<LinkProps>;
}

/** By the app's router, where the room is a page of the app; null where it has a document to itself. */
export const AppExitContext = createContext<AppExit | null>(null);
