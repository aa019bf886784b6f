/**
 * Revisions count the changes of a room: one number for its field, one for its people. Both come from the database and
 * go up by one with each change. The wire calls them stamps and gives them other names; only this file translates.
 */

/** A reader's current revisions. */
export interface Revisions {
  readonly fieldRevision: number;
  readonly peopleRevision: number;
}

/** The same, under their names on the wire. */
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
 * Judges a change by its revision. Returns `known` if the reader has it already, `next` if it follows directly, `gap`
 * if something before it is missing.
 */
export function judgeRevision(held: number, revision: number): 'known' | 'next' | 'gap' {
  if (revision <= held) return 'known';
  return revision === held + 1 ? 'next' : 'gap';
}
