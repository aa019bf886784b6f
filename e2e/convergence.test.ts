/**
 * Several browsers and the server come to one field, whatever the wire does (contract/realtime.ts, invariants 1 to 5).
 * The browsers are the web's own connection, model and store on real sockets to the real server; between them and their
 * line stands a wire that doubles, delays, reorders and loses messages in both directions by a generated schedule, and
 * lines break.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Change } from '@fieldroom/contract/realtime';
import { countActs } from '../server/tests/support/practice.ts';
import { aTherapist } from '../server/src/builders/accounts.builders.ts';
import { inRoom } from '../server/src/builders/clients.builders.ts';
import { fieldOf } from '../server/src/builders/field.builders.ts';
import { testApp, type TestApp } from '../server/tests/support/test-app.ts';
import { createConnection, type ConnectionState } from '../web/src/platform/realtime/index.ts';
import { shownFigures } from '../web/src/features/field/acts/index.ts';
import { lacks } from '../web/src/features/room/store/roomModel.ts';
import { createRoomStore, type RoomConnection, type RoomStore } from '../web/src/features/room/store/roomStore.ts';

/** FIELDROOM_LONG=1: many more and longer histories. */
const LONG = process.env['FIELDROOM_LONG'] === '1';
const RUNS = LONG ? 100 : 5;
const STEPS = LONG ? 120 : 40;

let t: TestApp;
beforeAll(async () => {
  // What the connection asks of a page: whether the network is there, and whether it is looked at.
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  Object.assign(globalThis, { window: page, document: page });
  t = await testApp();
});
afterAll(() => t.close());

/** What becomes of one message: it passes, is lost, comes twice, or waits until so many others have passed it. */
type Fate = 'pass' | 'lose' | 'double' | number;
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('pass' as const) },
  { weight: 1, arbitrary: fc.constant('lose' as const) },
  { weight: 2, arbitrary: fc.constant('double' as const) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }) },
);

/**
 * One direction of a bad wire. `deafen` loses everything but what is named; `calm` ends all badness: what waits comes
 * late, nothing is lost any more.
 */
function badWire<T>(fates: readonly Fate[], pass: (message: T) => void) {
  const waiting: { message: T; others: number }[] = [];
  let count = 0;
  let bad = true;
  let heard: (message: T) => boolean = () => true;
  let lost = 0;
  const deliver = (message: T) => {
    pass(message);
    for (const one of waiting) one.others -= 1;
    for (const due of waiting.filter(({ others }) => others <= 0)) {
      waiting.splice(waiting.indexOf(due), 1);
      pass(due.message);
    }
  };
  return {
    take(message: T): void {
      // However bad, now and then something gets through.
      const next = bad ? (fates[count++ % (fates.length + 2)] ?? 'pass') : 'pass';
      if (next === 'lose' || !heard(message)) lost += 1;
      else if (typeof next === 'number') waiting.push({ message, others: next });
      else for (let copies = next === 'double' ? 2 : 1; copies > 0; copies -= 1) deliver(message);
    },
    /** The line broke: what was on it is gone. */
    cut(): void {
      lost += waiting.splice(0).length;
    },
    deafen(but: (message: T) => boolean): void {
      bad = false;
      waiting.splice(0);
      heard = but;
    },
    calm(): void {
      bad = false;
      heard = () => true;
      for (const { message } of waiting.splice(0)) pass(message);
    },
    lost: () => lost,
  };
}

interface Browser {
  id: number;
  as: 'THERAPIST' | 'CLIENT';
  store: RoomStore;
  /** Breaks the line; it comes back by itself. */
  breakConnection(): Promise<void>;
  calm(): void;
  /** Loses whatever comes from the server, but for the stamps. */
  deafen(): void;
  /** Messages of this browser that never arrived. */
  lostUp(): number;
  close(): void;
}

