/** The dialog that saves the field as a picture, with its words, fetched when it is needed. */
import { loadWords } from '../../../../platform/i18n/app.ts';
import { lazyPart, OpenAfterMount, useLazyPart } from '../../../../ui/lazy/lazyPart.ts';
import type { SavePictureDialogProps } from './SavePictureDialog.tsx';

const savePictureDialog = lazyPart(async () => {
  const [{ SavePictureDialog }] = await Promise.all([import('./SavePictureDialog.tsx'), loadWords(['picture'])]);
  return SavePictureDialog;
});

/** Used in the therapist's room and in the details of a live session. */
export function LazySavePictureDialog(props: SavePictureDialogProps) {
  const dialog = useLazyPart(savePictureDialog, props.opened, props.onClose);
  return dialog && <OpenAfterMount dialog={dialog} given={props} />;
}
