/** The way to a page: its own socket, or a link to the node that has the socket. */
import { WebSocket } from 'ws';
import type { Link } from '../nodes/links.ts';

export interface Wire {
  isOpen(): boolean;
  /** How much waits for a slow reader. */
  waiting(): number;
  send(text: string): void;
  /** Closes it after what was sent. */
  close(code: number, reason: string): void;
  /** Cuts it. */
  cut(): void;
}

/** The page's own socket. */
export const socketWire = (ws: WebSocket): Wire => ({
  isOpen: () => ws.readyState === WebSocket.OPEN,
  waiting: () => ws.bufferedAmount,
  send: (text) => ws.send(text),
  close: (code, reason) => ws.close(code, reason),
  cut: () => ws.terminate(),
});

/**
 * A page of another node, which closes it when it reads too slowly. `closed` is called after each end from our side.
 */
export function linkWire(link: Link, closed: () => void): Wire & { drop(): void } {
  let open = true;
  const close = (code: number, reason: string) => {
    if (!open) return;
    open = false;
    link.close(code, reason);
    // Later, as with a socket: the code that closes it goes on with what it was about to do.
    setImmediate(closed);
  };
  return {
    isOpen: () => open,
    waiting: link.waiting,
    send: link.send,
    close,
    cut: () => close(1013, 'too slow'),
    /** The other end is gone. */
    drop: () => void (open = false),
  };
}
