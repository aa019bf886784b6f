/** What the timers need from the platform and from the features whose rooms they count. */
import type { Clock } from '../../platform/clock.ts';
import type { Db, Queryable } from '../../platform/db/db.ts';
import type { Nodes } from '../../platform/nodes/nodes.ts';
import type { Clients } from '../clients/index.ts';
import type { Publish, Room, RoomNodes } from '../room/index.ts';
import type { Sessions } from '../sessions/index.ts';
import type { UsageEmails } from './emails/usage.emails.ts';

export interface UsageParts {
  db: Db;
  room: Pick<Room, 'act' | 'lock' | 'lockAll' | 'tell' | 'row'>;
  clock: Pick<Clock, 'moment' | 'refresh'>;
  sessions: Pick<
    Sessions,
    'running' | 'endWithin' | 'isConnected' | 'setCountedSeconds' | 'onOpening' | 'onEnding' | 'onFirstAttended'
  >;
  clients: Pick<Clients, 'people' | 'onPeopleChanged'>;
  /** Whether somebody in the room sends sound or picture. */
  mediaFlows: (therapistId: number, on: Queryable) => boolean | Promise<boolean>;
  publish: Publish;
  mail: UsageEmails;
  nodes?: Pick<Nodes, 'isShared' | 'hasOthers' | 'lastTimes'>;
  roomNodes?: RoomNodes;
  log: { error(fields: object, message: string): void };
}
