/** The lobby: entering by link, code or booking, waiting, being let in or declined, and guesses of links and codes. */
import { createHmac } from 'node:crypto';
import {
  SEATS,
  SEATS_PER_ADDRESS,
  type Seat,
  WAITING_MAX,
  WAITING_PER_ADDRESS,
  WAITING_PER_BOOKING,
} from '@fieldroom/contract/clients';
import { Problem } from '../../../platform/problem.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import type { Limits } from '../../../platform/limits.ts';
import { productNow } from '../../../platform/platform.tables.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import { newToken } from '../../../platform/tokens.ts';
import type { AfterCommit, Room } from '../../room/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { Announcements } from '../clients.announcements.ts';
import * as store from '../clients.store.ts';
import type { ArrivalListener, Clients, Connections } from '../clients.types.ts';
import type { Views } from '../clients.views.ts';
import { ENDED } from '../seats/clients.access.ts';
import type { Seats } from '../seats/clients.seats.ts';
import type { Throttle } from './clients.throttle.ts';

/** The ways to enter the lobby. */
type Way =
  | { by: 'link'; joinLink: string; block: string }
  | { by: 'code'; code: string; block: string }
  | { by: 'booking'; bookingId: number };

const TRIES_REMEMBERED_MS = 15 * 60_000;
const TRIES_REMEMBERED_MAX = 1_000;

export interface LobbyParts {
  db: Db;
  room: Room;
  sessions: Sessions;
  limits: Pick<Limits, 'addressBlock'>;
  clock: Pick<Clock, 'now'>;
  secrets: Secrets;
  connections: Connections;
  throttle: Throttle;
  views: Views;
  announcements: Announcements;
  seats: Seats;
  /** Called when somebody begins to wait while the therapist is not in the room. */
  arrived: ArrivalListener;
}

export interface Lobby extends Pick<Clients, 'lookAtJoinLink' | 'enter' | 'enterBooked' | 'admit' | 'decline'> {
  /** Wrong codes and links of the last 15 minutes that were meant for this therapist. */
  wrongTries(therapistId: number): Promise<number>;
}

