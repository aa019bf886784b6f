import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldChange, FieldOp, Figure } from '@fieldroom/contract/field';
import { applyOps, sortFigures } from '@fieldroom/contract/field';
import type { Person } from '@fieldroom/contract/clients';
import type { StampedChange } from '@fieldroom/contract/realtime';
import { stampsOf } from '@fieldroom/contract/revisions';
import { begin, refuse, shownFigures } from '../../field/acts/index.ts';
import { aFigure } from '../../field/figures.testing.ts';
import { emptyRoom, lacks, receive as receiveAt, type RoomModel } from './roomModel.ts';

/** Real time is irrelevant here: the guard only delays requests. */
const receive = (model: RoomModel, change: StampedChange) => receiveAt(model, change, 0);
const heldStamps = (model: RoomModel) => stampsOf(model.keeper.held);

function person(id: number): Person {
  return {
    id,
    name: `p${id}`,
    connected: true,
    selected: false,
    active: true,
    roles: [],
    activeRole: null,
    handRaisedOn: null,
    joinedOn: '2026-01-01T00:00:00Z',
  };
}

/** A server as the contract describes it: both revisions, whole values on demand. */
function server() {
  let figures: Figure[] = [];
  let people: Person[] = [];
  let field = 0;
  let users = 0;
  const stamps = () => ({ usersUpdatedOn: users, participantsUpdatedOn: field });
  return {
    act(op: FieldOp): StampedChange {
      field += 1;
      const stamped: FieldOp = op.op === 'put' ? { ...op, figure: { ...op.figure, updatedOn: field } } : op;
      figures = applyOps({ figures, handsAllowed: true }, [stamped]).figures;
      const change: FieldChange = { revision: field, actId: null, by: 1, ops: [stamped] };
      return { eventType: 'PLAYER_CHANGE', contents: change, ...stamps() };
    },
    arrive(id: number): StampedChange {
      users += 1;
      people = people.some((known) => known.id === id)
        ? people.filter((known) => known.id !== id)
        : [...people, person(id)];
      return { eventType: 'UNREGISTER_USER', contents: { people, therapistHere: true }, ...stamps() };
    },
    stamps: (): StampedChange => ({ eventType: 'STAMPS', contents: null, ...stamps() }),
    answer(asked: { usersUpdatedOn: number; participantsUpdatedOn: number }): StampedChange[] {
      const answers: StampedChange[] = [];
      if (asked.participantsUpdatedOn < field)
        answers.push({ eventType: 'PLAYERS_VALUE', contents: { figures, handsAllowed: true }, ...stamps() });
      if (asked.usersUpdatedOn < users)
        answers.push({ eventType: 'UNREGISTER_USER', contents: { people, therapistHere: true }, ...stamps() });
      return answers;
    },
    snapshot: (): StampedChange[] => [
      { eventType: 'PLAYERS_VALUE', contents: { figures, handsAllowed: true }, ...stamps() },
      { eventType: 'UNREGISTER_USER', contents: { people, therapistHere: true }, ...stamps() },
    ],
    field: () => sortFigures([...figures]),
    people: () => people,
  };
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      id: fc.integer({ min: 1, max: 6 }),
      x: fc.integer({ min: 0, max: 1600 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), id: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('person' as const), id: fc.integer({ min: 101, max: 104 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rejoin' as const) }) },
);

describe('a browser’s copy of the room', () => {
  it('converges to the server’s under loss, doubling, delay and reordering, once messages stop', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.infiniteStream(fc.constantFrom('deliver', 'deliver', 'deliver', 'lose', 'double', 'delay')),
        fc.infiniteStream(fc.nat({ max: 5 })),
        (steps, fates, picks) => {
          const truth = server();
          let model: RoomModel = emptyRoom;
          const delayed: StampedChange[] = [];
          const fate = fates[Symbol.iterator]();
          const pick = picks[Symbol.iterator]();
          const travel = (change: StampedChange) => {
            const what = fate.next().value;
            if (what === 'lose') return;
            if (what === 'delay') {
              delayed.push(change);
              return;
            }
            model = receive(model, change);
            if (what === 'double') model = receive(model, change);
            if (delayed.length > 0 && pick.next().value === 0) {
              const [late] = delayed.splice((pick.next().value ?? 0) % delayed.length, 1);
              if (late) model = receive(model, late);
            }
          };
          for (const change of truth.snapshot()) travel(change);
          for (const next of steps) {
            if (next.kind === 'put') travel(truth.act({ op: 'put', figure: aFigure(next.id, { x: next.x }) }));
            else if (next.kind === 'remove') travel(truth.act({ op: 'remove', figureId: next.id }));
            else if (next.kind === 'person') travel(truth.arrive(next.id));
            else for (const change of truth.snapshot()) travel(change);
          }
          for (const late of delayed.reverse()) model = receive(model, late);
          // Quiet: the stamps arrive once more, and missing values are requested and answered.
          model = receive(model, truth.stamps());
          if (lacks(model)) for (const answer of truth.answer(heldStamps(model))) model = receive(model, answer);
          // A room that never changed has nothing to answer; the first snapshot may have been lost.
          if (model.field === null || !model.peopleKnown)
            for (const change of truth.snapshot()) model = receive(model, change);
          expect(lacks(model)).toBe(false);
          expect(model.field?.figures).toEqual(truth.field());
          expect(model.people).toEqual(truth.people());
        },
      ),
    );
  });

  it('ignores outdated values and keeps the maximum of the stamps', () => {
    const truth = server();
    const old = truth.snapshot();
    truth.act({ op: 'put', figure: aFigure(1) });
    let model = emptyRoom;
    for (const change of truth.snapshot()) model = receive(model, change);
    const before = model;
    for (const change of old) model = receive(model, change);
    expect(model.field).toBe(before.field);
    expect(model.keeper.seen.fieldRevision).toBe(1);
  });

  it('detects a lost last change by the stamps', () => {
    const truth = server();
    let model = emptyRoom;
    for (const change of truth.snapshot()) model = receive(model, change);
    truth.act({ op: 'put', figure: aFigure(1) });
    expect(lacks(model)).toBe(false);
    model = receive(model, truth.stamps());
    expect(lacks(model)).toBe(true);
    expect(heldStamps(model).participantsUpdatedOn).toBe(0);
  });

  it('keeps unchanged figures as the same objects in a new snapshot', () => {
    const truth = server();
    truth.act({ op: 'put', figure: aFigure(1) });
    let model = emptyRoom;
    for (const change of truth.snapshot()) model = receive(model, change);
    const first = model.field?.figures[0];
    truth.act({ op: 'put', figure: aFigure(2) });
    for (const change of structuredClone(truth.snapshot())) model = receive(model, change);
    expect(model.field?.figures[0]).toBe(first);
    expect(model.field?.figures).toHaveLength(2);
  });
});

