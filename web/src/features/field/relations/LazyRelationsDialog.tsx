/** The dialog of relations, with its words, fetched when it is needed. */
import { loadWords } from '../../../platform/i18n/app.ts';
import { lazyPart, OpenAfterMount, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import type { RelationsDialogProps } from './RelationsDialog.tsx';

const relationsDialog = lazyPart(async () => {
  const [{ RelationsDialog }] = await Promise.all([import('./RelationsDialog.tsx'), loadWords(['relations'])]);
  return RelationsDialog;
});

/** The dialog in which the therapist adds, changes and removes a figure's relations (docs/product.md#5.33). */
export function LazyRelationsDialog(props: RelationsDialogProps) {
  const dialog = useLazyPart(relationsDialog, props.opened, props.onClose);
  return dialog && <OpenAfterMount dialog={dialog} given={props} />;
}
