/** A drawer over the room: the focus goes in, stays inside and comes back; Escape closes it. */
import { type ReactNode, useEffect, useRef } from 'react';
import { useBackCloses } from '../../../ui/dialogs/backCloses.ts';

export interface RoomDrawerProps {
  label: string;
  onClose(): void;
  /** A part that places itself. */
  children: ReactNode;
}

const REACHABLE = 'a[href], button:not(:disabled), input:not(:disabled)';

/** Draws the dialog's frame without a look. A step back in the browser closes it too (docs/product.md#11.61, 11.63). */
export function RoomDrawer({ label, onClose, children }: RoomDrawerProps) {
  const box = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;
  useBackCloses(true, onClose);
  useEffect(() => {
    const before = document.activeElement;
    const reachable = () => [...(box.current?.querySelectorAll<HTMLElement>(REACHABLE) ?? [])];
    reachable()[0]?.focus();
    // Of the whole page: a button that was pressed may be gone, and the focus with it.
    const onKeyDown = (event: KeyboardEvent) => {
      const focus = document.activeElement;
      const inside = box.current?.contains(focus) ?? false;
      // Menus and questions of the drawer lie elsewhere in the page and close by themselves.
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
