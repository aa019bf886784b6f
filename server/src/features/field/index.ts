/** The field: figures, acts, undo, drags, pointers, the therapist's icons. */
import type { FieldSnapshot } from '@fieldroom/contract/field';
import { Problem } from '../../platform/problem.ts';
import type { Feature } from '../../feature.ts';
import type { Limit } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Clients } from '../clients/index.ts';
import { NO_OTHER_NODES, type Queries, type Room, type RoomNodes } from '../room/index.ts';
import { createFieldChannel } from './field.channel.ts';
import { gates, type FieldGates } from './field.gates.ts';
import { createLane } from './lane/field.lane.ts';
import { realScheduler, type Scheduler } from './lane/field.lane.scheduler.ts';
import { fieldRoutes } from './field.routes.ts';
import { joinLanes, laneNodes } from './lane/field.lane.nodes.ts';
import { createFieldService, type FieldService, type FindConstellation, type MomentFigures } from './field.service.ts';
import { readIconIds } from './field.store.ts';
import { createFieldSnapshots, type FieldSnapshots } from './field.snapshot.ts';
import { iconSearch } from './icons/icons.search.ts';
import { createIcons, type IconFiles } from './icons/icons.service.ts';

export type { StoredAct } from './field.service.ts';

export interface FieldParts {
  db: Db;
  room: Room;
  clients: Clients;
  files: IconFiles;
  limits: Pick<Limits, 'take'>;
  /** Uploads per hour and therapist (`config.limits.uploads`). */
  uploadLimit: Limit;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  /** The name on the therapist's pointer. */
  therapistName: (therapistId: number) => Promise<string>;
  findConstellation: FindConstellation;
  /** The source of a moment's figures, for going back to it. */
  momentFigures: MomentFigures;
  /** Real time; tests move it by hand. */
  scheduler?: Scheduler;
  roomNodes?: RoomNodes;
}

export interface Field extends Required<Pick<Feature, 'routes' | 'channel' | 'jobs' | 'search'>> {
  readonly gates: FieldGates;
  /** The whole field, for the end of a live session in its transaction. Takes the room's lock. */
  snapshot(therapistId: number, tx?: Queries): Promise<FieldSnapshot>;
  /**
   * PLAYERS_VALUE with the stamps of the same moment, for somebody who joins or asks. Call it inside `room.inOrder` if
   * nothing may overtake it.
   */
  playersValue: FieldSnapshots['playersValue'];
  /** Ids of a therapist's own icons. Takes the database or the caller's transaction. */
  iconIds(tx: Queries, therapistId: number): Promise<ReadonlySet<number>>;
  /** Acts from within the server (demo practice, builders): like acts over the channel, but problems are thrown. */
  act: FieldService['act'];
  /** For other features' acts on the room, and for those that need every change of a field: see FieldService. */
  hideTexts: FieldService['hideTexts'];
  onStored: FieldService['onStored'];
  onAct: FieldService['onAct'];
  /** For `sessions.onEnding`: nothing can be undone after the live session. */
  forgetActs(tx: Queries, therapistId: number): Promise<void>;
  /** For `sessions.onHere`: while the therapist is away, clients' hands and pointers do nothing. */
  therapistHere(therapistId: number, here: boolean): void;
  /** Reads again the lane's picture of a room after messages may have been missed. */
  refresh(therapistId: number): void;
  /** Drops timers. */
  stop(): void;
}

/** Creates the field. Takes the platform's parts, room and clients. Rules: docs/product.md#5. */
export function createField({
  db,
  room,
  clients,
  files,
  limits,
  uploadLimit,
  log,
  therapistName,
  findConstellation,
  momentFigures,
  scheduler = realScheduler,
  roomNodes = NO_OTHER_NODES,
}: FieldParts): Field {
  const snapshots = createFieldSnapshots({ db, room, clients, therapistName });
  const lane = createLane(
    {
      announceHere: room.announceHere,
      nodes: laneNodes(roomNodes),
      load: snapshots.readPicture,
      refuse: (personId, figureId, code) =>
        room.tell(personId, {
          eventType: 'PROBLEM',
          contents: { actId: null, figureId, problem: new Problem(code).body() },
        }),
      onFault: (error) => log.error({ err: error }, 'a room could not be read for the volatile lane'),
    },
    scheduler,
  );
  joinLanes(lane, roomNodes);
  const service = createFieldService({ db, room, clients, lane, roomNodes, findConstellation, momentFigures });
  const icons = createIcons({ db, room, files, limits, uploadLimit });
  const stopHearing = clients.onPeopleChanged(({ therapistId, gone, rolesTaken }) => {
    for (const clientId of gone) lane.personGone(therapistId, clientId);
    lane.rolesChanged(therapistId, rolesTaken);
  });
  return {
    routes: (http) => fieldRoutes(http, { service, icons }),
    channel: createFieldChannel({ service, lane, room, clients }),
    gates,
    search: [iconSearch(db)],
    snapshot: snapshots.snapshot,
    playersValue: snapshots.playersValue,
    iconIds: readIconIds,
    act: service.act,
    hideTexts: service.hideTexts,
    onStored: service.onStored,
    onAct: service.onAct,
    forgetActs: service.forgetActs,
    // Acts that nobody can undo any more need not be kept.
    jobs: [{ name: 'field.pruneActs', everySeconds: 600, run: service.pruneActs }],
    therapistHere: lane.therapistHere,
    refresh: lane.refresh,
    stop() {
      stopHearing();
      lane.stop();
    },
  };
}
