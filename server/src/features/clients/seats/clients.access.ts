/** Looks up what a sign-in or a resume token allows: seats, rooms, clients. */
import type { ProblemCode } from '@fieldroom/contract/problems';
import type { ClientSeat, RoomAccess } from '../../../access.ts';
import type { Db } from '../../../platform/db/db.ts';
import * as store from '../clients.store.ts';
import type { ClientRow } from '../clients.store.ts';
import type { Clients } from '../clients.types.ts';

/** Why a token that was valid has no seat. */
export const ENDED: Partial<Record<ClientRow['state'], ProblemCode>> = {
  over: 'live_session_over',
  removed: 'sent_out',
  declined: 'declined',
  left: 'session_expired',
};

function seatAccess(row: ClientRow | null): ClientSeat | null {
  if (row === null || (row.state !== 'waiting' && row.state !== 'in' && row.state !== 'away')) return null;
  return { kind: 'client', id: row.id, therapistId: row.therapistId, name: row.name, state: row.state };
}

export type SeatAccess = Pick<
  Clients,
  'identifySeat' | 'whyEnded' | 'seatOf' | 'admittedRevisions' | 'roomAccessOf' | 'clientAccessOf'
>;

/** Makes the look-ups of what a token allows. They read the database each time. */
export function createSeatAccess(db: Db): SeatAccess {
  return {
    identifySeat: async (tokenHash) => seatAccess(await store.findByToken(db, tokenHash)),
    async whyEnded(tokenHash) {
      const row = await store.findByToken(db, tokenHash);
      return row === null ? null : (ENDED[row.state] ?? null);
    },
    seatOf: async (clientId) => seatAccess(await store.findClient(db, clientId)),
    async admittedRevisions(clientIds) {
      const seated = (await store.findClients(db, clientIds)).filter(({ state }) => state === 'in');
      // Clients who were let in before revisions were kept may read everything.
      return new Map(seated.map(({ id, admittedRevision }) => [id, admittedRevision ?? 0]));
    },
    roomAccessOf(principal, therapistId): RoomAccess | null {
      if (principal?.kind === 'account')
        return principal.id === therapistId && principal.roles.includes('ROLE_THERAPIST')
          ? { as: 'therapist', therapistId, personId: principal.id }
          : null;
      if (principal?.kind !== 'client' || principal.therapistId !== therapistId || principal.state !== 'in')
        return null;
      return { as: 'client', therapistId, personId: principal.id, name: principal.name };
    },
    async clientAccessOf(principal, clientId, who) {
      if (principal === null) return null;
      if (principal.kind === 'client') {
        // A client who is away may ask to come back.
        if (who === 'itsTherapist' || principal.id !== clientId || principal.state === 'waiting') return null;
        return {
          actor: { as: 'client', therapistId: principal.therapistId, personId: principal.id, name: principal.name },
          clientId,
          therapistId: principal.therapistId,
        };
      }
      const row = await store.findClient(db, clientId);
      if (row === null || row.therapistId !== principal.id || seatAccess(row) === null) return null;
      return {
        actor: { as: 'therapist', therapistId: principal.id, personId: principal.id },
        clientId,
        therapistId: principal.id,
      };
    },
  };
}
