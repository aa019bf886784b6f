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
  /** Holds back a person who leaves, according to the rules. Both rules are stable functions. */
  useLeaving(rules: LeavingRules): Leaving;
  Link: ComponentType<LinkProps>;
}

/** The app's router if the room is a page of the app; null if it has a document to itself. */
export const AppExitContext = createContext<AppExit | null>(null);
