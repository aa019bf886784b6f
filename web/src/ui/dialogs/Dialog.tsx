/**
 * The frame of every dialog: title, one line of context, scrolling content, the acts below (docs/product.md#11.10).
 * Long content goes into `dialog.scroll` and the buttons into `dialog.acts`; a form gets `dialog.body`.
 */
import type { ReactNode } from 'react';
import styles from './Dialog.module.css';
import { Modal } from './Modal.tsx';

export interface DialogProps {
  opened: boolean;
  onClose(): void;
  /** Width in px on a desktop, 560 for a plain question; on a phone it fills the screen. */
  size: 560 | 700 | 800 | 1000;
  title: string;
  /** Words for the close button. */
  close: string;
  /** Something that must not be interrupted is running: the close button and Escape wait for its end. */
  busy?: boolean;
  /** Whether a press outside closes it; no if something was typed. */
  closeOnClickOutside?: boolean;
  children: ReactNode;
}

/** Its header is a `<header>`, which screen readers would take for a second banner of the page. */
const NO_LANDMARK = { header: { role: 'presentation' } };

/** Escape closes it unless it is busy. For the back button of phones and browsers see `Modal`. */
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
