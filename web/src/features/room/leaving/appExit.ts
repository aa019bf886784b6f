/** How the therapist leaves the room for another page. */
import { type ComponentType, createContext, type ReactNode } from 'react';

export interface LeavingRules {
  /** Whether the person is asked before they leave. */
  asks(): boolean;
  /** Whether the browser asks before the document goes, in words of its own. */
  warns(): boolean;
}

/** A person's wish to leave. */
export interface Leaving {
  /** They wait for the question. */
  readonly asked: boolean;
  stay(): void;
  /** Goes where they wanted to go. Does nothing unless they wait for the question. */
  go(): void;
}

interface LinkProps {
  to: '/app/dashboard';
  className: string | undefined;
  'aria-label': string;
  children: ReactNode;
}

export interface AppExit {
  /** Holds back whoever leaves, as the rules say. Both rules are the same functions at each call. */
  useLeaving(rules: LeavingRules): Leaving;
  Link: ComponentType<LinkProps>;
}

/** By the app's router, where the room is a page of the app; null where it has a document to itself. */
export const AppExitContext = createContext<AppExit | null>(null);
