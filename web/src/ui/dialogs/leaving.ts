/** Asks before the person leaves a page on which something would be lost. */

export interface LeavingRules {
  /** Whether the person is asked before they leave. */
  asks(): boolean;
  /** Whether the browser asks, in its own words, before the document is left. */
  warns(): boolean;
}

/** A person's wish to leave. */
export interface Leaving {
  /** The person has to answer the question. */
  readonly asked: boolean;
  stay(): void;
  /** Leads to where they wanted to go. Does nothing unless the question is open. */
  go(): void;
}
