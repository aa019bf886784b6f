/** The dialog that saves the field as a picture, with its words, fetched when it is wanted. */
import { loadWords } from '../../../../platform/i18n/app.ts';
import { lazyPart, OpenAfterMount, useLazyPart } from '../../../../ui/lazy/lazyPart.ts';
import type { PictureDialogProps } from './PictureDialog.tsx';

const pictureDialog = lazyPart(async () => {
  const [{ PictureDialog }] = await Promise.all([import('./PictureDialog.tsx'), loadWords(['picture'])]);
  return PictureDialog;
});

/** The dialog that saves the field as a picture, in the therapist's room and in the details of a live session. */
export function LazyPictureDialog(props: PictureDialogProps) {
  const dialog = useLazyPart(pictureDialog, props.opened, props.onClose);
  return dialog && <OpenAfterMount dialog={dialog} given={props} />;
}
