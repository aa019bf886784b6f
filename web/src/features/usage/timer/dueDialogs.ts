/**
 * Which of the dialogs that are due is shown. Several can be due at once: the fourth hour may pass while a warning
 * counts down. Pure.
 */
import type { DialogName } from '@fieldroom/contract/usage';

/** A dialog that the server opened; `until` ends a countdown, as product time. */
export interface OpenedDialog {
  readonly dialog: DialogName;
  readonly until: string | null;
}

/** The most urgent one first. */
const URGENCY: readonly DialogName[] = ['trialover', 'timedout', 'timeoutwarning', 'fourhours'];
/** These dialogs end when the given dialog follows, so they are no longer shown. */
const REPLACES: Partial<Record<DialogName, readonly DialogName[]>> = {
  trialover: URGENCY,
  timedout: ['timeoutwarning'],
};

/** Adds a due dialog. */
export function addDue(due: readonly OpenedDialog[], next: OpenedDialog): readonly OpenedDialog[] {
  const replaced = [next.dialog, ...(REPLACES[next.dialog] ?? [])];
  return [...due.filter(({ dialog }) => !replaced.includes(dialog)), next];
}

/** Removes a dialog that was closed, or cancelled by the server. */
export const dropDue = (due: readonly OpenedDialog[], dialog: DialogName): readonly OpenedDialog[] =>
  due.filter((one) => one.dialog !== dialog);

/** The dialog to show; the others wait until it is closed. */
export function mostUrgent(due: readonly OpenedDialog[]): OpenedDialog | null {
  return due.toSorted((a, b) => URGENCY.indexOf(a.dialog) - URGENCY.indexOf(b.dialog))[0] ?? null;
}
