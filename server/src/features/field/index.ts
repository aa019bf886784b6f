/** Door of the field: figures, acts, undo, drags, pointers, the therapist's icons. */
import type { FieldSnapshot } from '@fieldroom/contract/field';
import { Problem } from '@fieldroom/contract/problems';
import type { AccessValues, Principal } from '../../access.ts';
import type { Limit } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Http } from '../../platform/http/http.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Clients } from '../clients/index.ts';
import type { Queries, Room } from '../room/index.ts';
import { createFieldChannel, type FieldChannel } from './field.channel.ts';
import { gates, type FieldGates } from './field.gates.ts';
import { createLane, realScheduler, type Scheduler } from './field.lane.ts';
import { fieldRoutes } from './field.routes.ts';
import { createFieldService, type FieldService } from './field.service.ts';
import { createIcons, type IconFiles } from './icons.service.ts';

export type { FieldChannel } from './field.channel.ts';
export type { Scheduler } from './field.lane.ts';
export type { IconFiles } from './icons.service.ts';

export interface FieldParts {
  db: Db;
  room: Room;
  clients: Clients;
  files: IconFiles;
  limits: Pick<Limits, 'take'>;
  /** Uploads an hour and therapist (`config.limits.uploads`). */
  uploadLimit: Limit;
  log: { error(fields: object, message: string): void };
  /** The name on the therapist's pointer. */
  therapistName: (therapistId: number) => Promise<string>;
  /** Real time; tests move it by hand. */
  scheduler?: Scheduler;
}

export interface Field {
  /** Mounts the calls about participants and icons. */
  routes(http: Http<Principal, AccessValues>): void;
  readonly channel: FieldChannel;
  readonly gates: FieldGates;
  /** The whole field as it stands, for the end of a live session in its transaction. Takes the room's lock. */
  snapshot(therapistId: number, tx?: Queries): Promise<FieldSnapshot>;
  /** PLAYERS_VALUE with the stamps of the same moment, for who joins or asks. Call it inside `room.inOrder` where nothing may overtake it. */
  playersValue: FieldService['playersValue'];
  /** Acts from within the server (demo practice, builders): as `channel.act`, but problems are thrown. */
  act: FieldService['act'];
  /** For `sessions.onEnding`: what can be taken back ends with the live session. */
  forgetActs(tx: Queries, therapistId: number): Promise<void>;
  /** For a sweep every 10 minutes: forgets acts beyond reach. Out: how many went. */
  pruneActs(): Promise<number>;
  /** Drops timers. */
  stop(): void;
}

/** Makes the field. In: the platform's parts, the doors of room and clients. Source: PRODUCT 5, specification 7.3. */
export function createField({
  db,
  room,
  clients,
  files,
  limits,
  uploadLimit,
  log,
  therapistName,
  scheduler = realScheduler,
}: FieldParts): Field {
  const lane = createLane(
    {
      announceVolatile: room.announceVolatile,
      load: async (therapistId, then) => service.loadPicture(therapistId, await therapistName(therapistId), then),
      refuse: (personId, figureId, code) =>
        room.tell(personId, {
          eventType: 'PROBLEM',
          contents: { actId: null, figureId, problem: new Problem(code).body() },
        }),
      onFault: (error) => log.error({ err: error }, 'a room could not be read for the volatile lane'),
    },
    scheduler,
  );
  const service = createFieldService({ db, room, clients, lane });
  const icons = createIcons({ db, room, files, limits, uploadLimit });
  const stopHearing = clients.onPeopleChanged(({ therapistId, gone, rolesTaken }) => {
    for (const clientId of gone) lane.personGone(therapistId, clientId);
    lane.rolesChanged(therapistId, rolesTaken);
  });
  return {
    routes: (http) => fieldRoutes(http, { service, icons }),
    channel: createFieldChannel({ service, lane, room, log }),
    gates,
    snapshot: service.snapshot,
    playersValue: service.playersValue,
    act: service.act,
    forgetActs: service.forgetActs,
    pruneActs: service.pruneActs,
    stop() {
      stopHearing();
      lane.stop();
    },
  };
}
