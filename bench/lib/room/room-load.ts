/**
 * A room under load for a long time: its people are on several nodes, drag and act, write, leave and return, and the
 * live session ends and begins again. During this it checks that every act counts once and in its order on each page.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { admit, endLiveSession, enterRoom, leaveRoom, openRoom } from '@fieldroom/contract/clients';
import {
  allFigures,
  applyChange,
  type FieldActMessage,
  type FieldChange,
  type FieldCopy,
  FIELD_SEND,
  type Figure,
  saveFigure,
} from '@fieldroom/contract/field';
import { MESSAGES_SEND, type SendMessage } from '@fieldroom/contract/messages';
import {
  type Change,
  CHECK_GUARD_MS,
  GUEST,
  ownDestination,
  roomDestination,
  SEND,
  SOCKET_PATHS,
} from '@fieldroom/contract/realtime';
import type { Fieldroom, SignedIn } from '../service/fieldroom.ts';
import { until } from '../service/processes.ts';
import { openStomp, type StompConnection } from './stomp.ts';
import type { Tally } from '../tally.ts';

/** In ticks, ten a second; a position is dragged in each. */
const ACT_EVERY = 20;
/** Below the limit of 20 a minute. */
const MESSAGE_EVERY = 100;
/** A stall of the machine is not a fault. */
const PATIENCE_MS = 120_000;
/**
 * Refusals that are correct: while the therapist changes nodes the field is frozen for clients, and a person who
 * vanished keeps their figure for a moment.
 */
const RIGHT_REFUSALS = new Set(['therapist_away', 'figure_held']);

/** A person's page: the browser's state of the room, and the acts that wait for an answer. */
interface Page {
  readonly id: number;
  readonly token: string;
  readonly kind: 'THERAPIST' | 'CLIENT';
  readonly figureId: number;
  /** The node that it is on, counted from the first. */
  node: number;
  connection: StompConnection | null;
  copy: FieldCopy | null;
  act: FieldActMessage | null;
  message: SendMessage | null;
  /** Acts that were sent again over this connection, so that they may be answered twice. */
  readonly sentAgain: Set<string>;
  /** What this connection has received: revisions of changes, and ids of messages. */
  readonly changes: Set<number>;
  readonly messages: Set<number>;
  /** It starts nothing more. */
  rests: boolean;
  /** Its connection will be ended. */
  leaves: boolean;
  /** When it last asked for what is missing. */
  askedAt: number;
}

interface RoomLoad {
  readonly therapist: SignedIn;
  /** The first client, who stays while the live session runs. */
  firstClient(): { id: number; token: string };
  /** The live session begins: the therapist comes, then the clients. */
  open(): Promise<void>;
  /** Everybody does what is due. Call it ten times a second. */
  tick(): void;
  /**
   * In turns: a client loses the connection and returns over the next node, the therapist does the same, and a client
   * leaves and another person joins. Do not call it again before it resolves.
   */
  change(): Promise<void>;
  /** Everybody waits for their answers, and then shows the field of the database. */
  settle(pool: pg.Pool): Promise<void>;
  /** The live session ends for everybody. */
  end(): Promise<void>;
}

