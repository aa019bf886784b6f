/** The volatile lane with a clock that the test moves. Numbers are the rules of README.md. */
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  fieldDragMessage,
  fieldPointMessage,
  HOLD_MS,
  TICK_MS,
  type FieldChange,
  type MovableBy,
  type Figure,
  type DragPosition,
  type PointerPosition,
} from '@fieldroom/contract/field';
import type { PlainChange } from '@fieldroom/contract/realtime';
import type { RoomAccess } from '../../../access.ts';
import { isDrag, isPoint } from './field.lane.checks.ts';
import type { LanePicture } from './field.lane.picture.ts';
import { createLane, type Lane } from './field.lane.ts';
import { createHandClock, type HandClock } from './hand-clock.fixture.ts';

const ROOM = 1;
const therapist: RoomAccess = { as: 'therapist', therapistId: ROOM, personId: 1 };
const client = (personId: number): RoomAccess => ({
  as: 'client',
  therapistId: ROOM,
  personId,
  name: `Client ${personId}`,
});

function figure(id: number, movableBy: MovableBy = 'everyone'): Figure {
  return {
    id,
    name: '',
    iconType: 'STAR',
    iconId: null,
    color: '#000000',
    showText: true,
    x: 0,
    y: 0,
    rotation: 0,
    scale: 1,
    order: id,
    movableBy,
    relations: [],
    startX: 0,
    startY: 0,
    startRotation: 0,
    startScale: 1,
    updatedOn: 1,
  };
}

let clock: HandClock;
let picture: LanePicture;
let sent: PlainChange[];
let refused: { personId: number; figureId: number | null; problem: string }[];
let loads: number;
/** The database does not answer. */
let unreadable: boolean;
let faults: unknown[];
let lane: Lane;

beforeEach(async () => {
  clock = createHandClock();
  picture = {
    field: { figures: [figure(7), figure(8, 'holders'), figure(9, 'therapist')], handsAllowed: true },
    revision: 5,
    roles: new Map([[20, [{ figureId: 8 }]]]),
    therapistName: 'Anna',
    therapistAway: false,
  };
  sent = [];
  refused = [];
  loads = 0;
  unreadable = false;
  faults = [];
  lane = createLane(
    {
      announceHere: (_room, change) => void sent.push(structuredClone(change)),
      load: async (_room, then) => {
        loads += 1;
        if (unreadable) throw new Error('no database');
        then(picture);
      },
      refuse: (personId, figureId, problem) => void refused.push({ personId, figureId, problem }),
      onFault: (error) => {
        if (!unreadable) throw error;
        faults.push(error);
      },
    },
    clock.scheduler,
  );
});

/** A reading of the picture has ended. */
const settled = () => new Promise((resolve) => void setImmediate(resolve));
const drag = (who: RoomAccess, figureId: number, x: number, more: object = {}) =>
  lane.drag(who, { figureId, x, y: 50, ...more });
const drags = (): DragPosition[] =>
  sent.flatMap((change) => (change.eventType === 'PLAYER_DRAG' ? change.contents.drags : []));
const pointers = (): PointerPosition[] =>
  sent.flatMap((change) => (change.eventType === 'POINTER' ? change.contents.pointers : []));
const place = (
  revision: number,
  before: Figure,
  x: number,
  by: number,
): [FieldChange, Parameters<Lane['settled']>[3]] => {
  const after = { ...before, x, updatedOn: revision };
  return [{ revision, actId: null, by, ops: [{ op: 'put', figure: after }] }, [{ id: before.id, before, after }]];
};

