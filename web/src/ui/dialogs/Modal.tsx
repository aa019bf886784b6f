/** The kit's modal, which a step back closes as Escape does (docs/product.md#11.63). */
import { Modal as KitModal, type ModalProps } from '@mantine/core';
import type { MouseEvent } from 'react';
import { useBackCloses } from './backCloses.ts';

/** What is fading out takes no presses: the second half of a double press would do the act again. */
const swallow = (event: MouseEvent): void => {
  event.preventDefault();
  event.stopPropagation();
};

export function Modal(props: ModalProps) {
  const { opened, onClose, closeOnEscape = true, withCloseButton = true } = props;
  // Where nothing closes it, it keeps nobody on the page.
  useBackCloses(opened && (closeOnEscape || withCloseButton), () => (closeOnEscape ? onClose() : false));
  return <KitModal {...props} {...(opened ? {} : { onClickCapture: swallow })} />;
}
