/** Connecting to a room while something fails. */
import { ownDestination, roomDestination, SOCKET_PATHS } from '@fieldroom/contract/realtime';
import { openStomp, type StompConnection } from '../room/stomp.ts';
import type { Fieldroom, Seated, Therapist } from '../service/fieldroom.ts';
import type { Outcome } from './calls.ts';

/** Somebody comes into a room with a connection of their own, and leaves. */
export async function connectTo({ port }: Fieldroom, { id }: Therapist, { token, client }: Seated): Promise<Outcome> {
  const refused = Promise.withResolvers<Outcome>();
  const onError = (text: string) =>
    refused.resolve({
      status: /\ncode:unavailable\n/.test(text) ? 503 : 400,
      retryAfter: Number(/\nretry-after:(\d+)\n/.exec(text)?.[1]) > 0,
    });
  let socket: StompConnection['socket'] | undefined;
  const come = async (): Promise<Outcome> => {
    const connection = await openStomp({
      port,
      path: SOCKET_PATHS[0],
      headers: { login: 'guest', passcode: 'guest', Authorization: `Bearer ${token}` },
      onBody: () => undefined,
      onError,
    });
    ({ socket } = connection);
    await connection.subscribe('own', ownDestination(client.id));
    await connection.subscribe('room', roomDestination(id));
    return { status: 200, retryAfter: false };
  };
  // The ERROR comes first where there is one.
  const outcome = await Promise.race([
    refused.promise,
    come().catch(() => new Promise<Outcome>((resolve) => setImmediate(resolve, { status: 0, retryAfter: false }))),
  ]);
  socket?.close();
  return outcome;
}