describe('moving', () => {
  test('21 positions of a tick are sent together, the latest of each figure', () => {
    drag(client(20), 7, 1);
    drag(client(20), 7, 2);
    drag(client(20), 8, 30.04);
    drag(therapist, 9, 40, { rotation: -90, scale: 2 });
    drag(client(20), 7, 3);
    expect(sent).toEqual([]);
    clock.pass(TICK_MS);
    expect(sent).toEqual([
      {
        eventType: 'PLAYER_DRAG',
        contents: {
          drags: [
            { figureId: 7, x: 3, y: 50, by: 20 },
            { figureId: 8, x: 30, y: 50, by: 20 },
            { figureId: 9, x: 40, y: 50, rotation: 270, scale: 2, by: 1 },
          ],
        },
      },
    ]);
    clock.pass(1000);
    expect(sent).toHaveLength(1);
  });

  test('22 at most 30 per second and person, the surplus is dropped silently', () => {
    for (let i = 0; i < 1000; i += 1) {
      drag(client(20), 7, 1 + i);
      clock.pass(10);
    }
    expect(drags().length).toBeLessThanOrEqual(310);
    expect(drags().length).toBeGreaterThanOrEqual(295);
    expect(refused).toEqual([]);
    drag(client(21), 7, 5);
    expect(refused).toHaveLength(1);
  });

  test('22 a release is never dropped, however many positions came before', () => {
    for (let i = 0; i < 100; i += 1) drag(client(20), 7, i);
    drag(client(20), 7, 3, { end: true });
    clock.pass(TICK_MS);
    expect(drags().at(-1)).toMatchObject({ figureId: 7, end: true, by: 20 });
  });

  test('a forbidden move has no effect, and the person is told why once a second', () => {
    drag(client(21), 8, 1);
    drag(client(21), 8, 2);
    drag(client(21), 9, 2);
    clock.pass(1000);
    drag(client(21), 9, 2);
    clock.pass(1000);
    drag(client(21), 99, 2);
    clock.pass(1000);
    drag(therapist, 99, 2);
    clock.pass(1000);
    lane.drag(client(21), { figureId: 7, x: Number.NaN, y: 3 });
    expect(refused.map((one) => [one.figureId, one.problem])).toEqual([
      [8, 'figure_not_yours'],
      [9, 'figure_not_yours'],
      [99, 'not_found'],
      [99, 'not_found'],
      [null, 'invalid_input'],
    ]);
    expect(drags()).toEqual([]);
  });

  test('stopped hands move nothing, the therapist’s still do', () => {
    drag(client(20), 8, 1);
    lane.settled(
      ROOM,
      { revision: 6, actId: null, by: 1, ops: [{ op: 'hands', allowed: false }] },
      { as: 'therapist', id: 1 },
      [],
      [],
    );
    drag(client(20), 8, 2);
    drag(therapist, 8, 3);
    clock.pass(TICK_MS);
    expect(refused).toEqual([{ personId: 20, figureId: 8, problem: 'hands_stopped' }]);
    expect(drags()).toEqual([
      { figureId: 8, x: 1, y: 50, by: 20, end: true },
      { figureId: 8, x: 3, y: 50, by: 1 },
    ]);
  });
});

