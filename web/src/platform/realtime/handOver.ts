/**
 * What the waiting room passes to the room that opens in its document: its connection, and the answer about the seat,
 * which was requested at once. Without it the room would wait two round trips for them.
 */
import type { Seat } from '@fieldroom/contract/clients';
import type { Connection } from './connection.ts';

interface HandOver {
  clientId: number;
  connection: Connection;
  seat: Promise<Seat>;
}

let held: HandOver | null = null;

/** Keeps it until the room takes it. */
export function handOver(what: HandOver): void {
  held = what;
}

/** Returns what was passed for this client, once. The caller closes the connection. */
export function takeHandOver(clientId: number): HandOver | null {
  const found = held;
  held = null;
  if (found === null || found.clientId === clientId) return found;
  found.connection.close();
  return null;
}
