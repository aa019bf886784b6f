/** The servers of the fan-out benchmark behind one interface: ours, socket.io twice, RabbitMQ's web-stomp. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  allFigures,
  applyChange,
  type FieldAct,
  type FieldCopy,
  type DragPosition,
  FIELD_SEND,
} from '@fieldroom/contract/field';
import { getRoom } from '@fieldroom/contract/clients';
import { ownDestination, roomDestination, SEND, SOCKET_PATHS, type Change } from '@fieldroom/contract/realtime';
import type { Contender, Member, Place, Room } from '../lib/room/crowd.ts';
import { PEOPLE } from '../lib/room/crowd.ts';
import {
  type Fieldroom,
  fillRoom,
  newTherapist,
  startFieldroom,
  type Therapist,
  therapistOf,
} from '../lib/service/fieldroom.ts';
import { openWebSocket } from '../lib/room/websocket.ts';
import {
  descendant,
  freePort,
  mapInParallel,
  sleep,
  startNode,
  startProgram,
  tempFolder,
  until,
  type Started,
} from '../lib/service/processes.ts';
import { openStomp, type StompConnection } from '../lib/room/stomp.ts';

/** Counts events by description. */
const counter = () => {
  const counts = new Map<string, number>();
  return {
    add: (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1),
    take() {
      const words = [...counts].map(([what, count]) => `${count} × ${what}`);
      counts.clear();
      return words;
    },
  };
};

// ---- our server

const DRAG_START = Buffer.from('{"eventType":"PLAYER_DRAG"');

/** A single real server. */
export async function fieldroom(nodeFlags: string[] = []): Promise<Contender> {
  const server = await startFieldroom({}, nodeFlags);
  return fieldroomOn({
    name: 'Fieldroom',
    pid: server.started.pid,
    therapist: async (number) => therapistOf(await newTherapist(server, number)),
    nodeOf: () => server,
    stop: () => server.stop(),
  });
}

interface FieldroomOptions extends Pick<Contender, 'name' | 'pid' | 'stop'> {
  /** Creates the therapist of a room, by the room's number from 1. */
  therapist(room: number): Promise<Therapist>;
  /** The node to which a person of a room (0: the therapist) connects. */
  nodeOf(room: number, person: number): Fieldroom;
}

/**
 * Rooms on the real server, on one node or several: 24 clients, admitted by the real calls, each have a role; the
 * therapist moves the 25th figure.
 */
