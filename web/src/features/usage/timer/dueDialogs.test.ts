import { type DialogName, DIALOGS } from '@fieldroom/contract/usage';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDue, dropDue, mostUrgent, type OpenedDialog } from './dueDialogs.ts';

const named = (dialog: DialogName, until: string | null = null): OpenedDialog => ({ dialog, until });
const after = (...dialogs: DialogName[]) =>
  dialogs.reduce<readonly OpenedDialog[]>((due, dialog) => addDue(due, named(dialog)), []);
const shown = (due: readonly OpenedDialog[]) => mostUrgent(due)?.dialog ?? null;

it('shows nothing while nothing is due', () => expect(mostUrgent([])).toBeNull());

it('keeps a countdown visible when the fourth hour passes, and shows that dialog afterwards', () => {
  const due = after('timeoutwarning', 'fourhours');
  expect(shown(due)).toBe('timeoutwarning');
  expect(shown(dropDue(due, 'timeoutwarning'))).toBe('fourhours');
});

it('replaces a warning by the end after it, and everything by the end of the trial', () => {
  const timedOut = after('fourhours', 'timeoutwarning', 'timedout');
  expect(shown(timedOut)).toBe('timedout');
  expect(shown(dropDue(timedOut, 'timedout'))).toBe('fourhours');
  expect(after('fourhours', 'timeoutwarning', 'trialover')).toEqual([named('trialover')]);
});

it('takes the latest countdown of a warning', () => {
  const due = addDue(addDue([], named('timeoutwarning', 'earlier')), named('timeoutwarning', 'later'));
  expect(due).toEqual([named('timeoutwarning', 'later')]);
});

it('has each dialog at most once, and keeps it until it is closed', () => {
  const step = fc.record({ open: fc.boolean(), dialog: fc.constantFrom(...DIALOGS) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let due: readonly OpenedDialog[] = [];
      for (const { open, dialog } of steps) {
        due = open ? addDue(due, named(dialog)) : dropDue(due, dialog);
        expect(due.some((one) => one.dialog === dialog)).toBe(open);
        expect(new Set(due.map((one) => one.dialog)).size).toBe(due.length);
        expect(mostUrgent(due) === null).toBe(due.length === 0);
      }
    }),
  );
});
