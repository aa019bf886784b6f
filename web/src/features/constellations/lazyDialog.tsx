/** The dialog's code and words, fetched when it is needed. */
import { loadWords } from '../../platform/i18n/app.ts';
import { lazyPart, OpenAfterMount, useLazyPart } from '../../ui/lazy/lazyPart.ts';
import type { ConstellationsDialogProps } from './ConstellationsDialog.tsx';

/** For `useWarmUp`. */
export const constellationsDialog = lazyPart(async () => {
  const [{ ConstellationsDialog }] = await Promise.all([
    import('./ConstellationsDialog.tsx'),
    loadWords(['constellations']),
  ]);
  return ConstellationsDialog;
});

/** The dialog of constellations, fetched with its first opening. */
export function LazyConstellationsDialog(props: ConstellationsDialogProps) {
  const dialog = useLazyPart(constellationsDialog, props.opened, props.onClose);
  return dialog && <OpenAfterMount dialog={dialog} given={props} />;
}
