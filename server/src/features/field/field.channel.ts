/** What browsers send about the field over STOMP: acts to the service, drags and pointers to the volatile lane. */
import { randomBytes } from 'node:crypto';
import { fieldActMessage } from '@fieldroom/contract/field';
import { Problem, type ProblemBody } from '@fieldroom/contract/problems';
import type { RoomAccess } from '../../access.ts';
import type { Room } from '../room/index.ts';
import type { Lane } from './field.lane.ts';
import type { FieldService } from './field.service.ts';

export interface FieldChannel {
  /**
   * `/app/field.act`. In: who sends, the body as it came (JSON, unchecked). Answers by PLAYER_CHANGE to the room, or to the sender alone
   * when nothing changed or the act was known; by PROBLEM to the sender alone when refused. Never rejects. `connection` is not needed:
   * answers go to all screens of the person, which know their own act ids.
   */
  act(access: RoomAccess, body: unknown, connection?: unknown): Promise<void>;
  /** `/app/field.drag`, body unchecked. Synchronous; what may not be is left aside, the person is told at most once a second. */
  drag(access: RoomAccess, body: unknown): void;
  /** `/app/field.point`, body unchecked. */
  point(access: RoomAccess, body: unknown): void;
  /** The person's last connection to this room is gone: hands open, the pointer goes. */
  personGone(therapistId: number, personId: number): void;
}

export function createFieldChannel({
  service,
  lane,
  room,
  log,
}: {
  service: FieldService;
  lane: Lane;
  room: Room;
  log: { error(fields: object, message: string): void };
}): FieldChannel {
  function refuse(access: RoomAccess, actId: string | null, figureId: number | null, problem: ProblemBody): void {
    room.tell(access.personId, { eventType: 'PROBLEM', contents: { actId, figureId, problem } });
  }

  return {
    async act(access, body) {
      const parsed = fieldActMessage.safeParse(body);
      if (!parsed.success) {
        const fields = parsed.error.issues.slice(0, 20).map((issue) => ({
          path: issue.path.join('.').slice(0, 100),
          code: /^[a-z_]{1,40}$/.test(issue.message) ? issue.message : issue.code,
        }));
        return refuse(access, actIdOf(body), null, new Problem('invalid_input', { fields }).body());
      }
      const { actId, act } = parsed.data;
      try {
        await service.act(access, actId, act);
      } catch (error) {
        const figureId = 'figureId' in act ? act.figureId : null;
        if (error instanceof Problem) return refuse(access, actId, figureId, error.body());
        const reference = randomBytes(9).toString('base64url');
        log.error({ err: error, reference, kind: act.kind }, 'an act on a field failed');
        refuse(access, actId, figureId, new Problem('unknown_fault', { reference }).body());
      }
    },
    drag: (access, body) => lane.drag(access, body),
    point: (access, body) => lane.point(access, body),
    personGone: (therapistId, personId) => lane.personGone(therapistId, personId),
  };
}

/** The id by which the sender finds the act again, when at least that could be read. */
function actIdOf(body: unknown): string | null {
  const actId = typeof body === 'object' && body !== null ? (body as { actId?: unknown }).actId : null;
  return typeof actId === 'string' && /^[0-9a-fA-F-]{36}$/.test(actId) ? actId : null;
}