export function fieldroomOn({ name, pid, therapist: therapistOfRoom, nodeOf, stop }: FieldroomOptions): Contender {
  const complaints = counter();
  const rooms: Room[] = [];

  const makeRoom = async (number: number): Promise<Room> => {
    const therapist = await therapistOfRoom(number);
    const therapistId = therapist.id;
    const server = nodeOf(number, 0);
    const clients = await fillRoom(server, therapist, PEOPLE - 1);
    /** Number (0 to 24) of a figure by its id. */
    const figures = new Map<number, number>();
    const figureIds: number[] = [];
    // The same bytes go to 25 people, so they are parsed once.
    const seen: { body: Buffer; drags: DragPosition[] }[] = [];
    let slot = 0;
    const dragsOf = (body: Buffer): DragPosition[] => {
      for (const known of seen) if (known.body.equals(body)) return known.drags;
      const change = JSON.parse(body.toString()) as Extract<Change, { eventType: 'PLAYER_DRAG' }>;
      seen[slot] = { body: Buffer.from(body), drags: change.contents.drags };
      slot = (slot + 1) % 4;
      return change.contents.drags;
    };
    const room: Room = {
      members: [],
      onPosition: null,
      async stored() {
        const all = await server.call(allFigures, { params: { therapistId }, token: therapist.token });
        const places: [number, Place][] = [];
        for (const { id, x, y } of all) {
          const figure = figures.get(id);
          if (figure !== undefined) places.push([figure, { x, y }]);
        }
        return new Map(places);
      },
    };

    const people = [
      { id: therapistId, token: therapist.token },
      ...clients.map(({ client, token }) => ({ id: client.id, token })),
    ];
    interface Person {
      copy: FieldCopy | null;
      dropped: Map<number, Place>;
      connection: StompConnection;
    }
    const join = async ({ id, token }: { id: number; token: string }, index: number): Promise<Person> => {
      const dropped = new Map<number, Place>();
      const person: Person = { copy: null, dropped, connection: null as unknown as StompConnection };
      const note = () => {
        for (const figure of person.copy?.figures ?? []) {
          const position = figures.get(figure.id);
          if (position !== undefined) dropped.set(position, { x: figure.x, y: figure.y });
        }
      };
      person.connection = await openStomp({
        port: nodeOf(number, index).port,
        path: SOCKET_PATHS[0],
        headers: { login: 'guest', passcode: 'guest', Authorization: `Bearer ${token}` },
        onClose: () => complaints.add('connection closed'),
        onError: (text) => complaints.add(`ERROR ${/\ncode:(\S+)/.exec(text)?.[1] ?? ''}`),
        onBody(body) {
          if (
            body.length > DRAG_START.length &&
            body.compare(DRAG_START, 0, DRAG_START.length, 0, DRAG_START.length) === 0
          ) {
            const { onPosition } = room;
            if (onPosition === null) return;
            for (const drag of dragsOf(body))
              if (drag.end !== true) onPosition(index, figures.get(drag.figureId)!, drag.x, drag.y);
            return;
          }
          const change = JSON.parse(body.toString()) as Change;
          if (change.eventType === 'PLAYERS_VALUE') {
            if (person.copy === null || change.participantsUpdatedOn >= person.copy.revision) {
              person.copy = { revision: change.participantsUpdatedOn, ...change.contents };
              note();
            }
          } else if (change.eventType === 'PLAYER_CHANGE' && person.copy !== null) {
            const applied = applyChange(person.copy, change.contents);
            if (applied.kind === 'applied') {
              person.copy = applied.field;
              note();
            } else if (applied.kind === 'gap') {
              complaints.add('gap');
              person.connection.send(SEND.checkUpdate, {
                userId: id,
                userType: index === 0 ? 'THERAPIST' : 'CLIENT',
                usersUpdatedOn: 0,
                participantsUpdatedOn: person.copy.revision,
              });
            }
          } else if (change.eventType === 'PROBLEM') complaints.add(`PROBLEM ${change.contents.problem.code}`);
          else if (change.eventType === 'SESSION_OUT' || change.eventType === 'RESTART')
            complaints.add(change.eventType);
        },
      });
      await person.connection.subscribe('own', ownDestination(id));
      await person.connection.subscribe('room', roomDestination(therapistId));
      person.connection.send(SEND.addUser, { userId: id, type: 'JOIN' });
      return person;
    };
    const first = await join(people[0]!, 0);
    const persons = [
      first,
      ...(await mapInParallel(
        people.slice(1).map((person, index) => ({ person, index: index + 1 })),
        8,
        ({ person, index }) => join(person, index),
      )),
    ];
    const act = (person: Person, what: FieldAct) =>
      person.connection.send(FIELD_SEND.act, { actId: randomUUID(), act: what });

    await until('the snapshot', () => first.copy !== null);
    for (let figure = 0; figure < PEOPLE; figure++)
      act(first, {
        kind: 'add',
        figure: { iconType: 'MALE_FIGURE', name: `Figure ${figure}`, x: 100, y: 100, movableBy: 'holders' },
      });
    await until('25 figures', () => first.copy!.figures.length === PEOPLE);
    figureIds.push(...first.copy!.figures.map((figure) => figure.id));
    figureIds.forEach((id, figure) => figures.set(id, figure));
    // Stays below the rate limit for frames of one connection.
    await sleep(500);
    clients.forEach(({ client }, index) =>
      act(first, { kind: 'giveRole', clientId: client.id, figureId: figureIds[index + 1]! }),
    );
    await until(
      'everybody’s copy of the field',
      () => persons.every((person) => person.copy?.figures.length === PEOPLE),
      10_000,
    );
    await until(
      '24 roles',
      async () =>
        (await server.call(getRoom, { token: therapist.token })).people.filter((one) => one.roles.length > 0).length ===
        PEOPLE - 1,
      10_000,
      200,
    );
    persons.forEach((person, index) => {
      const figureId = figureIds[index]!;
      const member: Member = {
        dropped: person.dropped,
        drag: (x, y) => person.connection.send(FIELD_SEND.drag, { figureId, x, y }),
        drop: (x, y) => act(person, { kind: 'place', figureId, x, y }),
      };
      room.members.push(member);
    });
    return room;
  };

  return {
    name,
    keepsActs: true,
    pid,
    async rooms(count) {
      const missing = Array.from({ length: Math.max(0, count - rooms.length) }, (_, index) => rooms.length + index + 1);
      rooms.push(...(await mapInParallel(missing, 2, makeRoom)));
      return rooms.slice(0, count);
    },
    complaints: complaints.take,
    stop,
  };
}

