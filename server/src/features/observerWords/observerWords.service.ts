/** Observers' words: who may say one, and when. The numbered rules are in README.md. */
import { OBSERVER_WORDS_LIMIT, OBSERVER_WORDS_WINDOW_SECONDS, type SayWord } from '@fieldroom/contract/observerWords';
import { Problem } from '../../platform/problem.ts';
import { type PlainChange, roomDestination } from '@fieldroom/contract/realtime';
import type { RoomAccess } from '../../access.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Clients } from '../clients/index.ts';
import { createRoomReading, type Publish, type Room } from '../room/index.ts';
import type { Sessions } from '../sessions/index.ts';
import * as store from './observerWords.store.ts';

export interface ObserverWordsParts {
  db: Db;
  room: Pick<Room, 'act' | 'inOrder'>;
  sessions: Pick<Sessions, 'running' | 'onEnding'>;
  clients: Pick<Clients, 'people' | 'acted'>;
  limits: Pick<Limits, 'take'>;
  publish: Publish;
}

export interface ObserverWords {
  /**
   * Sends a client's word to the room, and stores nothing. Problems: `forbidden` for the therapist, `no_live_session`,
   * `not_admitted`, `therapist_away`, `words_not_invited`, `words_only_without_role`, `too_many_requests`.
   */
  say(access: RoomAccess, word: SayWord): Promise<void>;
  /** Invites words, or ends the invitation. The room is told. Problem: `no_live_session`. */
  invite(therapistId: number, invited: boolean): Promise<void>;
  /** Tells somebody who joins whether words are invited, before the room's next act. */
  sendCurrent(access: RoomAccess, tell: (invited: boolean) => void): Promise<void>;
}

const LIMIT = { max: OBSERVER_WORDS_LIMIT, windowSeconds: OBSERVER_WORDS_WINDOW_SECONDS };

/** Makes the words of observers. */
export function createObserverWordsService({
  db,
  room,
  sessions,
  clients,
  limits,
  publish,
}: ObserverWordsParts): ObserverWords {
  sessions.onEnding((tx, { liveSession }) => store.writeInvitation(tx, liveSession.id, false));

  const announce = (therapistId: number, change: PlainChange) =>
    publish(roomDestination(therapistId), change, { lane: 'stored' });

  const tellInvitation = createRoomReading(room, async (therapistId) => {
    const running = await sessions.running(therapistId, db);
    return running === null ? null : store.isInvited(db, running.id);
  });

  return {
    async say(access, { actId, text }) {
      if (access.as !== 'client') throw new Problem('forbidden');
      const { therapistId, personId } = access;
      clients.acted(personId);
      // Counted before the room is asked, so that a flood is refused without its lock.
      await limits.take(`observer words ${personId}`, LIMIT);
      // An act on the room, so that no word is sent after the end of the invitation or after a role was given.
      await room.act(therapistId, async (tx, { therapistAwaySince }, afterCommit) => {
        const running = await sessions.running(therapistId, tx);
        if (running === null) throw new Problem('no_live_session');
        const person = (await clients.people(therapistId, tx)).find(({ id }) => id === personId);
        if (person === undefined) throw new Problem('not_admitted');
        if (therapistAwaySince !== null) throw new Problem('therapist_away');
        if (!(await store.isInvited(tx, running.id))) throw new Problem('words_not_invited');
        if (person.roles.length > 0) throw new Problem('words_only_without_role');
        afterCommit(() => announce(therapistId, { eventType: 'OBSERVER_WORD', contents: { actId, personId, text } }));
      });
    },

    async invite(therapistId, invited) {
      await room.act(therapistId, async (tx, _row, afterCommit) => {
        const running = await sessions.running(therapistId, tx);
        if (running === null) throw new Problem('no_live_session');
        await store.writeInvitation(tx, running.id, invited);
        afterCommit(() => announce(therapistId, { eventType: 'OBSERVER_INVITATION', contents: { invited } }));
      });
    },

    sendCurrent: ({ therapistId }, tell) => tellInvitation(therapistId, tell),
  };
}