describe('holding', () => {
  test('23 the first hand holds the figure; another’s is refused until the release', () => {
    drag(client(20), 7, 1);
    drag(client(21), 7, 100);
    expect(refused).toEqual([{ personId: 21, figureId: 7, problem: 'figure_held' }]);
    expect(lane.heldByOther(ROOM, 7, 21)).toBe(true);
    expect(lane.heldByOther(ROOM, 7, 20)).toBe(false);
    expect(lane.heldByOther(ROOM, 8, 21)).toBe(false);
    drag(client(20), 7, 1, { end: true });
    expect(lane.heldByOther(ROOM, 7, 21)).toBe(false);
    drag(client(21), 7, 100);
    clock.pass(TICK_MS);
    expect(drags()).toEqual([
      { figureId: 7, x: 1, y: 50, by: 20, end: true },
      { figureId: 7, x: 100, y: 50, by: 21 },
    ]);
  });

  test('24 a hold ends after three seconds of silence, and everybody is told', () => {
    drag(client(20), 7, 1);
    clock.pass(HOLD_MS - 1);
    drag(client(20), 7, 2);
    clock.pass(HOLD_MS - 1);
    expect(lane.heldByOther(ROOM, 7, 21)).toBe(true);
    expect(drags().some((one) => one.end)).toBe(false);
    clock.pass(1);
    expect(lane.heldByOther(ROOM, 7, 21)).toBe(false);
    clock.pass(TICK_MS);
    expect(drags().at(-1)).toEqual({ figureId: 7, x: 2, y: 50, by: 20, end: true });
    expect(clock.due()).toEqual([]);
  });

  test('25 the therapist’s hand takes over; the other has no effect until its release', () => {
    drag(client(20), 7, 1);
    drag(therapist, 7, 500);
    drag(client(20), 7, 2);
    expect(refused).toEqual([{ personId: 20, figureId: 7, problem: 'figure_held' }]);
    clock.pass(TICK_MS);
    expect(drags()).toEqual([{ figureId: 7, x: 500, y: 50, by: 1 }]);

    lane.settled(ROOM, ...spread(place(6, figure(7), 500, 1), 'therapist', 1));
    clock.pass(100);
    drag(client(20), 7, 3);
    clock.pass(TICK_MS);
    expect(drags()).toHaveLength(1);
    expect(lane.heldByOther(ROOM, 7, 20)).toBe(true);
    lane.release(ROOM, 7, 20);
    drag(client(20), 7, 4);
    clock.pass(TICK_MS);
    expect(drags().at(-1)).toEqual({ figureId: 7, x: 4, y: 50, by: 20 });
  });

  test('25 a hand that rests for three seconds counts as a new one', () => {
    drag(client(20), 7, 1);
    drag(therapist, 7, 500);
    drag(therapist, 7, 500, { end: true });
    clock.pass(HOLD_MS);
    drag(client(20), 7, 4);
    clock.pass(TICK_MS);
    expect(drags().at(-1)).toEqual({ figureId: 7, x: 4, y: 50, by: 20 });
  });

  test('26 a drop ends the hold, and no older position follows it', () => {
    drag(client(20), 7, 300);
    lane.settled(ROOM, ...spread(place(6, figure(7), 300, 20), 'client', 20));
    clock.pass(HOLD_MS * 2);
    expect(drags()).toEqual([]);
    expect(lane.heldByOther(ROOM, 7, 21)).toBe(false);
  });

  test('26 an act that does not move the figure does not end the hold', () => {
    drag(client(20), 7, 300);
    const after = { ...figure(7), color: '#FFFFFF' };
    lane.settled(
      ROOM,
      { revision: 6, actId: null, by: 1, ops: [{ op: 'put', figure: after }] },
      { as: 'therapist', id: 1 },
      [{ id: 7, before: figure(7), after }],
      [],
    );
    expect(lane.heldByOther(ROOM, 7, 21)).toBe(true);
  });

  test('26 a drop that changed nothing or was refused shows the stored place again', () => {
    drag(client(20), 7, 300);
    lane.release(ROOM, 7, 21);
    expect(lane.heldByOther(ROOM, 7, 21)).toBe(true);
    lane.release(ROOM, 7, 20);
    clock.pass(TICK_MS);
    expect(drags()).toEqual([{ figureId: 7, x: 300, y: 50, by: 20, end: true }]);
  });

  test('27 taking a role in mid-drag ends the hold', () => {
    drag(client(20), 8, 1);
    lane.settled(
      ROOM,
      { revision: 6, actId: null, by: 1, ops: [] },
      { as: 'therapist', id: 1 },
      [],
      [{ clientId: 20, figureId: 8, before: 'active', after: 'none' }],
    );
    clock.pass(TICK_MS);
    expect(drags()).toEqual([{ figureId: 8, x: 1, y: 50, by: 20, end: true }]);
    drag(client(20), 8, 2);
    expect(refused.at(-1)).toEqual({ personId: 20, figureId: 8, problem: 'figure_not_yours' });
  });

  test('27 roles that others changed are read again', () => {
    drag(client(20), 8, 1);
    picture = { ...picture, roles: new Map([[21, [{ figureId: 8 }]]]) };
    lane.rolesChanged(ROOM);
    clock.pass(TICK_MS);
    expect(drags()).toEqual([{ figureId: 8, x: 1, y: 50, by: 20, end: true }]);
    drag(client(21), 8, 2);
    clock.pass(TICK_MS);
    expect(drags().at(-1)).toMatchObject({ by: 21, x: 2 });
  });

  test('28 a person who leaves releases figures and loses the pointer; when the last one leaves, the room’s state is deleted', () => {
    drag(client(20), 7, 1);
    lane.point(client(20), { x: 5, y: 6 });
    clock.pass(TICK_MS);
    lane.personGone(ROOM, 20);
    expect(drags().at(-1)).toEqual({ figureId: 7, x: 1, y: 50, by: 20, end: true });
    expect(pointers().at(-1)).toEqual({ by: 20, off: true });
    expect(clock.due()).toEqual([]);
    expect(loads).toBe(1);
    drag(client(21), 7, 1);
    expect(loads).toBe(2);
  });

  test('reports the figures in clients’ hands, with the last positions', () => {
    drag(client(20), 7, 1);
    drag(client(20), 7, 2, { rotation: 30 });
    drag(therapist, 9, 2);
    expect(lane.clientsHolds(ROOM)).toEqual([{ figureId: 7, by: 20, x: 2, y: 50, rotation: 30, scale: undefined }]);
  });
});

