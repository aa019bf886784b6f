/** What ends the connections and tickets of members (rule 8): a sign-in, a seat, a live session, or a lost message. */
import type { Gateway } from '../gateway/gateway.ts';
import type { Rooms } from '../gateway/rooms.ts';
import type { VideoNodes } from '../nodes/video-nodes.ts';
import type { VideoEngine } from '../video.types.ts';
import type { Admission } from './admission.ts';
import type { Member, Tickets } from './tickets.ts';

interface EndsParts {
  readonly gateway: Pick<Gateway, 'close' | 'members'>;
  readonly rooms: Pick<Rooms, 'forget' | 'forgetPerson'>;
  readonly tickets: Pick<Tickets, 'forget'>;
  readonly engine: Pick<VideoEngine, 'closeRoom'>;
  readonly admission: Pick<Admission, 'holds'>;
  /** null on a service of one node. */
  readonly shared: Pick<VideoNodes, 'ended'> | null;
  readonly log: { error(fields: object, message: string): void };
}

/** All of them end what is on this node. */
export interface Ends {
  endSignIn(tokenHash: Buffer): void;
  endPerson(personId: number): void;
  /** Ends clients who have no seat in the room any more, and forgets what was set of them. */
  endClients(therapistId: number, gone: readonly number[]): void;
  /** Ends all connections to a room whose live session is over. */
  endConnections(therapistId: number): void;
  /** Ends the room in the engine. Not awaited: a live session ends whatever the engine does. */
  closeInEngine(therapistId: number): void;
  /** Closes those of the members whose membership has ended by the database. */
  dropFormer(which: (member: Member) => boolean): Promise<void>;
}

const isSameSignIn = (one: Member, other: Member) =>
  one.signIn === null ? other.signIn === null : other.signIn !== null && one.signIn.equals(other.signIn);

/** Makes what ends members. */
export function createEnds({ gateway, rooms, tickets, engine, admission, shared, log }: EndsParts): Ends {
  function closeWhere(which: (member: Member) => boolean, reason: string): void {
    tickets.forget(which);
    gateway.close(which, reason);
  }

  return {
    endSignIn: (tokenHash) => closeWhere(({ signIn }) => signIn?.equals(tokenHash) ?? false, 'signed out'),
    endPerson: (id) => closeWhere(({ personId }) => personId === id, 'signed out'),
    endClients(therapistId, gone) {
      if (gone.length === 0) return;
      closeWhere(({ as, personId }) => as === 'client' && gone.includes(personId), 'left the room');
      for (const id of gone) rooms.forgetPerson(therapistId, id);
    },
    endConnections(therapistId) {
      shared?.ended(therapistId);
      closeWhere((member) => member.therapistId === therapistId, 'the live session is over');
      rooms.forget(therapistId);
    },
    closeInEngine(therapistId) {
      void engine
        .closeRoom(therapistId)
        .catch((error: unknown) => log.error({ err: error }, 'a room of the engine could not be ended'));
    },
    async dropFormer(which) {
      for (const member of gateway.members().filter(which)) {
        if (!(await admission.holds(member)))
          closeWhere(
            (other) => other.personId === member.personId && isSameSignIn(other, member),
            'no member any more',
          );
      }
    },
  };
}
