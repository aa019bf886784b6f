/** A dialog at the right edge. The page stays visible beside it. */
import type { ReactNode } from 'react';
import { Modal } from './Modal.tsx';
import styles from './SidePanel.module.css';

export interface SidePanelProps {
  opened: boolean;
  /** Closes it; the opener gives the focus back. */
  onClose(): void;
  /** Width in px. */
  size: number;
  /** Whether it fills the screen of a phone. */
  wholePhone?: boolean;
  title: string;
  /** Words of the button that closes it. */
  close: string;
  children: ReactNode;
}

/** Its header is a `<header>`, which screen readers would take for a second banner of the page. */
const HEADER = { role: 'presentation' };
const ON_DESK = { header: HEADER };
const WHOLE = { header: HEADER, content: { 'data-whole-phone': true } };
const CLEAR = { backgroundOpacity: 0 };
const SLIDE = { transition: 'slide-left' } as const;
const PARTS = { inner: styles.inner ?? '', content: styles.panel ?? '', title: styles.title ?? '' };

/** The panel for colours and for notices. It slides in and does not dim the page. The caller gives the focus back. */
export function SidePanel({ opened, onClose, size, wholePhone = false, title, close, children }: SidePanelProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={size}
      transitionProps={SLIDE}
      title={title}
      overlayProps={CLEAR}
      returnFocus={false}
      attributes={wholePhone ? WHOLE : ON_DESK}
      classNames={PARTS}
      closeButtonProps={{ 'aria-label': close }}
    >
      {children}
    </Modal>
  );
}
