/**
 * Several browsers and the server reach the same state, whatever the network does (contract/realtime.ts, invariants 1
 * to 5). The browsers use the web's connection, model and store on real sockets to the real server. Between store and
 * connection is a network that duplicates, delays, reorders and loses messages both ways by a generated schedule, and
 * connections break.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Change } from '@fieldroom/contract/realtime';
import { countActs } from '../server/tests/support/people/practice.ts';
import { aTherapist } from '../server/src/builders/accounts.builders.ts';
import { inRoom } from '../server/src/builders/clients.builders.ts';
import { fieldOf } from '../server/src/builders/field.builders.ts';
import { testApp, type TestApp } from '../server/tests/support/test-app.ts';
import { createConnection, type ConnectionState } from '../web/src/platform/realtime/index.ts';
import { shownFigures } from '../web/src/features/field/acts/index.ts';
import { lacks } from '../web/src/features/room/store/roomModel.ts';
import { createRoomStore, type RoomConnection, type RoomStore } from '../web/src/features/room/store/roomStore.ts';

/** FIELDROOM_LONG=1 generates more and longer histories. */
const LONG = process.env['FIELDROOM_LONG'] === '1';
const RUNS = LONG ? 100 : 5;
const STEPS = LONG ? 120 : 40;

let t: TestApp;
beforeAll(async () => {
  // The connection reads from the page whether it is online and visible.
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  Object.assign(globalThis, { window: page, document: page });
  t = await testApp();
});
afterAll(() => t.close());

/** What happens to a message: it passes, is lost, is duplicated, or is overtaken by a number of other messages. */
type Fate = 'pass' | 'lose' | 'double' | number;
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('pass' as const) },
  { weight: 1, arbitrary: fc.constant('lose' as const) },
  { weight: 2, arbitrary: fc.constant('double' as const) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }) },
);

/**
 * One direction of an unreliable network. `loseAllBut` loses every message except those it selects; `calm` delivers the
 * messages that still wait and ends all faults.
 */
function unreliableNetwork<T>(fates: readonly Fate[], pass: (message: T) => void) {
  const waiting: { message: T; others: number }[] = [];
  let count = 0;
  let faulty = true;
  let selects: (message: T) => boolean = () => true;
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
      // Two more fates are added to the generated ones, both “pass”, so that some messages get through in every
      // schedule.
      const next = faulty ? (fates[count++ % (fates.length + 2)] ?? 'pass') : 'pass';
      if (next === 'lose' || !selects(message)) lost += 1;
      else if (typeof next === 'number') waiting.push({ message, others: next });
      else for (let copies = next === 'double' ? 2 : 1; copies > 0; copies -= 1) deliver(message);
    },
    /** The connection broke: messages that still wait are lost. */
    cut(): void {
      lost += waiting.splice(0).length;
    },
    loseAllBut(selected: (message: T) => boolean): void {
      faulty = false;
      waiting.splice(0);
      selects = selected;
    },
    calm(): void {
      faulty = false;
      selects = () => true;
      for (const { message } of waiting.splice(0)) pass(message);
    },
    lost: () => lost,
  };
}

interface Browser {
  id: number;
  as: 'THERAPIST' | 'CLIENT';
  store: RoomStore;
  /** Breaks the connection, and resolves when it is open again. */
  breakConnection(): Promise<void>;
  /** Ends all faults of this browser's network. */
  calm(): void;
  /** Loses everything from the server except stamps. */
  receiveStampsOnly(): void;
  /** The number of messages from this browser that were lost. */
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
  const down = unreliableNetwork<Change>(schedule.down, (change) => {
    for (const listener of listeners) listener(change);
  });
  const up = unreliableNetwork<{ destination: string; body: unknown }>(
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
      // Without this event the connection would wait five seconds before it reconnects.
      window.dispatchEvent(new Event('online'));
      await stateIs((now) => now === 'open');
    },
    calm() {
      up.calm();
      down.calm();
    },
    receiveStampsOnly: () => down.loseAllBut(({ eventType }) => eventType === 'STAMPS'),
    lostUp: up.lost,
    close() {
      store.close();
      connection.close();
    },
  };
}

// ---- histories

const number = (max: number) => fc.integer({ min: 0, max });
type Step =
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
const about = (kind: Extract<Step, { which: number }>['kind']) =>
  fc.record({ kind: fc.constant(kind), which: number(30), x: number(1600), other: number(4) });
const step: fc.Arbitrary<Step> = fc.oneof(
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
  /** Whether the onlooker misses all messages at the end, or only what the network lost. */
  missesEnd: fc.boolean(),
  networks: fc.array(fc.record({ up: fc.array(fate, { maxLength: 30 }), down: fc.array(fate, { maxLength: 60 }) }), {
    minLength: 6,
    maxLength: 6,
  }),
  steps: fc.array(fc.record({ who: number(4), what: step, pause: fc.constantFrom('none', 'none', 'turn', 'answer') }), {
    minLength: 10,
    maxLength: STEPS,
  }),
});

/** Takes one step, with the figures that this browser shows at the moment. */
async function carryOut(
  { store, as, id, breakConnection }: Browser,
  what: Step,
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

/** Resolves when the condition holds; checks it at every change of the store. */
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
  networks,
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
    openBrowser({ ...therapist, therapistId: therapist.id }, 'THERAPIST', networks[0]!),
    ...clients.map((client, n) => openBrowser(client, 'CLIENT', networks[n + 1]!)),
  ];
  // The onlooker does nothing and its connection never breaks, so it never gets the snapshot of a new connection.
  const onlooker = openBrowser(await inRoom(t.app, therapist), 'CLIENT', { up: [], down: networks.at(-1)!.down });
  const browsers = [...acting, onlooker];
  try {
    // Wait until everybody has the field; a browser asks again for a snapshot that was lost.
    await Promise.all(browsers.map(({ store }) => until(store, () => store.get().field !== null)));
    for (const { who, what, pause } of steps) {
      const browser = acting[who % acting.length]!;
      await carryOut(
        browser,
        what,
        clients.map(({ id }) => id),
      );
      if (pause === 'turn') await new Promise((resolve) => setImmediate(resolve));
      // Wait until the server has finished the acts it has received so far.
      if (pause === 'answer') await t.app.room.inOrder(therapist.id, async () => {});
    }

    // The network is good again. Browsers that lost messages also lose the connection, as with a real network.
    if (missesEnd) onlooker.receiveStampsOnly();
    else onlooker.calm();
    for (const browser of acting) browser.calm();
    for (const browser of acting)
      if (browser.lostUp() > 0 || browser.store.get().pending.length > 0) await browser.breakConnection();
    await Promise.all(acting.map(({ store }) => until(store, () => store.get().pending.length === 0)));
    // Only the stamps tell the onlooker that it missed the end.
    onlooker.calm();
    // Stamps follow one second after the last change and make a browser that lacks changes ask for them.
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
        { timeout: 60_000, message: 'everybody has what the server has' },
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
    // Duplicated messages act once: each revision belongs to one stored act, and no act has two revisions.
    expect(await countActs(t.db, therapist.id)).toBe(participantsUpdatedOn);
  } finally {
    for (const browser of browsers) browser.close();
  }
}

test(
  'all browsers reach the server’s state despite duplicated, reordered and lost messages and broken connections',
  async () => {
    await fc.assert(fc.asyncProperty(history, converge), {
      numRuns: RUNS,
      endOnFailure: !LONG,
      // These limits only end what hangs. Lost messages are asked for again by real timers, one after the other.
      timeout: 300_000,
    });
  },
  LONG ? 3_600_000 : 900_000,
);