describe('own acts', () => {
  const [a, b] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
  const withFigure = () => {
    const truth = server();
    truth.act({ op: 'put', figure: aFigure(1) });
    let model = emptyRoom;
    for (const change of truth.snapshot()) model = receive(model, change);
    return { truth, model };
  };
  const confirm = (model: RoomModel, actId: string, revision: number, more: { unchanged?: true } = {}): RoomModel =>
    receive(model, {
      eventType: 'PLAYER_CHANGE',
      contents: { revision, actId, by: 1, ops: [], ...more },
      usersUpdatedOn: 0,
      participantsUpdatedOn: revision,
    });

  it('show a place at once and undo it when it is refused', () => {
    let { model } = withFigure();
    model = begin(model, { actId: a, act: { kind: 'place', figureId: 1, x: 700 } });
    expect(shownFigures(model)[0]?.x).toBe(700);
    expect(refuse(model, a, 'figure_held').pending).toEqual([]);
    expect(shownFigures(refuse(model, a, 'figure_held'))[0]?.x).toBe(100);
  });

  it('are kept for undo once confirmed, and for redo once undone; a new act clears redo', () => {
    let { model } = withFigure();
    model = confirm(begin(model, { actId: a, act: { kind: 'place', figureId: 1, x: 700 } }), a, 2);
    expect([model.undo, model.redo]).toEqual([[a], []]);
    model = confirm(begin(model, { actId: b, act: { kind: 'undo', actId: a } }), b, 3);
    expect([model.undo, model.redo]).toEqual([[], [b]]);
    const again = '33333333-3333-4333-8333-333333333333';
    const redone = confirm(begin(model, { actId: again, act: { kind: 'undo', actId: b } }), again, 4);
    expect([redone.undo, redone.redo]).toEqual([[again], []]);
    const other = confirm(begin(model, { actId: again, act: { kind: 'place', figureId: 1, x: 5 } }), again, 4);
    expect([other.undo, other.redo]).toEqual([[again], []]);
  });

  it('drop an undo that the server refuses because of a later change', () => {
    let { model } = withFigure();
    model = confirm(begin(model, { actId: a, act: { kind: 'place', figureId: 1, x: 700 } }), a, 2);
    model = refuse(begin(model, { actId: b, act: { kind: 'undo', actId: a } }), b, 'changed_since');
    expect([model.undo, model.redo, model.pending]).toEqual([[], [], []]);
  });

  it.each(['figure_held', 'hands_stopped', 'unavailable'] as const)(
    'keep an undo and a redo that the server refuses only temporarily: %s',
    (code) => {
      let { model } = withFigure();
      model = confirm(begin(model, { actId: a, act: { kind: 'place', figureId: 1, x: 700 } }), a, 2);
      model = refuse(begin(model, { actId: b, act: { kind: 'undo', actId: a } }), b, code);
      expect([model.undo, model.redo, model.pending]).toEqual([[a], [], []]);
      model = confirm(begin(model, { actId: b, act: { kind: 'undo', actId: a } }), b, 3);
      const again = '33333333-3333-4333-8333-333333333333';
      model = refuse(begin(model, { actId: again, act: { kind: 'undo', actId: b } }), again, code);
      expect([model.undo, model.redo, model.pending]).toEqual([[], [b], []]);
    },
  );

  it('accept a late confirmation of an act and of its undo', () => {
    let { model } = withFigure();
    model = refuse(begin(model, { actId: a, act: { kind: 'place', figureId: 1, x: 700 } }), a, 'unavailable');
    expect([model.undo, model.pending]).toEqual([[], []]);
    model = confirm(model, a, 2);
    expect([model.undo, model.redo]).toEqual([[a], []]);
    model = refuse(begin(model, { actId: b, act: { kind: 'undo', actId: a } }), b, 'unavailable');
    model = confirm(model, b, 3);
    expect([model.undo, model.redo, model.refused]).toEqual([[], [b], []]);
  });

  it('that changed nothing cannot be undone and do not clear redo', () => {
    let { model } = withFigure();
    model = confirm(begin(model, { actId: a, act: { kind: 'place', figureId: 1, x: 700 } }), a, 2);
    model = confirm(begin(model, { actId: b, act: { kind: 'undo', actId: a } }), b, 3);
    const front = '33333333-3333-4333-8333-333333333333';
    model = begin(model, { actId: front, act: { kind: 'reorder', figureId: 1, to: 'front' } });
    model = confirm(model, front, 3, { unchanged: true });
    expect([model.undo, model.redo, model.pending]).toEqual([[], [b], []]);
    // An act whose ops are empty may have changed roles: it counts.
    const role = '44444444-4444-4444-8444-444444444444';
    model = confirm(begin(model, { actId: role, act: { kind: 'giveRole', figureId: 1, clientId: 2 } }), role, 4);
    expect([model.undo, model.redo]).toEqual([[role], []]);
    const undo = '55555555-5555-4555-8555-555555555555';
    model = begin(model, { actId: undo, act: { kind: 'undo', actId: role } });
    model = confirm(model, undo, 4, { unchanged: true });
    expect([model.undo, model.redo]).toEqual([[], []]);
  });

  it('that changed nothing are settled although the revision is known already', () => {
    let { model } = withFigure();
    model = confirm(begin(model, { actId: a, act: { kind: 'place', figureId: 1, x: 100 } }), a, 1);
    expect(model.pending).toEqual([]);
  });
});
