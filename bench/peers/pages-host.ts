/**
 * The pages of many people in a separate process: each is the web's own connection, which reconnects as in a browser.
 * They reach the nodes through a balancer. The parent process says who the people are, and asks when they were back.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { FIELD_SEND } from '@fieldroom/contract/field';
import { type Connection, createConnection } from '../../web/src/platform/realtime/index.ts';
import { type Balancer, startBalancer } from '../lib/service/balancer.ts';
import { mapInParallel, sleep, until } from '../lib/service/processes.ts';

export interface Page {
  readonly id: number;
  readonly token: string;
  readonly therapistId: number;
  readonly kind: 'THERAPIST' | 'CLIENT';
}

export type PagesOrder =
  /**
   * Opens all pages on the nodes at these ports; those that are open are opened again. Answered when all are in their
   * rooms.
   */
  | { readonly order: 'open'; readonly pages: readonly Page[]; readonly ports: readonly number[] }
  /** Discards what was recorded. New connections go to the nodes at these ports. */
  | { readonly order: 'watch'; readonly ports: readonly number[] }
  /** Answered when each page has lost its connection and is back in its room, or after a minute. */
  | { readonly order: 'back' }
  /** The therapist of each room acts once. Answered when everybody in the rooms has received it, or after ten
   * seconds. */
  | { readonly order: 'act' };

export interface PagesReport {
  /** When each page lost its connection, and when it was in its room again (ms since 1970); null: it was not. */
  readonly pages: readonly { readonly lostAt: number | null; readonly backAt: number | null }[];
  /** The server's messages when it refused pages for good, since `watch`. */
  readonly refused: readonly string[];
  /** The number of rooms in which everybody received the act. */
  readonly rooms: number;
}

interface OpenPage {
  readonly page: Page;
  readonly connection: Connection;
  /** What has arrived since the connection was opened. */
  hasField: boolean;
  hasPeople: boolean;
  lostAt: number | null;
  backAt: number | null;
}

/** The number of pages that are opened at a time. */
const WIDTH = 16;
const OPEN_WITHIN_MS = 60_000;
const BACK_WITHIN_MS = 60_000;
const ACT_WITHIN_MS = 10_000;
/** A person who is back has to stay for this long. */
const STAY_MS = 1000;

// The connection reads from the page whether it is online and visible.
const browserPage = Object.assign(new EventTarget(), { visibilityState: 'visible' });
Object.assign(globalThis, { window: browserPage, document: browserPage });
// One entry for each page.
setMaxListeners(0, browserPage);

const balancer: Balancer = await startBalancer();
let pages: OpenPage[] = [];
let refused: string[] = [];
/** The number of pages that have received an act. */
const known = new Map<string, number>();

const isIn = ({ hasField, hasPeople }: OpenPage) => hasField && hasPeople;

function openPage(page: Page): OpenPage {
  const connection = createConnection({
    token: page.token,
    personId: page.id,
    therapistId: page.therapistId,
    kind: page.kind,
    location: { protocol: 'http:', host: `127.0.0.1:${balancer.port}` },
  });
  const one: OpenPage = { page, connection, hasField: false, hasPeople: false, lostAt: null, backAt: null };
  const arrived = () => {
    if (isIn(one)) one.backAt ??= Date.now();
  };
  connection.onState((state) => {
    if (state !== 'lost') return;
    if (isIn(one)) one.lostAt ??= Date.now();
    one.hasField = one.hasPeople = false;
    one.backAt = null;
  });
  connection.on('PLAYERS_VALUE', () => {
    one.hasField = true;
    arrived();
  });
  connection.on('UNREGISTER_USER', () => {
    one.hasPeople = true;
    arrived();
  });
  connection.on('PLAYER_CHANGE', ({ contents: { actId } }) => {
    const count = actId === null ? undefined : known.get(actId);
    if (actId !== null && count !== undefined) known.set(actId, count + 1);
  });
  connection.onRefused(({ code }) => refused.push(code));
  return one;
}

async function open(wanted: readonly Page[]): Promise<void> {
  const before = pages;
  pages = await mapInParallel(
    wanted.map((page, index) => ({ page, open: before[index] })),
    WIDTH,
    async ({ page, open: old }) => {
      old?.connection.close();
      const one = openPage(page);
      await until(`a page of ${page.kind}`, () => isIn(one), OPEN_WITHIN_MS);
      return one;
    },
  );
}

/** Waits until everybody was away and is back. The report names those who are not back by then. */
async function waitUntilBack(): Promise<void> {
  const areBack = () => pages.every(({ lostAt, backAt }) => lostAt !== null && backAt !== null);
  const end = performance.now() + BACK_WITHIN_MS;
  do {
    await until('everybody to be back', areBack, Math.max(0, end - performance.now()), 50).catch(() => undefined);
    if (areBack()) await sleep(STAY_MS);
  } while (!areBack() && performance.now() < end);
}

/** Returns the number of rooms in which everybody has received it. */
async function actInRooms(): Promise<number> {
  const acts = pages
    .filter(({ page }) => page.kind === 'THERAPIST')
    .map(({ page, connection }) => {
      const actId = randomUUID();
      known.set(actId, 0);
      connection.send(FIELD_SEND.act, { actId, act: { kind: 'add', figure: { iconType: 'STAR', x: 5, y: 5 } } });
      return { actId, people: pages.filter((one) => one.page.therapistId === page.therapistId).length };
    });
  const complete = () => acts.filter(({ actId, people }) => known.get(actId) === people).length;
  await until('the acts', () => complete() === acts.length, ACT_WITHIN_MS, 50).catch(() => undefined);
  const rooms = complete();
  known.clear();
  return rooms;
}

async function carryOut(order: PagesOrder): Promise<PagesReport> {
  let rooms = 0;
  switch (order.order) {
    case 'open':
      balancer.use(order.ports);
      await open(order.pages);
      break;
    case 'watch':
      balancer.use(order.ports);
      refused = [];
      for (const one of pages) one.lostAt = one.backAt = null;
      break;
    case 'back':
      await waitUntilBack();
      break;
    case 'act':
      rooms = await actInRooms();
  }
  return { pages: pages.map(({ lostAt, backAt }) => ({ lostAt, backAt })), refused, rooms };
}

process.on('message', (order: PagesOrder) => {
  carryOut(order).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
console.log('ready');
