/**
 * One of the engine's threads: its sockets, its rooms, and the messages that reach them. Started by `engine.pool.ts`.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Ask, FromWorker, Replies, ToWorker } from './engine.wire.ts';
import type { WorkerStart } from './engine.types.ts';
import { EngineRefusal, HANDLES_A_SESSION } from '../video.types.ts';
import { outgoing } from './srtp/packet-memory.ts';
import { createRoom, type Room } from './room/room.ts';
import type { Handle, Member } from './room/room.types.ts';
import { createCertificate } from './transport/dtls.ts';
import { openPorts } from './transport/ports.ts';

/** How often requests for packets and reports are sent. */
const TICK_MS = 15;
const LOOK_MS = 1000;
/** Maximum errors reported per minute; a flood of them must not become a flood of log lines. */
const FAULTS_A_MINUTE = 20;

const start = workerData as WorkerStart;
const port = parentPort!;
const say = (message: FromWorker) => port.postMessage(message);

let faults = 0;
setInterval(() => (faults = 0), 60_000).unref();
const fault = (error: unknown) => {
  if (faults++ < FAULTS_A_MINUTE)
    say({ type: 'fault', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
};

// A rejected promise of the DTLS library that nobody awaits must not end everybody's connection.
process.on('unhandledRejection', fault);

interface Session {
  member: Member;
  room: Room;
  therapistId: number;
  handles: Map<number, Handle>;
}
interface OpenRoom {
  room: Room;
  sessions: Set<number>;
}

try {
  await run();
} catch (error) {
  // Nothing keeps the thread alive then, and it exits.
  say({ type: 'unable', message: error instanceof Error ? error.message : String(error) });
}

async function run() {
  // One after the other: Node aborts the whole program when a thread ends while it makes keys.
  const certificate = await createCertificate();
  const ports = await openPorts({
    range: start.ports,
    publicAddresses: start.publicAddresses,
    loopback: start.loopback,
    onFault: fault,
  });
  // Encrypted packets go to a socket at once; what the system did not take waits in the socket and counts there.
  outgoing.reuse(ports.idle);
  const rooms = new Map<number, OpenRoom>();
  const sessions = new Map<number, Session>();
  const closed = { packetsIn: 0, packetsOut: 0, retransmitted: 0 };
  let handleCount = 0;
  let peerCount = 0;

  const guarded = (work: () => void) => {
    try {
      work();
    } catch (error) {
      fault(error);
    }
  };
  const tick = setInterval(() => {
    const nowMs = performance.now();
    for (const { room } of rooms.values()) guarded(() => room.tick(nowMs));
  }, TICK_MS);
  const look = setInterval(() => {
    const nowMs = performance.now();
    for (const { room } of rooms.values()) guarded(() => room.look(nowMs));
  }, LOOK_MS);

  function endRoom(therapistId: number) {
    const open = rooms.get(therapistId);
    if (!open) return;
    rooms.delete(therapistId);
    open.room.close();
    const { packetsIn, packetsOut, retransmitted } = open.room.stats();
    closed.packetsIn += packetsIn;
    closed.packetsOut += packetsOut;
    closed.retransmitted += retransmitted;
  }

  function endSession(number: number) {
    const session = sessions.get(number);
    if (!session) return;
    sessions.delete(number);
    for (const handle of session.handles.values()) session.room.detach(handle);
    const open = rooms.get(session.therapistId);
    // A room opened since may have the same number: sessions of an ended room still hold the old one.
    if (open?.room !== session.room) return;
    open.sessions.delete(number);
    if (open.sessions.size === 0) endRoom(session.therapistId);
  }

  function handleOf(session: number, handle: number): { room: Room; handle: Handle } {
    const found = sessions.get(session);
    const known = found?.handles.get(handle);
    if (!found || !known) throw new EngineRefusal('No such handle');
    return { room: found.room, handle: known };
  }

  /** Carries out a call. What a reply sets off is sent after it. */
  function answer(ask: Ask): { value: Replies[keyof Replies]; after?: (() => void) | undefined } {
    switch (ask.type) {
      case 'attach': {
        const session = sessions.get(ask.session);
        if (!session || session.handles.size >= HANDLES_A_SESSION) throw new EngineRefusal('Too many handles');
        const handle = session.room.attach(session.member);
        session.handles.set(handle.number, handle);
        return { value: handle.number };
      }
      case 'request': {
        const { room, handle } = handleOf(ask.session, ask.handle);
        const { reply, after } = room.request(handle, ask.request, ask.jsep);
        return { value: reply, after };
      }
      case 'hangup': {
        const { room, handle } = handleOf(ask.session, ask.handle);
        return { value: null, after: () => room.hangup(handle) };
      }
      case 'detach': {
        const { room, handle } = handleOf(ask.session, ask.handle);
        sessions.get(ask.session)!.handles.delete(ask.handle);
        return { value: null, after: () => room.detach(handle) };
      }
      case 'close':
        endSession(ask.session);
        return { value: null };
      case 'closeRoom':
        endRoom(ask.therapistId);
        return { value: null };
      case 'stats': {
        const all = [...rooms.values()].map(({ room }) => room.stats());
        const sum = (name: 'publishers' | 'subscribers' | 'packetsIn' | 'packetsOut' | 'retransmitted') =>
          all.reduce((total, stats) => total + stats[name], 0);
        const { heapUsed, external } = process.memoryUsage();
        return {
          value: {
            rooms: rooms.size,
            publishers: sum('publishers'),
            subscribers: sum('subscribers'),
            packetsIn: sum('packetsIn') + closed.packetsIn,
            packetsOut: sum('packetsOut') + closed.packetsOut,
            retransmitted: sum('retransmitted') + closed.retransmitted,
            bytes: heapUsed + external,
            ...ports.known(),
          },
        };
      }
      case 'stop':
        for (const therapistId of [...rooms.keys()]) endRoom(therapistId);
        clearInterval(tick);
        clearInterval(look);
        return { value: null, after: () => void ports.close().then(() => port.close()) };
    }
  }

  port.on('message', (message: ToWorker) => {
    switch (message.type) {
      case 'open': {
        let open = rooms.get(message.room.therapistId);
        if (!open) {
          const platform = { ports, certificate, nextPeer: () => peerCount++ };
          const room = createRoom(
            message.room,
            platform,
            (handle, event) => say({ type: 'event', session: handle.member.session, event }),
            () => ++handleCount,
          );
          open = { room, sessions: new Set() };
          rooms.set(message.room.therapistId, open);
        }
        open.sessions.add(message.session);
        sessions.set(message.session, {
          member: { session: message.session, person: message.person },
          room: open.room,
          therapistId: message.room.therapistId,
          handles: new Map(),
        });
        return;
      }
      default: {
        let after: (() => void) | undefined;
        try {
          const outcome = answer(message);
          after = outcome.after;
          say({ type: 'reply', call: message.call, value: outcome.value });
        } catch (error) {
          const refused = error instanceof EngineRefusal;
          if (!refused) fault(error);
          say({
            type: 'failed',
            call: message.call,
            message: error instanceof Error ? error.message : 'failed',
            refused,
          });
        }
        if (after) guarded(after);
      }
    }
  });
  say({ type: 'ready' });
}
