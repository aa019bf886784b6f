/** Messages: who may write to whom, who may read them, and when they are deleted. The numbered rules are in
 * README.md. */
import {
  type Message,
  MESSAGES_LIMIT,
  MESSAGES_WINDOW_SECONDS,
  type MessagesValue,
  type SendMessage,
} from '@fieldroom/contract/messages';
import { Problem } from '../../platform/problem.ts';
import { roomDestination } from '@fieldroom/contract/realtime';
import type { RoomAccess } from '../../access.ts';
import type { Db, Queryable, Tx } from '../../platform/db/db.ts';
import type { Limits } from '../../platform/limits.ts';
import { createGathered } from '../../platform/scheduling/gathered.ts';
import type { Clients } from '../clients/index.ts';
import type { Publish, Room, RoomRow } from '../room/index.ts';
import type { Sessions } from '../sessions/index.ts';
import * as store from './messages.store.ts';

export interface MessagesParts {
  db: Db;
  room: Pick<Room, 'act' | 'inOrder' | 'tell'>;
  sessions: Pick<Sessions, 'running' | 'onEnding'>;
  clients: Pick<Clients, 'people' | 'admittedRevisions' | 'acted'>;
  limits: Pick<Limits, 'take'>;
  publish: Publish;
  /** The name on the therapist's messages, over the caller's connection to the database. */
  therapistName: (therapistId: number, db: Queryable) => Promise<string>;
}

export interface Messages {
  /**
   * Writes a message, and sends it to its recipients after the commit. If it is sent again, only its sender gets it.
   * Problems: `no_live_session`, `not_found` for a recipient to whom the sender may not write, `too_many_requests`; for
   * clients also `not_admitted`, `therapist_away` and `messages_off`.
   */
  send(access: RoomAccess, message: SendMessage): Promise<void>;
  /**
   * Sends everything that this person may read now, before the room's next act; nothing if no live session runs or the
   * client has left.
   */
  sendCurrent(access: RoomAccess, tell: (value: MessagesValue) => void): Promise<void>;
  /** Whether the therapist's clients may write from now on, also in later live sessions. The room is told. */
  setClientsMayWrite(therapistId: number, mayWrite: boolean): Promise<void>;
}

/** A person whose browser joins, and how to send to it. */
interface Joiner {
  readonly access: RoomAccess;
  readonly tell: (value: MessagesValue) => void;
}

const LIMIT = { max: MESSAGES_LIMIT, windowSeconds: MESSAGES_WINDOW_SECONDS };

/** Makes the messages. Every message is an act on the room, so none is written concurrently with the end of its live
 * session. */
export function createMessagesService({
  db,
  room,
  sessions,
  clients,
  limits,
  publish,
  therapistName,
}: MessagesParts): Messages {
  sessions.onEnding((tx, { liveSession }) => store.deleteMessages(tx, liveSession.id));

  function announce(therapistId: number, contents: Message): void {
    if (contents.to === 'all')
      publish(roomDestination(therapistId), { eventType: 'MESSAGE', contents }, { lane: 'stored' });
    else for (const personId of [contents.from, contents.to]) room.tell(personId, { eventType: 'MESSAGE', contents });
  }

  /** Decides under the room's lock whether a new message may be written, and writes it. */
  async function write(
    tx: Tx,
    { therapistId, therapistAwaySince, peopleRevision }: RoomRow,
    access: RoomAccess,
    { actId, to, text }: SendMessage,
    liveSessionId: number,
  ): Promise<Message> {
    const people = await clients.people(therapistId, tx);
    if (access.as === 'client') {
      // The sender may have been sent out since the message was received.
      if (!people.some(({ id }) => id === access.personId)) throw new Problem('not_admitted');
      if (therapistAwaySince !== null) throw new Problem('therapist_away');
      if (!(await store.mayClientsWrite(tx, therapistId))) throw new Problem('messages_off');
    }
    const host = { id: therapistId, name: await therapistName(therapistId, tx) };
    const reachable = access.as === 'client' ? [host] : people;
    const recipient = to === 'all' ? null : reachable.find(({ id }) => id === to);
    if (recipient === undefined) throw new Problem('not_found');
    return store.insertMessage(tx, {
      liveSessionId,
      actId,
      fromId: access.personId,
      fromName: access.as === 'client' ? access.name : host.name,
      toId: recipient?.id ?? null,
      toName: recipient?.name ?? null,
      text,
      peopleRevision,
    });
  }

  const tellCurrent = createGathered<Joiner>((therapistId, take) =>
    room.inOrder(therapistId, async () => {
      const all = take();
      const running = await sessions.running(therapistId, db);
      if (running === null) return;
      const clientIds = all.filter(({ access }) => access.as === 'client').map(({ access }) => access.personId);
      const admitted = await clients.admittedRevisions(clientIds);
      const clientsMayWrite = await store.mayClientsWrite(db, therapistId);
      const isAnyWritten = await store.isAnyWritten(db, running.id);
      for (const { access, tell } of all) {
        const reader = readerOf(access, admitted);
        if (reader === null) continue;
        const messages = isAnyWritten ? await store.readMessages(db, running.id, reader) : [];
        tell({ liveSessionId: running.id, messages, clientsMayWrite });
      }
    }),
  );

  return {
    async send(access, message) {
      const { therapistId, personId } = access;
      if (access.as === 'client') clients.acted(personId);
      // Counted before the room is asked, so that a flood is refused without its lock. A message that is sent again
      // because its answer was missing is not counted.
      if ((await store.findByAct(db, personId, message.actId)) === null)
        await limits.take(`messages ${personId}`, LIMIT);
      let isKnown = false;
      await room.act(
        therapistId,
        async (tx, row, afterCommit) => {
          const running = await sessions.running(therapistId, tx);
          if (running === null) throw new Problem('no_live_session');
          const known = await store.findByAct(tx, personId, message.actId);
          isKnown = known !== null;
          const contents = known ?? (await write(tx, row, access, message, running.id));
          afterCommit(() =>
            isKnown ? room.tell(personId, { eventType: 'MESSAGE', contents }) : announce(therapistId, contents),
          );
          return contents;
        },
        async (tx, _row, afterCommit) => {
          const stored = await store.findByAct(tx, personId, message.actId);
          if (stored !== null && !isKnown) afterCommit(() => announce(therapistId, stored));
          return stored;
        },
      );
    },

    sendCurrent: (access, tell) => tellCurrent(access.therapistId, { access, tell }),

    async setClientsMayWrite(therapistId, mayWrite) {
      await room.act(therapistId, async (tx, _row, afterCommit) => {
        await store.writeClientsMayWrite(tx, therapistId, mayWrite);
        afterCommit(() =>
          publish(
            roomDestination(therapistId),
            { eventType: 'CLIENT_MESSAGES', contents: { mayWrite } },
            { lane: 'stored' },
          ),
        );
      });
    },
  };
}

/** The reader, from access and the revisions before clients were admitted; null for a client who has left. */
function readerOf(access: RoomAccess, admitted: ReadonlyMap<number, number>): store.Reader | null {
  if (access.as === 'therapist') return { as: 'therapist' };
  const admittedRevision = admitted.get(access.personId);
  return admittedRevision === undefined ? null : { as: 'client', id: access.personId, admittedRevision };
}
