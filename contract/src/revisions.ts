/**
 * Revisions count the changes of a room: one number for its field, one for its people. Both come from the database and
 * go up by one with each change. The wire calls them stamps and names them otherwise; the two names meet here alone.
 */

/** What somebody holds or has heard of. */
export interface Revisions {
  readonly fieldRevision: number;
  readonly peopleRevision: number;
}

/** The same on the wire. */
export interface Stamps {
  usersUpdatedOn: number;
  participantsUpdatedOn: number;
}

export const NO_REVISIONS: Revisions = { fieldRevision: 0, peopleRevision: 0 };

/** Reads the stamps of a message. */
export function revisionsOf({ participantsUpdatedOn, usersUpdatedOn }: Stamps): Revisions {
  return { fieldRevision: participantsUpdatedOn, peopleRevision: usersUpdatedOn };
}

/** Writes revisions as a message carries them. */
export function stampsOf({ fieldRevision, peopleRevision }: Revisions): Stamps {
  return { participantsUpdatedOn: fieldRevision, usersUpdatedOn: peopleRevision };
}

/**
 * Judges a change by its revision: `known` when it is held already, `next` when it comes right after what is held,
 * `gap` when something before it is missing.
 */
export function judgeRevision(held: number, revision: number): 'known' | 'next' | 'gap' {
  if (revision <= held) return 'known';
  return revision === held + 1 ? 'next' : 'gap';
}