/** The therapist's act, which the trace does not mention here. */
const acted = (change: FieldChange) => lane.settled(ROOM, change, { as: 'therapist', id: 1 }, [], []);

describe('the picture of the room', () => {
  test('29 is updated by changes, ignores known ones, and is read again after a gap', () => {
    drag(client(21), 7, 1);
    acted({ revision: 5, actId: null, by: 1, ops: [{ op: 'remove', figureId: 7 }] });
    clock.pass(TICK_MS);
    expect(drags()).toHaveLength(1);
    acted({ revision: 6, actId: null, by: 1, ops: [{ op: 'put', figure: figure(8, 'everyone') }] });
    drag(client(21), 8, 1);
    clock.pass(TICK_MS);
    expect(drags()).toHaveLength(2);
    picture = { ...picture, revision: 9, field: { figures: [figure(50)], handsAllowed: true } };
    acted({ revision: 8, actId: null, by: 1, ops: [] });
    expect(loads).toBe(2);
    clock.pass(1000);
    drag(client(21), 50, 1);
    clock.pass(TICK_MS);
    expect(drags().at(-1)).toMatchObject({ figureId: 50 });
  });

  test('29 unknown parts of messages from a later version change nothing', () => {
    drag(client(21), 7, 1);
    acted({ revision: 6, actId: null, by: 1, ops: [{ op: 'tilt', degrees: 5 } as never] });
    drag(client(21), 7, 2);
    clock.pass(TICK_MS);
    expect(drags().at(-1)).toMatchObject({ figureId: 7, x: 2, by: 21 });
    expect(refused).toEqual([]);
  });

  test('29 is read again, at most once a second, until it succeeds; until then the old one counts', async () => {
    drag(client(20), 8, 1);
    await settled();
    unreadable = true;
    picture = { ...picture, roles: new Map([[21, [{ figureId: 8 }]]]) };
    lane.rolesChanged(ROOM);
    await settled();
    expect(faults).toHaveLength(1);
    for (let x = 2; x < 20; x += 1) drag(client(20), 8, x);
    clock.pass(TICK_MS);
    expect(drags().at(-1)).toMatchObject({ figureId: 8, by: 20 });
    expect(loads).toBe(2);
    lane.drag(client(20), { figureId: 8, x: 20, y: 50, end: true });
    unreadable = false;
    clock.pass(1000);
    drag(client(21), 8, 1);
    await settled();
    drag(client(21), 8, 2);
    clock.pass(TICK_MS);
    expect(drags().at(-1)).toMatchObject({ figureId: 8, by: 21, x: 2 });
    expect(loads).toBe(3);
  });
});

