/** News about an act on the field, with the way to take it back. */
import { type FieldStore, whenAnswered } from '../../../field/index.ts';
import type { Told } from '../../notices/Toast.tsx';

interface StoredNewsParts {
  store: Pick<FieldStore, 'get' | 'subscribe' | 'act'>;
  tell(told: Told): void;
  /** The word on the button that undoes. */
  undoLabel: string;
}

/**
 * Returns what tells of an act of one's own once it is stored: a refused one has not happened. Its button undoes this
 * very act, whatever was done since; there is none where the act changed nothing.
 */
export const createStoredNews =
  ({ store, tell, undoLabel }: StoredNewsParts) =>
  async (actId: string, told: Told): Promise<void> => {
    if (!(await whenAnswered(store, actId))) return;
    const undoable = store.get().undo.includes(actId);
    const act = { label: undoLabel, run: () => void store.act({ kind: 'undo', actId }) };
    tell(undoable ? { ...told, act } : told);
  };