/** Takes the nodes, a therapist, how many clients there are, and on which node the therapist begins. */
export function createRoomLoad(
  nodes: readonly Fieldroom[],
  therapist: SignedIn,
  clients: number,
  begin: number,
  tally: Tally,
): RoomLoad {
  const { token } = therapist;
  const therapistId = therapist.user.id;
  /** The acts by their revisions, as the first page received them; null for changes by nobody. */
  const actAt = new Map<number, string | null>();
  const confirmed = new Set<string>();
  const refused = new Set<string>();
  /** One figure for each page, which nobody else moves. */
  const figureIds: number[] = [];
  let pages: Page[] = [];
  /** The revision before the first act of this run. */
  let base: number | null = null;
  let turn = 0;
  let changes = 0;
  let places = 0;
  let people = 0;

  const onNode = (n: number) => nodes[n % nodes.length]!;
  /** No position is used twice: an act that changes nothing is not sent to others. */
  function nextPlace(): { x: number; y: number } {
    places += 1;
    return { x: 50 + (places % 1500), y: 50 + (Math.floor(places / 1500) % 900) };
  }

  // ---- what a page receives

  function hear(page: Page, body: Buffer): void {
    const change = JSON.parse(body.toString()) as Change;
    switch (change.eventType) {
      case 'PLAYER_DRAG':
        tally.count('positions heard', change.contents.drags.length);
        return;
      case 'PLAYERS_VALUE':
        if (change.participantsUpdatedOn >= (page.copy?.revision ?? -1))
          page.copy = { ...change.contents, revision: change.participantsUpdatedOn };
        return;
      case 'PLAYER_CHANGE':
        hearChange(page, change.contents);
        return;
      case 'STAMPS':
        if (page.copy !== null && change.participantsUpdatedOn > page.copy.revision) ask(page);
        return;
      case 'MESSAGE': {
        const { id, actId } = change.contents;
        if (page.messages.has(id) && !page.sentAgain.has(actId)) tally.broken('a page heard a message twice');
        page.messages.add(id);
        tally.count('messages heard');
        if (page.message?.actId === actId) page.message = null;
        return;
      }
      case 'PROBLEM':
        hearProblem(page, change.contents.actId, change.contents.problem.code);
        return;
      default:
    }
  }

  function hearChange(page: Page, change: FieldChange): void {
    const { actId, revision } = change;
    tally.count('changes heard');
    const known = actAt.get(revision);
    if (known === undefined) actAt.set(revision, actId);
    else if (known !== actId) tally.broken('two acts have one revision');
    if (page.changes.has(revision) && !(actId !== null && page.sentAgain.has(actId)))
      tally.broken('a page heard a change twice');
    page.changes.add(revision);
    if (actId !== null && page.act?.actId === actId) {
      page.act = null;
      confirmed.add(actId);
      tally.count('acts confirmed');
    }
    if (page.copy === null) return;
    const applied = applyChange(page.copy, change);
    if (applied.kind === 'applied') page.copy = applied.field;
    // Nodes may send changes in another order than that of their commits.
    if (applied.kind === 'gap') {
      tally.count('gaps');
      ask(page);
    }
  }

  function hearProblem(page: Page, actId: string | null, code: string): void {
    tally.count(`refused: ${code}`);
    // A person who has left may have asked for missing changes just before.
    const isRight = RIGHT_REFUSALS.has(code) || (page.leaves && code === 'not_admitted');
    if (!isRight) tally.broken(`a page was refused: ${code}`);
    if (actId === null) return;
    if (page.act?.actId === actId) {
      refused.add(actId);
      page.act = null;
    }
    if (page.message?.actId === actId) page.message = null;
  }

  /** Asks for what the page is missing, as often as a browser may. */
  function ask(page: Page): void {
    const now = performance.now();
    if (now - page.askedAt < CHECK_GUARD_MS) return;
    page.askedAt = now;
    page.connection?.send(SEND.checkUpdate, {
      userId: page.id,
      userType: page.kind,
      usersUpdatedOn: 0,
      participantsUpdatedOn: page.copy?.revision ?? 0,
    });
  }

  // ---- joining and leaving

  const newPage = (person: Pick<Page, 'id' | 'token' | 'kind' | 'figureId' | 'node'>): Page => ({
    ...person,
    connection: null,
    copy: null,
    act: null,
    message: null,
    sentAgain: new Set(),
    changes: new Set(),
    messages: new Set(),
    rests: false,
    leaves: false,
    askedAt: -Infinity,
  });

  async function connect(page: Page): Promise<void> {
    page.copy = null;
    page.leaves = false;
    page.askedAt = -Infinity;
    for (const kept of [page.sentAgain, page.changes, page.messages]) kept.clear();
    const connection = await openStomp({
      port: onNode(page.node).port,
      path: SOCKET_PATHS[0],
      headers: { ...GUEST, Authorization: `Bearer ${page.token}` },
      onBody: (body) => hear(page, body),
      onError(text) {
        if (!page.leaves) tally.broken(`an ERROR: ${/\ncode:(\S+)/.exec(text)?.[1] ?? 'without a code'}`);
      },
      onClose() {
        if (!page.leaves) tally.broken('a connection ended by itself');
        page.connection = null;
      },
    });
    await connection.subscribe('own', ownDestination(page.id));
    await connection.subscribe('room', roomDestination(therapistId));
    connection.send(SEND.addUser, { userId: page.id, type: 'JOIN' });
    page.connection = connection;
    // As a browser does, because nobody knows whether it was stored.
    if (page.act !== null) {
      page.sentAgain.add(page.act.actId);
      connection.send(FIELD_SEND.act, page.act);
    }
    if (page.message !== null) {
      page.sentAgain.add(page.message.actId);
      connection.send(MESSAGES_SEND.send, page.message);
    }
    await until('the field of somebody who came', () => page.copy !== null, PATIENCE_MS);
  }

  /** Drops its connection without closing it properly, unless the server has closed it. */
  async function cut(page: Page): Promise<void> {
    page.leaves = true;
    page.connection?.socket.close();
    await until('the end of a connection', () => page.connection === null, PATIENCE_MS);
  }

  /** No act of this page waits for an answer any more. */
  async function rest(page: Page): Promise<void> {
    page.rests = true;
    await until('the last answers', () => page.act === null && page.message === null, PATIENCE_MS);
  }

  /** A new person asks to enter and is admitted. Takes the figure that they move, and the node. */
  async function enter(figureId: number, node: number): Promise<Page> {
    people += 1;
    const body = { joinLink: therapist.user.joinLink, name: `Person ${therapistId}-${people}` };
    const seat = await onNode(node).call(enterRoom, { body });
    const { admitted } = await onNode(node + 1).call(admit, { token, body: { clientIds: [seat.client.id] } });
    if (admitted.length !== 1) throw new Error('somebody was not let in');
    const page = newPage({ id: seat.client.id, token: seat.token, kind: 'CLIENT', figureId, node });
    await connect(page);
    tally.count('people who came');
    return page;
  }

  return {
    therapist,
    firstClient: () => pages[1]!,
    async open() {
      await onNode(begin).call(openRoom, { token });
      for (let n = figureIds.length; n <= clients; n++) {
        const body = { name: `Figure ${n}`, iconType: 'STAR', movableBy: 'everyone', ...nextPlace() } as const;
        figureIds.push((await onNode(begin).call(saveFigure, { token, body })).id);
      }
      const own = newPage({ id: therapistId, token, kind: 'THERAPIST', figureId: figureIds[0]!, node: begin });
      await connect(own);
      base ??= own.copy!.revision;
      pages = [own];
      for (const [n, figureId] of figureIds.slice(1).entries()) pages.push(await enter(figureId, begin + n + 1));
    },
    tick() {
      turn += 1;
      for (const [n, page] of pages.entries()) {
        const { connection, figureId } = page;
        if (page.rests || connection === null) continue;
        connection.send(FIELD_SEND.drag, { figureId, ...nextPlace() });
        // Each at a different moment.
        const at = turn + 7 * n;
        if (at % ACT_EVERY === 0 && page.act === null) {
          page.act = { actId: randomUUID(), act: { kind: 'place', figureId, ...nextPlace() } };
          connection.send(FIELD_SEND.act, page.act);
        }
        if (at % MESSAGE_EVERY === 0 && page.message === null) {
          page.message = { actId: randomUUID(), to: 'all', text: `Good evening, ${turn}` };
          connection.send(MESSAGES_SEND.send, page.message);
        }
      }
    },
    async change() {
      const kind = changes % 3;
      // The therapist is the first page; the second one always stays.
      const at = 2 + (Math.floor(changes / 3) % Math.max(1, clients - 1));
      changes += 1;
      const page = pages[kind === 1 ? 0 : at];
      if (page === undefined) return;
      if (kind < 2) {
        await cut(page);
        page.node += 1;
        await connect(page);
        tally.count('returns over another node');
        return;
      }
      await rest(page);
      page.leaves = true;
      await onNode(page.node).call(leaveRoom, { token: page.token });
      await cut(page);
      pages[at] = await enter(page.figureId, page.node + 1);
    },
    async settle(pool) {
      for (const page of pages) await rest(page);
      const { rows } = await pool.query<{ revision: string }>(
        'SELECT field_revision AS revision FROM rooms WHERE therapist_id = $1',
        [therapistId],
      );
      const revision = Number(rows[0]!.revision);
      const stored = placesOf(await onNode(begin).call(allFigures, { params: { therapistId }, token }));
      for (const page of pages) {
        await until(
          'the field of the database on a page',
          () => {
            if (page.copy?.revision === revision) return true;
            ask(page);
            return false;
          },
          PATIENCE_MS,
        );
        if (placesOf(page.copy!.figures) !== stored) tally.broken('a page shows another field than the database');
      }
      if (revision - base! !== confirmed.size) tally.broken('an act counted twice, or not at all');
      for (let at = base! + 1; at <= revision; at++) if (!actAt.has(at)) tally.broken('a change was told to nobody');
      for (const actId of actAt.values())
        if (actId !== null && refused.has(actId)) tally.broken('a refused act counted');
      // The rows are those that can still be undone.
      const { rows: acts } = await pool.query<{ act_id: string; revision: string }>(
        'SELECT act_id, revision FROM field_acts WHERE therapist_id = $1',
        [therapistId],
      );
      for (const act of acts)
        if (confirmed.has(act.act_id) && actAt.get(Number(act.revision)) !== act.act_id)
          tally.broken('an act is stored under another revision than it was told');
      for (const page of pages) page.rests = false;
    },
    async end() {
      for (const page of pages) await rest(page);
      for (const page of pages) page.leaves = true;
      await onNode(begin + 1).call(endLiveSession, { token });
      for (const page of pages) await cut(page);
      pages = [];
      tally.count('live sessions');
    },
  };
}

/** The positions of figures, as text to compare. */
const placesOf = (figures: readonly Figure[]): string =>
  figures
    .map(({ id, x, y }) => `${id} ${x} ${y}`)
    .toSorted()
    .join('\n');
