/** How requests are sent on a handle, with a client whose replies the test gives. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { RoomData } from './publisherList.ts';

interface Sent {
  message: { request: string };
  success(data?: RoomData): void;
  error(reason: string): void;
}
const sent: Sent[] = [];
let event: (data: RoomData) => void = () => undefined;

vi.mock('webrtc-adapter', () => ({ default: {} }));
vi.mock('janus-gateway', () => {
  type Dependencies = { WebSocket: new (server: string, protocol: string) => WebSocket };
  let dependencies: Dependencies;
  return {
    default: class {
      static useDefaultDependencies = (given: Dependencies) => given;
      static init(options: { dependencies: Dependencies }) {
        ({ dependencies } = options);
      }
      constructor({ server, success }: { server: string; success(): void }) {
        new dependencies.WebSocket(server, 'janus-protocol');
        queueMicrotask(success);
      }
      attach(handle: { success(made: object): void; onmessage(data: RoomData): void }) {
        event = handle.onmessage;
        handle.success({ send: (one: Sent) => sent.push(one) });
      }
    },
  };
});
vi.stubGlobal(
  'WebSocket',
  class extends EventTarget {
    static OPEN = 1;
    readyState = 1;
    send() {}
  },
);
const { openSession } = await import('./janusSession.ts');

async function aHandle() {
  const session = await openSession({ address: 'ws://here', ticket: 't', iceServers: [], lost: () => undefined });
  return session.attach('me', { message: () => undefined, ice: () => undefined, lost: () => undefined });
}
const requests = () => sent.map(({ message }) => message.request);
beforeEach(() => void (sent.length = 0));

test('requests are sent one after the other', async () => {
  const handle = await aHandle();
  const first = handle.ask({ request: 'join' });
  void handle.ask({ request: 'configure' });
  await vi.waitFor(() => expect(requests()).toEqual(['join']));
  event({ videoroom: 'joined' });
  await first;
  await vi.waitFor(() => expect(requests()).toEqual(['join', 'configure']));
});

test('a query is sent and answered while another request still waits for its reply', async () => {
  const handle = await aHandle();
  let configured = false;
  const other = handle.ask({ request: 'configure' }).then(() => (configured = true));
  await vi.waitFor(() => expect(requests()).toEqual(['configure']));
  const answer = handle.query({ request: 'listparticipants' });
  expect(requests()).toEqual(['configure', 'listparticipants']);
  sent[1]!.success({ participants: [] });
  expect(await answer).toEqual({ participants: [] });
  expect(configured).toBe(false);
  event({ configured: 'ok' });
  await other;
});

test('a query that is refused throws', async () => {
  const handle = await aHandle();
  const refused = handle.query({ request: 'listparticipants' });
  sent[0]!.success({ error_code: 426, error: 'No such room' });
  await expect(refused).rejects.toMatchObject({ code: 426 });
});
