/** A drawer over the room: the focus moves in, stays inside and returns; Escape closes it. */
import { type ReactNode, useEffect, useRef } from 'react';
import { useBackCloses } from '../../../ui/dialogs/backCloses.ts';

export interface RoomDrawerProps {
  label: string;
  onClose(): void;
  /** A part with its own position. */
  children: ReactNode;
}

const REACHABLE = 'a[href], button:not(:disabled), input:not(:disabled)';

/** Draws the dialog's frame without styling. The browser's back button closes it too (docs/product.md#11.61, 11.63). */
export function RoomDrawer({ label, onClose, children }: RoomDrawerProps) {
  const box = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useBackCloses(true, onClose);
  useEffect(() => {
    const before = document.activeElement;
    const reachable = () => [...(box.current?.querySelectorAll<HTMLElement>(REACHABLE) ?? [])];
    reachable()[0]?.focus();
    // For the whole page: a pressed button may be gone, and the focus with it.
    const onKeyDown = (event: KeyboardEvent) => {
      const focus = document.activeElement;
      const inside = box.current?.contains(focus) ?? false;
      // Menus and questions of the drawer are elsewhere in the page and close by themselves.
      if ((!inside && focus !== document.body) || document.querySelector('[role="menu"]')) return;
      if (event.key === 'Escape') close.current();
      if (event.key !== 'Tab') return;
      const all = reachable();
      const edge = all.at(event.shiftKey ? 0 : -1);
      if (inside && focus !== edge) return;
      event.preventDefault();
      all.at(event.shiftKey ? -1 : 0)?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <div ref={box} role="dialog" aria-modal aria-label={label} style={{ display: 'contents' }}>
      {children}
    </div>
  );
}