// ---- socket.io

const socketioHost = fileURLToPath(new URL('./socketio-host.ts', import.meta.url));

/** Waits until a host has printed `port <n>`. */
export async function portOf(started: Started): Promise<number> {
  await until(
    `the port\n${started.output()}`,
    () => /^port \d+$/m.test(started.output()) || started.child.exitCode !== null,
    20_000,
  );
  const port = Number(/^port (\d+)$/m.exec(started.output())?.[1]);
  if (!port) throw new Error(`the host did not start:\n${started.output()}`);
  return port;
}

/** socket.io 4, with the same WebSocket client as ours (protocols Engine.IO 4 and Socket.IO 5). */
export async function socketio(kind: 'plain' | 'batched'): Promise<Contender> {
  const started = startNode(socketioHost, [kind], { env: { NODE_ENV: 'production' } });
  const port = await portOf(started);
  const complaints = counter();
  const rooms: Room[] = [];
  const makeRoom = async (number: number): Promise<Room> => {
    const room: Room = {
      members: [],
      onPosition: null,
      async stored() {
        const all = (await fetch(`http://127.0.0.1:${port}/state/${number}`).then((answer) => answer.json())) as ({
          figureId: number;
        } & Place)[];
        return new Map(all.map(({ figureId, x, y }) => [figureId - 1000, { x, y }]));
      },
    };
    for (let index = 0; index < PEOPLE; index++) {
      const dropped = new Map<number, Place>();
      let connected: () => void = () => undefined;
      const up = new Promise<void>((resolve) => {
        connected = resolve;
      });
      const socket = await openWebSocket({
        port,
        path: `/socket.io/?EIO=4&transport=websocket&room=${number}&person=${number * 100 + index}`,
        onClose: () => complaints.add('connection closed'),
        onMessage(payload) {
          // '2' is the server's ping, '40' its answer to CONNECT, '42' an event.
          if (payload[0] === 50) socket.send('3');
          else if (payload[0] === 52 && payload[1] === 48) connected();
          else if (payload[0] === 52 && payload[1] === 50) {
            const [event, what] = JSON.parse(payload.toString('latin1', 2)) as [string, unknown];
            if (event === 'drag') {
              const { figureId, x, y } = what as { figureId: number } & Place;
              room.onPosition?.(index, figureId - 1000, x, y);
            } else if (event === 'drags') {
              for (const { figureId, x, y } of what as ({ figureId: number } & Place)[])
                room.onPosition?.(index, figureId - 1000, x, y);
            } else if (event === 'dropped') {
              const { figureId, x, y } = what as { figureId: number } & Place;
              dropped.set(figureId - 1000, { x, y });
            }
          }
        },
      });
      socket.send('40');
      await up;
      const figureId = 1000 + index;
      const send = (event: string, x: number, y: number) =>
        socket.send(`42${JSON.stringify([event, { figureId, x, y }])}`);
      room.members.push({ dropped, drag: (x, y) => send('drag', x, y), drop: (x, y) => send('drop', x, y) });
    }
    return room;
  };
  return {
    name: kind === 'plain' ? 'socket.io' : 'socket.io, 16 ms batches',
    keepsActs: false,
    pid: started.pid,
    async rooms(count) {
      for (let number = rooms.length + 1; number <= count; number++) rooms.push(await makeRoom(number));
      return rooms.slice(0, count);
    },
    complaints: complaints.take,
    stop: () => started.stop(),
  };
}

