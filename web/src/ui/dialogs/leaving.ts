/** Asks before a page is left on which something would be lost. */

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
