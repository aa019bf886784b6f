/**
 * What the waiting room hands to the room that opens in its document: its connection, and the answer about the seat
 * that was asked for at once. The room would have to wait two round trips for them.
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

/** Returns what was handed over for this client, once. The caller closes the connection. */
export function takeHandOver(clientId: number): HandOver | null {
  const found = held;
  held = null;
  if (found === null || found.clientId === clientId) return found;
  found.connection.close();
  return null;
}
