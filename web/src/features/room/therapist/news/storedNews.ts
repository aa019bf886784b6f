/** Notices about acts on the field, with a button to undo them. */
import { type FieldStore, whenAnswered } from '../../../field/index.ts';
import type { Told } from '../../notices/Toast.tsx';

interface StoredNewsParts {
  store: Pick<FieldStore, 'get' | 'subscribe' | 'act'>;
  tell(told: Told): void;
  /** The label of the undo button. */
  undoLabel: string;
}

/**
 * Returns a function that reports one's own act once it is stored; a refused act has not happened. Its button undoes
 * exactly this act, even after later ones; there is none if the act changed nothing.
 */
export const createStoredNews =
  ({ store, tell, undoLabel }: StoredNewsParts) =>
  async (actId: string, told: Told): Promise<void> => {
    if (!(await whenAnswered(store, actId))) return;
    const undoable = store.get().undo.includes(actId);
    const act = { label: undoLabel, run: () => void store.act({ kind: 'undo', actId }) };
    tell(undoable ? { ...told, act } : told);
  };
