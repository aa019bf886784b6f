/**
 * A room whose people are on two nodes, one of which dies: how long acts of those on the other take, when somebody
 * there can take the figure that was in a dead person's hand, and when the people of the dead node are back.
 */
import { randomUUID } from 'node:crypto';
import { FIELD_SEND, saveFigure } from '@fieldroom/contract/field';
import {
  type Change,
  ownDestination,
  RECONNECT_MS,
  roomDestination,
  SEND,
  SOCKET_PATHS,
} from '@fieldroom/contract/realtime';
import { placeOf } from '../room/crowd.ts';
import { openStomp, type StompConnection } from '../room/stomp.ts';
import { type Fieldroom, fillRoom, type Therapist } from '../service/fieldroom.ts';
import { mapInParallel, sleep, until } from '../service/processes.ts';

/** Clients on each of the two nodes. */
const CLIENTS = 4;
const DRAG_EVERY_MS = 33;
/** How often somebody tries to take the figure. */
const TRY_EVERY_MS = 50;
/** Of all people, from the kill. */
const BACK_WITHIN_MS = 60_000;

export interface DeadNode {
  /** Until all clients on the living node knew an act, of each act after the kill, ms. */
  readonly acts: readonly number[];
  /** Acts that were refused, or that somebody did not hear of. */
  readonly failed: number;
  /** From the kill until somebody else had the figure in their hand, ms. */
  readonly takenMs: number;
  /** From the kill until each person of the dead node had the room again, ms. */
  readonly backMs: readonly number[];
}

interface Person {
  readonly id: number;
  readonly token: string;
  connection: StompConnection | null;
  /** It has a copy of the field. */
  isShown: boolean;
  onChange: (change: Change) => void;
  onClose: () => void;
}

const READ = ['"eventType":"PLAYER', '"eventType":"PROBLEM"'];

async function join(person: Person, therapist: Therapist, port: number): Promise<void> {
  person.isShown = false;
  const connection = await openStomp({
    port,
    path: SOCKET_PATHS[0],
    headers: { login: 'guest', passcode: 'guest', Authorization: `Bearer ${person.token}` },
    onClose: () => person.onClose(),
    onBody(body) {
      if (!READ.some((text) => body.includes(text))) return;
      const change = JSON.parse(body.toString()) as Change;
      if (change.eventType === 'PLAYERS_VALUE') person.isShown = true;
      person.onChange(change);
    },
  });
  person.connection = connection;
  await connection.subscribe('own', ownDestination(person.id));
  await connection.subscribe('room', roomDestination(therapist.id));
  connection.send(SEND.addUser, { userId: person.id, type: 'JOIN' });
}

export interface SplitRoom {
  /** The other node's process is killed by this. Measures for this long, and at least until everybody is back. */
  measure(kill: () => Promise<unknown>, ms: number): Promise<DeadNode>;
}

/** Fills a room of a therapist over both nodes; the therapist is on the first. */
export async function openSplitRoom(therapist: Therapist, node: Fieldroom, other: Fieldroom): Promise<SplitRoom> {
  const seated = await fillRoom(node, therapist, 2 * CLIENTS);
  const figures = await mapInParallel(['Held', 'Acted'], 1, (name) =>
    node.call(saveFigure, { token: therapist.token, body: { name, x: 100, y: 100, movableBy: 'everyone' } }),
  );
  const [held, acted] = figures as [(typeof figures)[0], (typeof figures)[0]];
  const nobody = () => undefined;
  const personOf = (id: number, token: string): Person => ({
    ...{ id, token, connection: null, isShown: false },
    ...{ onChange: nobody, onClose: nobody },
  });
  const own = personOf(therapist.id, therapist.token);
  const people = seated.map(({ client, token }) => personOf(client.id, token));
  const [here, there] = [people.slice(0, CLIENTS), people.slice(CLIENTS)];
  for (const person of [own, ...here]) await join(person, therapist, node.port);
  for (const person of there) await join(person, therapist, other.port);
  await until('everybody’s copy of the field', () => [own, ...people].every(({ isShown }) => isShown), 30_000);
  const send = (person: Person, act: object) => person.connection!.send(FIELD_SEND.act, { actId: randomUUID(), act });
  send(own, { kind: 'hands', allowed: true });

  let places = 0;
  /** The therapist acts. Returns after how many milliseconds all clients on the living node knew it; null if not. */
  function act(): Promise<number | null> {
    const actId = randomUUID();
    const from = performance.now();
    const missing = new Set(here);
    return new Promise((resolve) => {
      const cut = setTimeout(resolve, 10_000, null);
      const listeners = new Map([own, ...here].map((person) => [person, person.onChange]));
      for (const [person, before] of listeners)
        person.onChange = (change) => {
          before(change);
          if (change.eventType === 'PROBLEM' && change.contents.actId === actId) resolve(null);
          if (change.eventType !== 'PLAYER_CHANGE' || change.contents.actId !== actId) return;
          missing.delete(person);
          if (missing.size > 0) return;
          clearTimeout(cut);
          resolve(performance.now() - from);
        };
      own.connection!.send(FIELD_SEND.act, {
        actId,
        act: { kind: 'place', figureId: acted.id, ...placeOf((places += 1)) },
      });
    });
  }

  return {
    async measure(kill, ms) {
      const holder = there[0]!;
      const taker = here[0]!;
      let isHeld = false;
      let takenAt = 0;
      own.onChange = (change) => {
        if (change.eventType !== 'PLAYER_DRAG') return;
        for (const drag of change.contents.drags) {
          if (drag.figureId !== held.id || drag.end === true) continue;
          if (drag.by === holder.id) isHeld = true;
          else if (drag.by === taker.id) takenAt ||= performance.now();
        }
      };
      const drag = (person: Person) =>
        person.connection!.send(FIELD_SEND.drag, { figureId: held.id, ...placeOf((places += 1)) });
      const dragging = setInterval(drag, DRAG_EVERY_MS, holder);
      await until('a figure in a hand', () => isHeld, 10_000);

      const killedAt = performance.now();
      const back = there.map(async (person): Promise<number> => {
        const gone = new Promise<void>((resolve) => (person.onClose = resolve));
        await gone;
        for (;;) {
          // As the web waits: RECONNECT_MS on average, drawn again each time.
          await sleep(RECONNECT_MS * (0.5 + Math.random()));
          try {
            await join(person, therapist, node.port);
            await until('the room', () => person.isShown, 10_000, 5);
            return performance.now() - killedAt;
          } catch {
            if (performance.now() - killedAt > BACK_WITHIN_MS) return Infinity;
          }
        }
      });
      const killed = kill();
      clearInterval(dragging);
      const trying = setInterval(drag, TRY_EVERY_MS, taker);
      const acts: (number | null)[] = [];
      while (performance.now() - killedAt < ms) {
        acts.push(await act());
        await sleep(100);
      }
      await killed;
      const backMs = await Promise.all(back);
      clearInterval(trying);
      for (const person of [own, ...people]) {
        person.onClose = nobody;
        person.onChange = nobody;
        person.connection?.socket.close();
      }
      const served = acts.filter((one) => one !== null);
      return {
        acts: served,
        failed: acts.length - served.length,
        takenMs: takenAt === 0 ? Infinity : takenAt - killedAt,
        backMs,
      };
    },
  };
}
