/** Rows of people that a therapist adds, and how they are sent: one call a row. A retry sends only failed rows. */
import { newAttendee } from '@fieldroom/contract/bookings';
import { normalizeEmail } from '@fieldroom/contract/text';
import { ApiProblem } from '../../../platform/api/index.ts';
import { addAttendee } from '../eventsApi.ts';

/** One row of the dialog; the fields have their fixed names. */
export interface AttendeeRow {
  firstName: string;
  familyName: string;
  email: string;
  phone: string;
}
/** An empty row. */
export const blankRow = (): AttendeeRow => ({ firstName: '', familyName: '', email: '', phone: '' });
/** Whether a row is empty. */
export const isBlank = (row: AttendeeRow): boolean => Object.values(row).every((text) => text.trim() === '');

/** The body that is sent for a row. */
const participantOf = ({ firstName, familyName, email, phone }: AttendeeRow) => ({
  firstName,
  lastName: familyName,
  email,
  phoneNumber: phone,
});

const FIELD_OF: Readonly<Record<string, keyof AttendeeRow>> = {
  firstName: 'firstName',
  lastName: 'familyName',
  email: 'email',
  phoneNumber: 'phone',
};
export type RowFaults = Partial<Record<keyof AttendeeRow, string>>;

/**
 * Faults of each row by field, as the contract's stable keys; a second row with the same address has the fault `twice`.
 * Names and address are required, the phone is not.
 */
export function checkRows(rows: readonly AttendeeRow[]): RowFaults[] {
  const seen = new Set<string>();
  return rows.map((row) => {
    const faults: RowFaults = {};
    for (const issue of newAttendee.safeParse(participantOf(row)).error?.issues ?? []) {
      const field = FIELD_OF[String(issue.path[0])];
      if (field) faults[field] ??= issue.message;
    }
    if (row.email.trim() === '') faults.email = 'required';
    const email = normalizeEmail(row.email);
    if (!faults.email && seen.has(email)) faults.email = 'twice';
    seen.add(email);
    return faults;
  });
}

/**
 * The remaining faults while rows are corrected: unchanged fields keep theirs, changed fields are checked again. Takes
 * the rows before and after, in equal number.
 */
export function faultsLeft(
  told: readonly RowFaults[],
  before: readonly AttendeeRow[],
  after: readonly AttendeeRow[],
): RowFaults[] {
  const now = checkRows(after);
  return told.map((faults, index) => {
    const left: RowFaults = {};
    for (const [name, code] of Object.entries(faults) as [keyof AttendeeRow, string][]) {
      // A duplicate address can be corrected in either row.
      const stands = code !== 'twice' && before[index]?.[name] === after[index]?.[name];
      const fault = stands ? code : now[index]?.[name];
      if (fault !== undefined) left[name] = fault;
    }
    return left;
  });
}

/** The field of a row that a problem's path refers to. */
export const rowField = (path: string): keyof AttendeeRow | undefined => FIELD_OF[path];

export type RowResult =
  | { state: 'waiting' | 'sending' | 'done' }
  | { state: 'failed'; problem: unknown; lineBroke: boolean };

/**
 * Adds people one after the other. Takes the event, the rows, their results so far, and a callback for every change.
 * Returns the results; finished rows are not sent again. A row whose answer was lost may have been added: then
 * `already_booked` at the next try counts as success.
 */
export async function addRows(
  eventId: number,
  rows: readonly AttendeeRow[],
  before: readonly RowResult[],
  tell: (results: readonly RowResult[]) => void,
): Promise<readonly RowResult[]> {
  let results: readonly RowResult[] = rows.map((_, index) =>
    before[index]?.state === 'done'
      ? { state: 'done' }
      : before[index]?.state === 'failed'
        ? before[index]
        : { state: 'waiting' },
  );
  const set = (index: number, result: RowResult) => {
    results = results.with(index, result);
    tell(results);
  };
  for (const [index, row] of rows.entries()) {
    const known = results[index];
    if (known?.state === 'done') continue;
    const lineBroke = known?.state === 'failed' && known.lineBroke;
    set(index, { state: 'sending' });
    try {
      await addAttendee(eventId, participantOf(row));
      set(index, { state: 'done' });
    } catch (problem) {
      const code = problem instanceof ApiProblem ? problem.code : null;
      if (lineBroke && code === 'already_booked') set(index, { state: 'done' });
      else
        set(index, {
          state: 'failed',
          problem,
          lineBroke: code === 'offline' || code === 'unknown_fault' || lineBroke,
        });
    }
  }
  return results;
}