describe('pointers', () => {
  test('30 show the name, are sent with the tick, and disappear when switched off', () => {
    lane.point(therapist, { x: 1, y: 2 });
    lane.point(client(20), { x: 3, y: 4 });
    lane.point(client(20), { x: 5, y: 6.06 });
    clock.pass(TICK_MS);
    lane.point(client(20), { off: true });
    lane.point(client(20), { off: true });
    clock.pass(TICK_MS);
    expect(pointers()).toEqual([
      { by: 1, name: 'Anna', x: 1, y: 2 },
      { by: 20, name: 'Client 20', x: 5, y: 6.1 },
      { by: 20, off: true },
    ]);
  });

  test('24 a pointer that is silent for 3 s disappears; a resting one that reports itself stays', () => {
    lane.point(client(20), { x: 3, y: 4 });
    lane.point(client(21), { x: 5, y: 6 });
    for (let i = 0; i < 4; i += 1) {
      clock.pass(1_000);
      lane.point(client(21), { x: 5, y: 6 });
    }
    clock.pass(TICK_MS);
    expect(pointers().filter(({ by }) => by === 20)).toEqual([
      { by: 20, name: 'Client 20', x: 3, y: 4 },
      { by: 20, off: true },
    ]);
    expect(pointers().filter(({ by }) => by === 21)).toEqual(
      Array.from({ length: 5 }, () => ({ by: 21, name: 'Client 21', x: 5, y: 6 })),
    );
    clock.pass(HOLD_MS + TICK_MS);
    expect(pointers().at(-1)).toEqual({ by: 21, off: true });
    expect(clock.due()).toEqual([]);
    lane.point(client(21), { x: 5, y: 6 });
    clock.pass(TICK_MS);
    expect(pointers().at(-1)).toEqual({ by: 21, name: 'Client 21', x: 5, y: 6 });
  });

  test('30 are counted separately from drags', () => {
    for (let i = 0; i < 50; i += 1) drag(client(20), 7, i);
    lane.point(client(20), { x: 3, y: 4 });
    clock.pass(TICK_MS);
    expect(pointers()).toHaveLength(1);
  });
});

describe('while the therapist is away', () => {
  test('37 clients’ holds end, their pointers disappear, and they move nothing until the therapist is back; the therapist’s own continue', () => {
    drag(client(20), 7, 1);
    drag(therapist, 9, 1);
    lane.point(client(20), { x: 5, y: 6 });
    lane.point(therapist, { x: 1, y: 2 });
    clock.pass(TICK_MS);
    lane.therapistHere(ROOM, false);
    clock.pass(TICK_MS);
    expect(drags().slice(2)).toEqual([{ figureId: 7, x: 1, y: 50, by: 20, end: true }]);
    expect(pointers().slice(2)).toEqual([{ by: 20, off: true }]);
    for (let i = 0; i < 5; i += 1) {
      drag(client(20), 7, i);
      lane.point(client(20), { x: i, y: 6 });
    }
    drag(therapist, 9, 2);
    clock.pass(TICK_MS);
    expect(refused).toEqual([{ personId: 20, figureId: 7, problem: 'therapist_away' }]);
    expect(drags().slice(3)).toEqual([expect.objectContaining({ figureId: 9, x: 2 })]);
    expect(pointers()).toHaveLength(3);
    lane.therapistHere(ROOM, true);
    drag(client(20), 7, 8);
    lane.point(client(20), { x: 8, y: 6 });
    clock.pass(TICK_MS);
    expect(drags().at(-1)).toMatchObject({ figureId: 7, x: 8, by: 20 });
    expect(pointers().at(-1)).toMatchObject({ by: 20, x: 8 });
  });

  test('37 a room that is being read at that time is paused too', () => {
    picture = { ...picture, therapistAway: true };
    drag(client(20), 7, 1);
    drag(client(20), 7, 2);
    clock.pass(TICK_MS);
    expect(drags()).toEqual([]);
    expect(refused).toEqual([{ personId: 20, figureId: 7, problem: 'therapist_away' }]);
  });
});

