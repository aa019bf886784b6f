/**
 * A room in which the therapist acts and drags, and the clients record when they receive it. All of them are in this
 * process, so that one clock measures sending and arrival.
 */
import { randomUUID } from 'node:crypto';
import { FIELD_SEND, saveFigure } from '@fieldroom/contract/field';
import { ownDestination, roomDestination, SEND, SOCKET_PATHS, type Change } from '@fieldroom/contract/realtime';
import { type Place, placeOf } from './crowd.ts';
import { type Fieldroom, fillRoom, type Therapist } from '../service/fieldroom.ts';
import { mapInParallel, until } from '../service/processes.ts';
import { openStomp, type StompConnection } from './stomp.ts';

/** An act that somebody has not received within this time has failed. */
export const ACT_WITHIN_MS = 10_000;
/** The number of connections of one room that are opened at a time. */
const WIDTH = 8;
/** Only messages that contain one of these are read; the rest would cost more than what is measured. */
const READ = ['"eventType":"PLAYER', '"eventType":"PROBLEM"'];

/** A PROBLEM came instead of the act. */
export class ActRefused extends Error {
  readonly code: string;
  /** When it may work again; undefined where the problem does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor({ code, retryAfterSeconds }: { code: string; retryAfterSeconds?: number | undefined }) {
    super(`an act was refused: ${code}`);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface ActingRoom {
  /**
   * The therapist moves the figure to another position. Returns the milliseconds until each client knew it. @throws
   * ActRefused, or an error if somebody does not know it after ten seconds.
   */
  act(): Promise<number[]>;
  /** The therapist drags the figure to the next position. Returns that position. */
  drag(): Place;
  /** Called for each position that arrives at a client. */
  onPosition: ((x: number, y: number) => void) | null;
  /** Descriptions of closed connections and refused messages so far. */
  readonly complaints: readonly string[];
  close(): void;
}

export interface ActingRoomOptions {
  readonly therapist: Therapist;
  readonly clients: number;
  /** The node of the therapist, which also takes the calls. */
  readonly node: Fieldroom;
  /** The node of the clients, if it is another one. */
  readonly clientsNode?: Fieldroom;
  /** The address of this machine from which a person (0: the therapist) connects. */
  readonly addressOf?: (person: number) => string;
}

/** The number of the next position. All rooms share it, so that no act leaves a figure where it is. */
let nextPlace = 0;

/** Fills the room, and connects everybody. */
export async function openActingRoom({
  therapist,
  clients: many,
  node,
  clientsNode = node,
  addressOf,
}: ActingRoomOptions): Promise<ActingRoom> {
  const clients = await fillRoom(node, therapist, many);
  const figure = await node.call(saveFigure, { token: therapist.token, body: { name: 'Figure', x: 100, y: 100 } });
  const complaints: string[] = [];
  /** By act: what to do when a client receives it, and when it is refused. */
  const waiting = new Map<string, { heard(): void; refused(error: Error): void }>();
  /** The people who have a copy of the field. */
  const shown = new Set<number>();
  let closing = false;

  async function join(id: number, token: string, port: number, person: number): Promise<StompConnection> {
    const connection = await openStomp({
      port,
      path: SOCKET_PATHS[0],
      localAddress: addressOf?.(person),
      headers: { login: 'guest', passcode: 'guest', Authorization: `Bearer ${token}` },
      onClose() {
        if (!closing) complaints.push('connection closed');
      },
      onError: (text) => complaints.push(`ERROR ${/\ncode:(\S+)/.exec(text)?.[1] ?? ''}`),
      onBody(body) {
        if (!READ.some((text) => body.includes(text))) return;
        const change = JSON.parse(body.toString()) as Change;
        if (change.eventType === 'PLAYERS_VALUE') shown.add(person);
        else if (change.eventType === 'PROBLEM') {
          const { actId, problem } = change.contents;
          complaints.push(`PROBLEM ${problem.code}`);
          waiting.get(actId ?? '')?.refused(new ActRefused(problem));
        } else if (person === 0) return;
        else if (change.eventType === 'PLAYER_CHANGE') waiting.get(change.contents.actId ?? '')?.heard();
        else if (change.eventType === 'PLAYER_DRAG')
          for (const { x, y, end } of change.contents.drags) if (end !== true) room.onPosition?.(x, y);
      },
    });
    await connection.subscribe('own', ownDestination(id));
    await connection.subscribe('room', roomDestination(therapist.id));
    connection.send(SEND.addUser, { userId: id, type: 'JOIN' });
    return connection;
  }

  const room: ActingRoom = {
    async act() {
      const actId = randomUUID();
      const { x, y } = placeOf(nextPlace++);
      const times: number[] = [];
      const done = Promise.withResolvers<void>();
      const from = performance.now();
      waiting.set(actId, {
        heard() {
          times.push(performance.now() - from);
          if (times.length === many) done.resolve();
        },
        refused: done.reject,
      });
      const cut = setTimeout(
        () => done.reject(new Error(`${times.length} of ${many} people heard of an act`)),
        ACT_WITHIN_MS,
      );
      own.send(FIELD_SEND.act, { actId, act: { kind: 'place', figureId: figure.id, x, y } });
      try {
        await done.promise;
      } finally {
        clearTimeout(cut);
        waiting.delete(actId);
      }
      return times;
    },
    drag() {
      const place = placeOf(nextPlace++);
      own.send(FIELD_SEND.drag, { figureId: figure.id, ...place });
      return place;
    },
    onPosition: null,
    complaints,
    close() {
      closing = true;
      for (const { socket } of [own, ...others]) socket.close();
    },
  };
  const own = await join(therapist.id, therapist.token, node.port, 0);
  const others = await mapInParallel(
    clients.map(({ client, token }, index) => ({ id: client.id, token, person: index + 1 })),
    WIDTH,
    ({ id, token, person }) => join(id, token, clientsNode.port, person),
  );
  await until('everybody’s copy of the field', () => shown.size > many, 30_000);
  return room;
}
