/**
 * The kit's modal, which a step back closes like Escape (docs/product.md#11.63). The page's note is at its top, but not
 * in a sheet, which leaves the page visible, nor before the element that has the initial focus.
 */
import { Modal as KitModal, type ModalProps } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, use, useLayoutEffect } from 'react';
import { useBackCloses } from './backCloses.ts';
import { DialogNoteContext } from './dialogNote.ts';
import { SHEET } from './sheet.ts';

/** A dialog that is fading out takes no presses: the second half of a double press would repeat the act. */
const swallow = (event: MouseEvent): void => {
  event.preventDefault();
  event.stopPropagation();
};

/** The Enter that opened it may still be held down: its repeats press no button, because nobody has read the question
 * yet. */
const ignoreHeldEnter = (event: KeyboardEvent): void => {
  if (event.repeat && event.key === 'Enter' && (event.target as Element).closest('button,a')) event.preventDefault();
};

/** Counts the dialogs that are drawn in an attribute of the page. */
function countDialogs(by: 1 | -1): void {
  const { dataset } = document.documentElement;
  const count = Number(dataset['dialogs'] ?? 0) + by;
  if (count > 0) dataset['dialogs'] = String(count);
  else delete dataset['dialogs'];
}

/**
 * The page behind does not scroll while this is set, until its dialog has faded out. The style does not use `:has()`:
 * on the document that is matched again whenever any element is added or removed, which cost 0.5 ms in each frame of a
 * drag in which a name changed.
 */
function KeepsPageStill(): null {
  useLayoutEffect(() => {
    countDialogs(1);
    return () => countDialogs(-1);
  }, []);
  return null;
}

/** Takes the props of Mantine's modal. While neither Escape nor the close button closes it, a step back does not
 * either. */
export function Modal(props: ModalProps) {
  const { opened, onClose, closeOnEscape = true, withCloseButton = true, classNames, children } = props;
  const note = use(DialogNoteContext);
  // A modal that nothing closes must not swallow a step back.
  useBackCloses(opened && (closeOnEscape || withCloseButton), () => (closeOnEscape ? onClose() : false));
  return (
    <KitModal {...props} onKeyDownCapture={ignoreHeldEnter} {...(opened ? {} : { onClickCapture: swallow })}>
      <KeepsPageStill />
      {withCloseButton && classNames !== SHEET ? note : null}
      {children}
    </KitModal>
  );
}
