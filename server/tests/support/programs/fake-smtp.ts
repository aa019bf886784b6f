/**
 * A mail server for tests: real SMTP on a real socket. It can be down, slow, refuse, or be cut off before its answer.
 */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  /** Parsed: subject, text, html, attachments, messageId, headers. */
  readonly mail: Email;
  readonly source: string;
}

/**
 * - `well`: takes emails.
 * - `busy`: refuses for now (451).
 * - `unknown`: knows nobody (550).
 * - `refusing`: takes the email and refuses it (554), in words that quote it.
 * - `closing`: ends (421): connections that it has at the next recipient, new ones at once.
 * - `cut`: takes the email and breaks the connection before it confirms.
 * - `held`: takes the email and confirms when `release` is called.
 * - `slow`: takes the email and answers a byte at a time, without an end.
 */
type Mood = 'well' | 'busy' | 'unknown' | 'refusing' | 'closing' | 'cut' | 'held' | 'slow';

export interface FakeSmtp {
  /** For SMTP_URL. */
  readonly url: string;
  readonly received: readonly Received[];
  mood: Mood;
  /** Addresses with a different mood. */
  readonly moods: Map<string, Mood>;
  /** Open connections with an answer of a byte at a time. */
  readonly slow: number;
  /** Confirms everything that is held. */
  release(): void;
  /** Takes out what has come so far, for programs that run for long. `received` and `waitFor` begin again. */
  take(): Received[];
  /** Resolves when this many emails have come in total. */
  waitFor(count: number): Promise<readonly Received[]>;
  /** Closes the port; the same address answers again after `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** Often enough that no inactivity is seen, in milliseconds. */
const BYTE_EVERY_MS = 10;

const fault = (message: string, responseCode: number) => Object.assign(new Error(message), { responseCode });

const CLOSING = fault('closing', 421);

/** Starts it on a free port of this machine. */
export async function fakeSmtp(): Promise<FakeSmtp> {
  const received: Received[] = [];
  const held: (() => void)[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let mood: Mood = 'well';
  const moods = new Map<string, Mood>();
  let slow = 0;
  let server: SMTPServer | null = null;
  let port = 0;

  async function up(): Promise<void> {
    const next = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onConnect(_session, answer) {
        answer(mood === 'closing' ? CLOSING : null);
      },
      onRcptTo({ address }, session, answer) {
        const now = moods.get(address) ?? mood;
        if (now === 'closing') {
          answer(CLOSING);
          for (const socket of socketsOf(session)) socket.end();
        } else if (now === 'unknown') answer(fault('nobody of that name', 550));
        else answer(now === 'busy' ? fault('try again', 451) : null);
      },
      onData(stream, session, answer) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const source = Buffer.concat(chunks).toString('utf8');
          void PostalMime.parse(source).then((mail) => {
            const { mailFrom, rcptTo } = session.envelope;
            received.push({
              from: mailFrom === false ? '' : mailFrom.address,
              to: rcptTo.map(({ address }) => address),
              mail,
              source,
            });
            for (const one of waiting.filter(({ count }) => received.length >= count)) one.resolve();
            const now = rcptTo.map(({ address }) => moods.get(address)).find((one) => one !== undefined) ?? mood;
            if (now === 'held') held.push(() => answer(null));
            else if (now === 'cut') cutSockets(mood === 'cut' ? null : session);
            else if (now === 'slow') trickle(session);
            else if (now === 'refusing')
              answer(fault(`rejected ${mail.subject} for ${rcptTo[0]?.address}: ${mail.text?.trim()}`, 554));
            else answer(null);
          });
        });
      },
    });
    // Lines that are cut are what we ask for.
    next.on('error', () => {});
    next.listen(port, '127.0.0.1');
    await once(next.server, 'listening');
    port = (next.server.address() as AddressInfo).port;
    server = next;
  }

  /** The connections of a session, or all of them. */
  function socketsOf(only: unknown): Socket[] {
    if (server === null) return [];
    const { connections } = server as unknown as { connections: Set<{ session: unknown; _socket: Socket }> };
    return [...connections].filter(({ session }) => only === null || session === only).map(({ _socket }) => _socket);
  }

  function cutSockets(only: unknown): void {
    for (const socket of socketsOf(only)) socket.destroy();
  }

  /** Begins an answer of many lines and never comes to the end of the first one. */
  function trickle(session: unknown): void {
    const [socket] = socketsOf(session);
    if (socket === undefined) return;
    const bytes = [...'250-'];
    const timer = setInterval(() => socket.writable && socket.write(bytes.shift() ?? '.'), BYTE_EVERY_MS);
    slow += 1;
    socket.once('close', () => {
      clearInterval(timer);
      slow -= 1;
    });
  }

  async function down(): Promise<void> {
    if (!server) return;
    const closing = server;
    server = null;
    const closed = new Promise<void>((resolve) => {
      closing.close(resolve);
    });
    for (const connection of (closing as unknown as { connections: Set<{ _socket: { destroy(): void } }> }).connections)
      connection._socket.destroy();
    await closed;
  }

  await up();
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    moods,
    get slow() {
      return slow;
    },
    get mood() {
      return mood;
    },
    set mood(next) {
      mood = next;
    },
    release() {
      for (const answer of held.splice(0)) answer();
    },
    take: () => received.splice(0),
    async waitFor(count) {
      if (received.length < count)
        await new Promise<void>((resolve) => {
          waiting.push({ count, resolve });
        });
      return received;
    },
    down,
    up,
    close: down,
  };
}