function openBrowser(
  person: { id: number; token: string; therapistId: number },
  as: Browser['as'],
  schedule: { up: readonly Fate[]; down: readonly Fate[] },
): Browser {
  const connection = createConnection({
    token: person.token,
    personId: person.id,
    therapistId: person.therapistId,
    kind: as,
    location: { protocol: 'http:', host: new URL(t.url).host },
  });
  const listeners = new Set<(change: Change) => void>();
  const down = badWire<Change>(schedule.down, (change) => {
    for (const listener of listeners) listener(change);
  });
  const up = badWire<{ destination: string; body: unknown }>(
    schedule.up,
    ({ destination, body }) => void connection.send(destination, body),
  );
  connection.onChange((change) => down.take(change));
  connection.onState((state) => {
    if (state === 'open') return;
    up.cut();
    down.cut();
  });
  const unreliable: RoomConnection = {
    send(destination, body) {
      if (connection.state() !== 'open') return false;
      up.take({ destination, body });
      return true;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onState: (listener) => connection.onState(listener),
    state: () => connection.state(),
  };
  const store = createRoomStore({ connection: unreliable, me: { id: person.id, as } });
  const stateIs = (wanted: (state: ConnectionState) => boolean) =>
    new Promise<void>((resolve) => {
      if (wanted(connection.state())) return resolve();
      const off = connection.onState((now) => {
        if (!wanted(now)) return;
        off();
        resolve();
      });
    });
  return {
    id: person.id,
    as,
    store,
    async breakConnection() {
      await stateIs((now) => now === 'open');
      const gone = stateIs((now) => now !== 'open');
      t.app.realtime.broker.disconnect(({ id }) => id === person.id, { code: 1012, reason: 'cut' });
      await gone;
      // The page notices that the network is back; else it would come back by itself after five seconds.
      window.dispatchEvent(new Event('online'));
      await stateIs((now) => now === 'open');
    },
    calm() {
      up.calm();
      down.calm();
    },
    deafen: () => down.deafen(({ eventType }) => eventType === 'STAMPS'),
    lostUp: up.lost,
    close() {
      store.close();
      connection.close();
    },
  };
}

// ---- histories

const number = (max: number) => fc.integer({ min: 0, max });
type Doing =
  | {
      kind:
        | 'place'
        | 'edit'
        | 'remove'
        | 'toggleText'
        | 'toggleIconType'
        | 'reorder'
        | 'giveRole'
        | 'takeRole'
        | 'activeRole'
        | 'drag';
      which: number;
      x: number;
      other: number;
    }
  | { kind: 'add'; x: number }
  | { kind: 'undo' | 'redo' | 'reset' | 'break' }
  | { kind: 'hands' | 'showTexts'; value: boolean };
const about = (kind: Extract<Doing, { which: number }>['kind']) =>
  fc.record({ kind: fc.constant(kind), which: number(30), x: number(1600), other: number(4) });
const doing: fc.Arbitrary<Doing> = fc.oneof(
  { weight: 10, arbitrary: about('place') },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('add' as const), x: number(1600) }) },
  { weight: 4, arbitrary: fc.constantFrom({ kind: 'undo' as const }, { kind: 'redo' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'reset' as const }, { kind: 'break' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('hands' as const, 'showTexts' as const), value: fc.boolean() }),
  },
  ...(
    ['edit', 'remove', 'toggleText', 'toggleIconType', 'reorder', 'giveRole', 'takeRole', 'activeRole', 'drag'] as const
  ).map((kind) => ({ weight: 2, arbitrary: about(kind) })),
);
const history = fc.record({
  clients: fc.integer({ min: 2, max: 4 }),
  /** Whether the onlooker misses the end, or only what was lost on the way. */
  missesEnd: fc.boolean(),
  wires: fc.array(fc.record({ up: fc.array(fate, { maxLength: 30 }), down: fc.array(fate, { maxLength: 60 }) }), {
    minLength: 6,
    maxLength: 6,
  }),
  steps: fc.array(
    fc.record({ who: number(4), what: doing, pause: fc.constantFrom('none', 'none', 'turn', 'answer') }),
    { minLength: 10, maxLength: STEPS },
  ),
});

/** One step as the person would do it by what its own screen shows. */
async function carryOut(
  { store, as, id, breakConnection }: Browser,
  what: Doing,
  clientIds: readonly number[],
): Promise<void> {
  const figures = shownFigures(store.get());
  if (!('which' in what)) {
    switch (what.kind) {
      case 'undo':
        return store.undo();
      case 'redo':
        return store.redo();
      case 'break':
        return breakConnection();
      case 'reset':
        return void store.act({ kind: 'reset' });
      case 'hands':
        return void store.act({ kind: 'hands', allowed: what.value });
      case 'showTexts':
        return void store.act({ kind: 'showTexts', value: what.value });
      case 'add':
        return void store.act({ kind: 'add', figure: { iconType: 'STAR', x: what.x, y: 500 } });
    }
  }
  if (figures.length === 0) return;
  const figureId = figures[what.which % figures.length]!.id;
  const clientId = clientIds[what.other % clientIds.length]!;
  switch (what.kind) {
    case 'drag':
      return store.drag({ figureId, x: what.x, y: 100 });
    case 'place':
      return void store.act({ kind: 'place', figureId, x: what.x, rotation: what.x % 360 });
    case 'edit':
      return void store.act({ kind: 'edit', figureId, name: `Name ${what.x}` });
    case 'reorder':
      return void store.act({
        kind: 'reorder',
        figureId,
        to: (['front', 'back', 'forward', 'backward'] as const)[what.x % 4]!,
      });
    case 'giveRole':
    case 'takeRole':
      return void store.act({ kind: what.kind, clientId, figureId });
    case 'activeRole':
      return void store.act({ kind: 'activeRole', clientId: as === 'CLIENT' ? id : clientId, figureId });
    case 'remove':
    case 'toggleText':
    case 'toggleIconType':
      return void store.act({ kind: what.kind, figureId });
  }
}