describe('messages checked by hand', () => {
  const value = fc.oneof(
    fc.double(),
    fc.constantFrom(
      0,
      -0,
      1,
      800,
      1000,
      1600,
      1600.0001,
      -0.1,
      0.25,
      4,
      3600,
      -3600,
      3600.1,
      2 ** 53,
      Number.NaN,
      Infinity,
      -Infinity,
    ),
    fc.constantFrom(null, undefined, true, false, '1', {}, [], [1]),
  );
  const shape = fc.oneof(
    fc.record({
      figureId: fc.oneof(fc.integer({ min: 1, max: 9 }), value),
      x: fc.oneof(fc.double({ min: 0, max: 1600, noNaN: true }), value),
      y: fc.oneof(fc.double({ min: 0, max: 1000, noNaN: true }), value),
    }),
    fc.record(
      {
        figureId: fc.nat(3),
        x: fc.double({ min: 0, max: 1600, noNaN: true }),
        y: fc.double({ min: 0, max: 1000, noNaN: true }),
        rotation: value,
        scale: value,
        end: value,
        extra: value,
      },
      { requiredKeys: ['figureId', 'x', 'y'] },
    ),
    fc.record(
      {
        x: fc.oneof(fc.double({ min: 0, max: 1600, noNaN: true }), value),
        y: fc.oneof(fc.double({ min: 0, max: 1000, noNaN: true }), value),
        off: value,
      },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.constantFrom('figureId', 'x', 'y', 'rotation', 'scale', 'end', 'off', '__proto__', 'by'), value),
    fc.anything(),
  );
  test('pass exactly when the schemas of the contract accept them', () => {
    const seen = { drag: 0, point: 0 };
    fc.assert(
      fc.property(shape, (body) => {
        const asDrag = fieldDragMessage.safeParse(body).success;
        const asPoint = fieldPointMessage.safeParse(body).success;
        if (asDrag) seen.drag += 1;
        if (asPoint) seen.point += 1;
        expect(isDrag(body)).toBe(asDrag);
        expect(isPoint(body)).toBe(asPoint);
      }),
      { numRuns: 5000 },
    );
    expect(seen.drag).toBeGreaterThan(100);
    expect(seen.point).toBeGreaterThan(10);
  });
});

function spread(
  [change, steps]: ReturnType<typeof place>,
  as: 'therapist' | 'client',
  id: number,
): [FieldChange, { as: 'therapist' | 'client'; id: number }, typeof steps, []] {
  return [change, { as, id }, steps, []];
}

describe('while the picture is read', () => {
  /** A lane whose readings the test answers, one after the other. */
  function aSlowLane() {
    const readings: { answer(picture: LanePicture): Promise<void> }[] = [];
    const slow = createLane(
      {
        announceHere() {},
        refuse() {},
        load(_room, then) {
          const { promise, resolve } = Promise.withResolvers<void>();
          readings.push({
            async answer(read) {
              then(read);
              resolve();
              await settled();
            },
          });
          return promise;
        },
        onFault(error) {
          throw error;
        },
      },
      clock.scheduler,
    );
    slow.drag(client(20), { figureId: 7, x: 1, y: 1 });
    return { slow, readings };
  }

  test('an act of another node that is missing in the reading causes another one', async () => {
    const { slow, readings } = aSlowLane();
    const [change] = place(6, figure(9), 300, 1);
    slow.settled(ROOM, change, { id: 1 } as never, [], []);
    await readings[0]!.answer(picture);
    expect(readings).toHaveLength(2);
    await readings[1]!.answer({ ...picture, revision: 6 });
    expect(readings).toHaveLength(2);
  });

  test('refreshes requested during a reading, however many, cause one more', async () => {
    const { slow, readings } = aSlowLane();
    slow.refresh(ROOM);
    slow.refresh(ROOM);
    await readings[0]!.answer(picture);
    expect(readings).toHaveLength(2);
    await readings[1]!.answer(picture);
    expect(readings).toHaveLength(2);
  });
});
