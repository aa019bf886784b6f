/** A drawer over the room: the focus goes in, stays inside and comes back; Escape closes it. */
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';

export interface RoomDrawerProps {
  label: string;
  onClose(): void;
  /** A part that places itself. */
  children: ReactNode;
}

const REACHABLE = 'a[href], button:not(:disabled), input:not(:disabled)';

export function RoomDrawer({ label, onClose, children }: RoomDrawerProps) {
  const box = useRef<HTMLDivElement>(null);
  const reachable = () => [...(box.current?.querySelectorAll<HTMLElement>(REACHABLE) ?? [])];
  useEffect(() => {
    const before = document.activeElement;
    reachable()[0]?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    // Menus and questions of the drawer lie elsewhere in the page and close by themselves.
    if (!event.currentTarget.contains(event.target as Node) || document.querySelector('[role="menu"]')) return;
    if (event.key === 'Escape') {
      // The field would let go of its figure.
      event.stopPropagation();
      onClose();
    } else if (event.key === 'Tab') {
      const all = reachable();
      if (document.activeElement !== all.at(event.shiftKey ? 0 : -1)) return;
      event.preventDefault();
      all.at(event.shiftKey ? -1 : 0)?.focus();
    }
  };
  return (
    <div
      ref={box}
      role="dialog"
      aria-modal
      aria-label={label}
      tabIndex={-1}
      style={{ display: 'contents' }}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  );
}