/** Resolves when it holds, looked at again at each change of the store. */
function until(store: RoomStore, holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (holds()) return resolve();
    const off = store.subscribe(() => {
      if (!holds()) return;
      off();
      resolve();
    });
  });
}

async function converge({
  clients: count,
  missesEnd,
  wires,
  steps,
}: typeof history extends fc.Arbitrary<infer H> ? H : never): Promise<void> {
  const therapist = await aTherapist(t.db);
  const clients = [];
  for (let n = 0; n < count; n++) clients.push(await inRoom(t.app, therapist));
  const figures = await fieldOf(
    t.db,
    therapist.id,
    Array.from({ length: 6 }, (_, n) => ({
      name: `Figure ${n}`,
      x: 100 * n,
      movableBy: n === 0 ? ('everyone' as const) : ('holders' as const),
    })),
  );
  const as = { as: 'therapist', therapistId: therapist.id, personId: therapist.id } as const;
  for (const [n, { id }] of clients.entries())
    await t.app.field.act(as, crypto.randomUUID(), { kind: 'giveRole', clientId: id, figureId: figures[n]!.id });
  const acting = [
    openBrowser({ ...therapist, therapistId: therapist.id }, 'THERAPIST', wires[0]!),
    ...clients.map((client, n) => openBrowser(client, 'CLIENT', wires[n + 1]!)),
  ];
  // Only looks on, and its line never breaks: no snapshot of a fresh line ever helps it out.
  const onlooker = openBrowser(await inRoom(t.app, therapist), 'CLIENT', { up: [], down: wires.at(-1)!.down });
  const browsers = [...acting, onlooker];
  try {
    // Everybody is there; a snapshot that the wire has lost is asked for.
    await Promise.all(browsers.map(({ store }) => until(store, () => store.get().field !== null)));
    for (const { who, what, pause } of steps) {
      const browser = acting[who % acting.length]!;
      await carryOut(
        browser,
        what,
        clients.map(({ id }) => id),
      );
      if (pause === 'turn') await new Promise((resolve) => setImmediate(resolve));
      // Until somebody hears of something, or there is nothing to hear of.
      if (pause === 'answer') await t.app.room.inOrder(therapist.id, async () => {});
    }

    // Quiet: the wire is good, and whose messages it lost has lost its line, as on any real wire.
    if (missesEnd) onlooker.deafen();
    else onlooker.calm();
    for (const browser of acting) browser.calm();
    for (const browser of acting)
      if (browser.lostUp() > 0 || browser.store.get().pending.length > 0) await browser.breakConnection();
    await Promise.all(acting.map(({ store }) => until(store, () => store.get().pending.length === 0)));
    // Who has missed the end has nothing but the stamps to tell it so.
    onlooker.calm();
    // The stamps that follow the last change by a second, and the check they bring about.
    const stamps = () => t.app.room.stamps(therapist.id);
    await expect
      .poll(
        async () => {
          const { participantsUpdatedOn, usersUpdatedOn } = await stamps();
          return browsers.every(
            ({ store }) =>
              !lacks(store.get()) &&
              store.get().keeper.held.fieldRevision === participantsUpdatedOn &&
              store.get().keeper.held.peopleRevision === usersUpdatedOn,
          );
        },
        { timeout: 60_000, message: 'everybody holds what the server has' },
      )
      .toBe(true);

    const { contents, participantsUpdatedOn } = await t.app.field.playersValue(therapist.id);
    const { people, therapistHere } = await t.app.clients.peopleValue(therapist.id);
    for (const { store, as: kind } of browsers) {
      const model = store.get();
      expect(model.field, kind).toEqual({ ...contents, revision: participantsUpdatedOn });
      expect(shownFigures(model), kind).toEqual(contents.figures);
      expect({ people: model.people, therapistHere: model.therapistHere }, kind).toEqual({ people, therapistHere });
    }
    // Whatever came twice acted once: each revision is one stored act that changed something, and no act has two.
    expect(await countActs(t.db, therapist.id)).toEqual({ changed: participantsUpdatedOn, twice: 0 });
  } finally {
    for (const browser of browsers) browser.close();
  }
}

test(
  'all browsers come to equal the server’s field and people once it is quiet, over doubled, delayed, reordered and lost messages and broken lines',
  async () => {
    await fc.assert(fc.asyncProperty(history, converge), {
      numRuns: RUNS,
      endOnFailure: !LONG,
      timeout: LONG ? 300_000 : 45_000,
    });
  },
  LONG ? 3_600_000 : 120_000,
);
