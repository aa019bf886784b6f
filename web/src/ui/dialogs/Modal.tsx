/**
 * The kit's modal, which a step back closes as Escape does (docs/product.md#11.63). What the page has to say stands at
 * its top, but not in a sheet, which leaves the page in sight, nor before what has the focus at first.
 */
import { Modal as KitModal, type ModalProps } from '@mantine/core';
import { type MouseEvent, use } from 'react';
import { useBackCloses } from './backCloses.ts';
import { DialogNoteContext } from './dialogNote.ts';
import { SHEET } from './sheet.ts';

/** What is fading out takes no presses: the second half of a double press would do the act again. */
const swallow = (event: MouseEvent): void => {
  event.preventDefault();
  event.stopPropagation();
};

/** Takes the props of Mantine's modal. While neither Escape nor a cross closes it, the way back does not either. */
export function Modal(props: ModalProps) {
  const { opened, onClose, closeOnEscape = true, withCloseButton = true, classNames, children } = props;
  const note = use(DialogNoteContext);
  // A modal that nothing closes must not swallow the way back.
  useBackCloses(opened && (closeOnEscape || withCloseButton), () => (closeOnEscape ? onClose() : false));
  return (
    <KitModal {...props} {...(opened ? {} : { onClickCapture: swallow })}>
      {withCloseButton && classNames !== SHEET ? note : null}
      {children}
    </KitModal>
  );
}
