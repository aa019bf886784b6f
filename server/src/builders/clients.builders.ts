/** Builders of people without an account: they ask to enter and are admitted by the same rules as everybody. */
import type { Clients } from '../features/clients/index.ts';
import type { Sessions } from '../features/sessions/index.ts';

export interface BuiltClient {
  id: number;
  name: string;
  therapistId: number;
  /** The resume token. */
  token: string;
}

export interface ClientWish {
  name?: string;
  /** Uses the code of the running live session instead of the link. */
  code?: string;
  /** The internet address of the try; by default a new one. */
  ip?: string;
}

const NAMES = ['Bori', 'Mihai', 'Clara', 'Jonas', 'Réka', 'Ana', 'Felix', 'Zsófi'];
let count = 0;

/** Somebody in a therapist's waiting room (or directly in the room if it is open). */
export async function aClient(
  { clients }: { clients: Clients },
  therapist: { id: number; joinLink: string },
  wish: ClientWish = {},
): Promise<BuiltClient> {
  count += 1;
  const name = wish.name ?? `${NAMES[count % NAMES.length]!} ${count}`;
  const entry = wish.code === undefined ? { joinLink: therapist.joinLink } : { code: wish.code };
  const ip = wish.ip ?? `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
  const seat = await clients.enter({ ...entry, name }, { principal: null, ip });
  return { id: seat.client.id, name: seat.client.name, therapistId: therapist.id, token: seat.token };
}

/** Somebody in a therapist's room; starts the live session if none runs. */
export async function inRoom(
  app: { clients: Clients; sessions: Sessions },
  therapist: { id: number; joinLink: string },
  wish: ClientWish = {},
): Promise<BuiltClient> {
  await app.sessions.open(therapist.id);
  const client = await aClient(app, therapist, wish);
  const { refused } = await app.clients.admit(therapist.id, [client.id]);
  if (refused.length > 0) throw new Error(`the client was not let in: ${refused[0]!.code}`);
  return client;
}