/** Makes the lobby of all rooms. Rules: README.md; docs/product.md#4. */
export function createLobby({
  db,
  room,
  sessions,
  limits,
  clock,
  secrets,
  connections,
  throttle,
  views: { seatAs },
  announcements: { tellTherapist, notify },
  seats: { bringIn, vacateSeat, leave },
  arrived,
}: LobbyParts): Lobby {
  /** Product times of wrong tries that concerned a therapist, oldest first. */
  const tries = new Map<number, number[]>();

  /**
   * A person's source, as a keyed hash: no address is stored, and nobody can test addresses without the key.
   */
  async function sourceOf(way: Way): Promise<Buffer> {
    return createHmac('sha256', await secrets.get('waiting places'))
      .update(way.by === 'booking' ? `booking ${way.bookingId}` : `address ${way.block}`)
      .digest();
  }

  function triesOf(therapistId: number, now: number): number[] {
    return (tries.get(therapistId) ?? []).filter((at) => at > now - TRIES_REMEMBERED_MS);
  }

  /**
   * Somebody with a right link, code or booking enters the room or waits. Only a link lets people in at once, if the
   * room is open (rule 2).
   */
  async function comeToLobby(
    therapistId: number,
    { name, replaces = null, ...way }: { name: string; replaces?: number | null } & Way,
  ): Promise<Seat & { token: string }> {
    const { token, hash } = newToken();
    const source = await sourceOf(way);
    const row = await room.act(therapistId, async (tx, roomRow, afterCommit) => {
      const running = await sessions.running(therapistId, tx);
      // The link or code may have been renewed since the look-up.
      if (way.by === 'code' && (running === null || roomRow.code !== way.code)) throw new Problem('invalid_code');
      if (way.by === 'link' && (await store.roomByLink(tx, way.joinLink))?.therapistId !== therapistId)
        throw new Problem('join_link_unknown');
      const again = replaces !== null && (await releaseFormer(tx, therapistId, replaces, afterCommit));
      const counted = await store.countPeople(tx, therapistId);
      if (counted.seated >= SEATS) throw new Problem('room_full');
      const therapistIsIn = running !== null && roomRow.therapistAwaySince === null;
      const atOnce =
        way.by === 'link' &&
        roomRow.admission === 'open' &&
        !roomRow.asksUntilEnd &&
        therapistIsIn &&
        (await store.seatedFrom(tx, therapistId, source)) < SEATS_PER_ADDRESS;
      if (!atOnce) {
        await makePlace(tx, therapistId, source, way.by, afterCommit);
        if (way.by !== 'booking' && counted.waiting >= WAITING_MAX) throw new Problem('waiting_room_full');
      }
      const made = await store.insertClient(tx, {
        therapistId,
        liveSessionId: running?.id ?? null,
        name,
        tokenHash: hash,
        state: atOnce ? 'in' : 'waiting',
        enteredBy: way.by,
        joinLink: way.by === 'link' ? way.joinLink : null,
        source,
        ...(atOnce ? { admittedAt: productNow as never, admittedRevision: roomRow.peopleRevision } : {}),
      });
      if (atOnce) await bringIn(tx, [made], running.id, afterCommit);
      else {
        afterCommit(async () => {
          await tellTherapist(therapistId);
          notify(therapistId, 'arrival', () => ({ what: 'arrival' }));
        });
        if (!therapistIsIn) await arrived(tx, { therapistId, clientId: made.id, again }, afterCommit);
      }
      return made;
    });
    return { ...(await seatAs(row)), token };
  }

  /**
   * The same browser enters again: it is the same person, so the older place or seat is freed. Returns whether there
   * was one.
   */
  async function releaseFormer(
    tx: Tx,
    therapistId: number,
    clientId: number,
    afterCommit: AfterCommit,
  ): Promise<boolean> {
    const row = await store.findClient(tx, clientId);
    if (row === null || row.therapistId !== therapistId || ENDED[row.state]) return false;
    if (row.state === 'waiting') await endWaiting(tx, therapistId, [clientId], afterCommit);
    else {
      await vacateSeat(tx, [row], { state: 'left', reason: 'left' }, afterCommit);
      afterCommit(() => connections.close(therapistId, [clientId]));
    }
    return true;
  }

  async function endWaiting(
    tx: Tx,
    therapistId: number,
    ids: readonly number[],
    afterCommit: AfterCommit,
  ): Promise<void> {
    await store.updateClients(tx, ids, { state: 'left', endedAt: productNow });
    afterCommit(() => connections.close(therapistId, ids));
  }

  /**
   * Makes a waiting place free for one more person from a source (rule 17). An address may fill its share of the
   * places. People whose page is gone count too, so that an address never has more tokens than places; the one gone
   * longest is removed. A booking always gets a place; its oldest one is removed. Problem: `waiting_room_full`.
   */
  async function makePlace(
    tx: Tx,
    therapistId: number,
    source: Buffer,
    by: Way['by'],
    afterCommit: AfterCommit,
  ): Promise<void> {
    const there = await store.waitingFrom(tx, therapistId, source);
    const tooMany = there.length + 1 - (by === 'booking' ? WAITING_PER_BOOKING : WAITING_PER_ADDRESS);
    if (tooMany <= 0) return;
    const yielding = (by === 'booking' ? there : there.filter((one) => !one.here)).slice(0, tooMany);
    if (yielding.length < tooMany) throw new Problem('waiting_room_full');
    await endWaiting(
      tx,
      therapistId,
      yielding.map(({ id }) => id),
      afterCommit,
    );
  }

  async function wrongTry(block: string, what: 'link' | 'code', way: string): Promise<void> {
    const now = (await clock.now()).getTime();
    const atWork = await store.therapistsAtWork(db);
    // Inform the therapist to whom it belonged, or the only one whose code could be guessed (rule 5).
    const concerned =
      (await store.ownerOfFormerWayIn(db, what, way)) ?? (what === 'code' && atWork.length === 1 ? atWork[0]! : null);
    if (concerned !== null) {
      tries.set(concerned, [...triesOf(concerned, now).slice(1 - TRIES_REMEMBERED_MAX), now]);
      notify(concerned, 'wrongCodes', () => ({
        what: 'wrongCodes',
        wrongTries: tries.get(concerned)?.length ?? 0,
      }));
    }
    await throttle.wrong(block, what === 'code' && atWork.length > 0);
  }

  return {
    wrongTries: async (therapistId) => triesOf(therapistId, (await clock.now()).getTime()).length,

    async lookAtJoinLink(joinLink, ip) {
      const block = limits.addressBlock(ip);
      await throttle.turn(block);
      const found = await store.roomByLink(db, joinLink);
      if (found === null) {
        await wrongTry(block, 'link', joinLink);
        throw new Problem('join_link_unknown');
      }
      return { firstName: found.firstName, picture: null };
    },

    async enter({ joinLink, code, name }, { principal, ip }) {
      if (principal?.kind === 'account') throw new Problem('therapist_signed_in_here');
      const block = limits.addressBlock(ip);
      await throttle.turn(block);
      const found =
        joinLink !== undefined ? await store.roomByLink(db, joinLink) : await store.roomByCode(db, code ?? '');
      if (found === null) {
        await wrongTry(block, joinLink !== undefined ? 'link' : 'code', joinLink ?? code ?? '');
        throw new Problem(joinLink !== undefined ? 'join_link_unknown' : 'invalid_code');
      }
      const replaces = principal?.kind === 'client' ? principal.id : null;
      const way: Way =
        joinLink !== undefined ? { by: 'link', joinLink, block } : { by: 'code', code: code ?? '', block };
      const seat = await comeToLobby(found.therapistId, { name, replaces, ...way });
      // Free a seat in another room once there is one in this room. If that fails, it ends some time after its page
      // does, and the new token must not be lost.
      if (principal?.kind === 'client' && principal.therapistId !== found.therapistId)
        await leave(principal.id).catch(() => {});
      return seat;
    },

    enterBooked: ({ therapistId, bookingId, name }) => comeToLobby(therapistId, { name, by: 'booking', bookingId }),

    admit(therapistId, clientIds) {
      return room.act(therapistId, async (tx, { peopleRevision }, afterCommit) => {
        const running = await sessions.running(therapistId, tx);
        if (running === null) throw new Problem('no_live_session');
        const waiting = await store.waiting(tx, therapistId);
        const wanted = clientIds === 'all' ? waiting : waiting.filter((row) => clientIds.includes(row.id));
        const free = SEATS - (await store.countPeople(tx, therapistId)).seated;
        const letIn = wanted.slice(0, Math.max(0, free));
        const admitted = letIn.map((row) => row.id);
        await store.updateClients(tx, admitted, {
          state: 'in',
          admittedAt: productNow,
          admittedRevision: peopleRevision,
          liveSessionId: running.id,
          active: true,
        });
        // Sent before the room's message: a browser that knows it is in may join the room at once.
        afterCommit(() =>
          admitted.forEach((id) => room.tell(id, { eventType: 'ADMISSION', contents: { state: 'in' } })),
        );
        await bringIn(tx, letIn, running.id, afterCommit);
        const inAlready =
          clientIds === 'all'
            ? []
            : (await store.inRoom(tx, therapistId))
                .map((row) => row.id)
                .filter((id) => clientIds.includes(id) && !admitted.includes(id));
        const missing =
          clientIds === 'all'
            ? []
            : clientIds.filter((id) => !inAlready.includes(id) && !wanted.some((row) => row.id === id));
        return {
          admitted: [...admitted, ...inAlready],
          refused: [
            ...wanted.slice(letIn.length).map((row) => ({ id: row.id, code: 'room_full' as const })),
            ...[...new Set(missing)].map((id) => ({ id, code: 'not_found' as const })),
          ],
        };
      });
    },

    decline(therapistId, clientIds) {
      return room.act(therapistId, async (tx, _row, afterCommit) => {
        const waiting = (await store.present(tx, therapistId)).filter((row) => row.state === 'waiting');
        const ids = waiting.map((row) => row.id).filter((id) => clientIds === 'all' || clientIds.includes(id));
        if (ids.length === 0) return 0;
        await store.updateClients(tx, ids, { state: 'declined', endedAt: productNow });
        afterCommit(async () => {
          // Nothing may happen between the two: somebody who subscribes in between would miss the message and count as
          // informed.
          for (const id of ids) room.tell(id, { eventType: 'ADMISSION', contents: { state: 'declined' } });
          connections.close(therapistId, ids, 'declined');
          await tellTherapist(therapistId);
        });
        return ids.length;
      });
    },
  };
}
