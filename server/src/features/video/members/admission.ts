/** Who may connect: tickets, membership by the database, and the engine's sessions opened for members (rule 1). */
import type { ReplyOf } from '@fieldroom/contract/http';
import {
  type getVideoTicket,
  KEYFRAME_SECONDS,
  LOUDEST_VOICES,
  TALKING_LEVEL,
  TALKING_PACKETS,
  TICKET_SECONDS,
  VIDEO_PEOPLE_MAX,
} from '@fieldroom/contract/video';
import type { RoomAccess } from '../../../access.ts';
import type { Config } from '../../../platform/config.ts';
import { Problem } from '../../../platform/problem.ts';
import type { Clients } from '../../clients/index.ts';
import type { Room } from '../../room/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { GatewayParts } from '../gateway/gateway.ts';
import type { Rooms, VideoRoom } from '../gateway/rooms.ts';
import type { VideoNodes } from '../nodes/video-nodes.ts';
import type { Announcements } from '../video.announcements.ts';
import type { Facts } from '../video.facts.ts';
import type { RoomSpec, VideoEngine } from '../video.types.ts';
import { createAllowance } from './allowance.ts';
import type { Member, Tickets } from './tickets.ts';
import { iceServersOf } from './turn.ts';

interface AdmissionParts {
  readonly rooms: Rooms;
  readonly facts: Pick<Facts, 'read'>;
  readonly announcements: Pick<Announcements, 'state'>;
  readonly engine: Pick<VideoEngine, 'ready' | 'open' | 'closeRoom'>;
  /** Those of this node; several nodes keep them in the database. */
  readonly tickets: Tickets;
  /** null on a service of one node. */
  readonly shared: VideoNodes | null;
  /** Whether another node may have the room. */
  isElsewhere(therapistId: number): boolean;
  readonly room: Pick<Room, 'inOrder'>;
  readonly clients: Pick<Clients, 'roomAccessOf' | 'seatOf'>;
  readonly sessions: Pick<Sessions, 'running'>;
  /** Whether the therapist's sign-in with this hash of its token holds. */
  isSignedIn(tokenHash: Buffer): Promise<boolean>;
  readonly config: Pick<Config, 'turn'>;
}

export interface Admission extends Pick<GatewayParts, 'take' | 'open'> {
  /** Problems: `no_live_session`, `video_unavailable`, `too_many_requests`. */
  ticket(
    access: RoomAccess,
    options: { firefox: boolean; signIn: Buffer | null },
  ): Promise<ReplyOf<typeof getVideoTicket>>;
  /** Whether a membership holds, by the database. */
  holds(member: Member): Promise<boolean>;
}

/** Per person, in real time: a page that asks again and again has to wait. */
const TICKETS = { atOnce: 20, aSecond: 0.5 };

const specOf = (therapistId: number): RoomSpec => ({
  therapistId,
  publishers: VIDEO_PEOPLE_MAX,
  keyframeSeconds: KEYFRAME_SECONDS,
  talkingLevel: TALKING_LEVEL,
  talkingPackets: TALKING_PACKETS,
  loudestVoices: LOUDEST_VOICES,
});

/** Makes the admission to all rooms. */
export function createAdmission({
  rooms,
  facts,
  announcements,
  engine,
  tickets,
  shared,
  isElsewhere,
  room,
  clients,
  sessions,
  isSignedIn,
  config,
}: AdmissionParts): Admission {
  const allowance = createAllowance();

  async function holds({ as, therapistId, personId, signIn }: Member): Promise<boolean> {
    if ((await sessions.running(therapistId)) === null) return false;
    if (as === 'therapist') return signIn !== null && (await isSignedIn(signIn));
    return clients.roomAccessOf(await clients.seatOf(personId), therapistId) !== null;
  }

  /** The room with its settings, known from now on. Runs in order with the acts that set them. */
  const openRoom = (therapistId: number): Promise<VideoRoom> =>
    room.inOrder(
      therapistId,
      async () =>
        rooms.find(therapistId) ??
        rooms.open(therapistId, await facts.read(therapistId), (await shared?.handedOver(therapistId)) ?? null),
    );

  return {
    holds,

    async ticket(access, { firefox, signIn }) {
      if (!allowance.take(access.personId, TICKETS)) throw new Problem('too_many_requests', { retryAfterSeconds: 2 });
      if ((await sessions.running(access.therapistId)) === null) throw new Problem('no_live_session');
      const { as, therapistId, personId } = access;
      const member: Member = { as, therapistId, personId, firefox, signIn };
      const there = isElsewhere(therapistId)
        ? await shared?.ask(therapistId, { kind: 'cap', as, personId, firefox })
        : undefined;
      // Another node has an engine that carries the room already; one that is silent may be back when the page
      // connects.
      if ((there === undefined || there === 'nobody') && !engine.ready()) throw new Problem('video_unavailable');
      const { settings } = await announcements.state(therapistId);
      return {
        ticket: shared === null ? tickets.issue(member) : await shared.issueTicket(member),
        expiresInSeconds: TICKET_SECONDS,
        room: therapistId,
        iceServers: iceServersOf(config.turn),
        bitrate:
          typeof there === 'object'
            ? (there.value as number)
            : rooms.capOf(rooms.find(therapistId), member, settings.highQuality),
        settings,
      };
    },

    take: (ticket, hash) => (shared === null ? tickets.take(ticket) : shared.takeTicket(hash)),

    async open(member, listener) {
      if (!(await holds(member))) throw new Problem('forbidden');
      if (shared !== null && !(await shared.isStillMine(member.therapistId))) throw new Problem('video_unavailable');
      await openRoom(member.therapistId);
      const session = await engine.open(specOf(member.therapistId), { id: member.personId, as: member.as }, listener);
      // It may have ended while the engine was opening, when there was nothing to close yet.
      if (await holds(member)) return session;
      await session.close();
      // Opening may have made the room again after it had ended.
      if ((await sessions.running(member.therapistId)) === null) {
        rooms.forget(member.therapistId);
        await engine.closeRoom(member.therapistId);
      }
      throw new Problem('forbidden');
    },
  };
}