// ---- RabbitMQ

const RABBITMQ = '/usr/lib/rabbitmq/bin/rabbitmq-server';

/** RabbitMQ with its web-stomp plug-in from Debian's package, or null if the package is not installed. */
export async function rabbitmq(): Promise<Contender | null> {
  if (!existsSync(RABBITMQ)) return null;
  const folder = await tempFolder('rabbitmq');
  const [amqp, port, dist, epmd] = [await freePort(), await freePort(), await freePort(), await freePort()];
  await writeFile(join(folder, 'plugins'), '[rabbitmq_web_stomp].\n');
  await writeFile(
    join(folder, 'rabbitmq.conf'),
    [
      `listeners.tcp.1 = 127.0.0.1:${amqp}`,
      `web_stomp.tcp.ip = 127.0.0.1`,
      `web_stomp.tcp.port = ${port}`,
      'stomp.listeners.tcp = none',
      'web_stomp.ws_opts.compress = false',
      'web_stomp.ws_opts.idle_timeout = 3600000',
      'log.console.level = error',
      'log.file = false',
      '',
    ].join('\n'),
  );
  const env = {
    HOME: folder,
    RABBITMQ_NODENAME: `bench${process.pid}@localhost`,
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(folder, 'config'),
    RABBITMQ_SCHEMA_DIR: join(folder, 'schema'),
    RABBITMQ_FEATURE_FLAGS_FILE: join(folder, 'flags'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'none.conf'),
    RABBITMQ_DIST_PORT: String(dist),
    ERL_EPMD_PORT: String(epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    LANG: 'C.UTF-8',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
  };
  // RabbitMQ would leave Erlang's name server running; this one runs in the foreground and ends with the benchmark.
  startProgram('epmd', ['-address', '127.0.0.1', '-port', String(epmd)], { env });
  const started = startProgram(RABBITMQ, [], { env });
  const complaints = counter();
  await until(
    `RabbitMQ\n${started.output()}`,
    async () => {
      if (started.child.exitCode !== null) throw new Error(`RabbitMQ ended:\n${started.output()}`);
      return openWebSocket({ port, path: '/ws', protocol: 'v12.stomp', onMessage: () => undefined }).then(
        (socket) => {
          socket.close();
          return true;
        },
        () => false,
      );
    },
    60_000,
    250,
  );

  const rooms: Room[] = [];
  const makeRoom = async (number: number): Promise<Room> => {
    const destination = `/topic/room-${number}`;
    const room: Room = { members: [], onPosition: null, stored: async () => null };
    for (let index = 0; index < PEOPLE; index++) {
      const dropped = new Map<number, Place>();
      const figureId = 1000 + index;
      const connection = await openStomp({
        port,
        path: '/ws',
        headers: { login: 'guest', passcode: 'guest' },
        onClose: () => complaints.add('connection closed'),
        onError: () => complaints.add('ERROR'),
        onBody(body) {
          const position = JSON.parse(body.toString('latin1')) as { figureId: number; drop?: true } & Place;
          if (position.drop) dropped.set(position.figureId - 1000, { x: position.x, y: position.y });
          else room.onPosition?.(index, position.figureId - 1000, position.x, position.y);
        },
      });
      await connection.subscribe('room', destination);
      room.members.push({
        dropped,
        drag: (x, y) => connection.send(destination, { figureId, x, y, by: number * 100 + index }),
        drop: (x, y) => connection.send(destination, { figureId, x, y, by: number * 100 + index, drop: true }),
      });
    }
    return room;
  };
  return {
    name: 'RabbitMQ web-stomp',
    keepsActs: false,
    // The started script only waits for its child, which does the work.
    pid: descendant(started.pid, 'beam.smp'),
    async rooms(count) {
      for (let number = rooms.length + 1; number <= count; number++) rooms.push(await makeRoom(number));
      return rooms.slice(0, count);
    },
    complaints: complaints.take,
    stop: () => started.stop(),
  };
}
