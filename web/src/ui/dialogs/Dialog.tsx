/**
 * The frame of every dialog: title, one line of context, what scrolls, the acts below (docs/product.md#11.10). Long
 * content goes into `dialog.scroll` and the buttons into `dialog.acts`; a form gets `dialog.body`.
 */
import type { ReactNode } from 'react';
import styles from './Dialog.module.css';
import { Modal } from './Modal.tsx';

export interface DialogProps {
  opened: boolean;
  onClose(): void;
  /** Width in px on a desk, 560 for a mere question; a phone's screen is filled. */
  size: 560 | 700 | 800 | 1000;
  title: string;
  /** Words for the cross. */
  close: string;
  /** Something runs that must not be left: cross and Escape wait for its end. */
  busy?: boolean;
  /** Whether a press beside it closes it; not where something was typed. */
  closeOnClickOutside?: boolean;
  children: ReactNode;
}

/** Its head is a `<header>`, which screen readers would take for a second banner of the page. */
const NO_LANDMARK = { header: { role: 'presentation' } };

/** Escape closes it unless it is busy. On the phone's and browser's way back see `Modal`. */
export function Dialog({
  opened,
  onClose,
  size,
  title,
  close,
  busy = false,
  closeOnClickOutside = false,
  children,
}: DialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={size}
      title={title}
      closeOnClickOutside={closeOnClickOutside}
      closeOnEscape={!busy}
      attributes={NO_LANDMARK}
      closeButtonProps={{ 'aria-label': close, disabled: busy }}
      classNames={{ content: styles.content ?? '', header: styles.header ?? '', body: styles.body ?? '' }}
    >
      {children}
    </Modal>
  );
}
