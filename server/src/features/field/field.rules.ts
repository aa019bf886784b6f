/**
 * The pure rules of the field: from the stored state and the command follows what changes, or a Problem. The numbers
 * are those of this folder's README. Source: docs/product.md#5.
 */
import {
  FIELD_HEIGHT,
  FIELD_WIDTH,
  FIGURE_COLORS,
  FIGURE_SIZE,
  FIGURES_MAX,
  findFreeCell,
  findRoom,
  mayMove,
  sameValue,
  sortFigures,
  toggledIconType,
  withStandIn,
  type FieldAct,
  type FieldOp,
  type Figure,
  type FigureInput,
  type Relation,
  type Standing,
} from '@fieldroom/contract/field';
import { Problem } from '../../platform/problem.ts';
import type { ActTrace } from './field.tables.ts';

export type Actor = { readonly as: 'therapist'; readonly id: number } | { readonly as: 'client'; readonly id: number };

interface RoleHeld {
  readonly clientId: number;
  readonly figureId: number;
  readonly active: boolean;
}

/** What a decision looks at. `figures` may be only those that the command is about, if `scopeOf` says so. */
export interface FieldState {
  readonly figures: ReadonlyMap<number, Figure>;
  readonly handsAllowed: boolean;
  readonly roles: readonly RoleHeld[];
  /** Clients who are in the room. */
  readonly present: ReadonlySet<number>;
  /** Own icons of the therapist; needed if the command may put an icon on a figure. */
  readonly icons: ReadonlySet<number>;
}

type Undo = { readonly kind: 'undo'; readonly trace: ActTrace };
/** The whole field becomes these figures. The server alone makes it, from something that it kept. */
interface ReplaceFigures {
  readonly kind: 'replaceFigures';
  readonly figures: readonly Figure[];
}
export type Command =
  | Exclude<FieldAct, { kind: 'undo' | 'clear' | 'load' | 'backToMoment' }>
  | Undo
  | ReplaceFigures
  /** `participant/save` on an existing figure. */
  | { readonly kind: 'save'; readonly figureId: number; readonly input: FigureInput }
  /** `participant/saveAll`; an emptied field and a loaded constellation are lists too. */
  | {
      readonly kind: 'saveAll';
      readonly list: readonly FigureInput[];
      /** The relations of new figures: of each in the list, with the places of others in the list. */
      readonly relations?: readonly (readonly Relation[])[];
      readonly fromReset: boolean;
      readonly stamp: number | null;
    }
  /** A client's hand was stopped in the middle of a drag: the figure stays where the hand had it. */
  | {
      readonly kind: 'drop';
      readonly figureId: number;
      readonly x: number;
      readonly y: number;
      readonly rotation?: number;
      readonly scale?: number;
    };

export type FigureStep = ActTrace['figures'][number];
export type RoleStep = ActTrace['roles'][number];
export interface RoleWish {
  clientId: number;
  figureId: number;
  to: RoleStep['after'];
}

/** What a command changes. If all parts are empty, nothing changes. */
export interface Decision {
  figures: FigureStep[];
  hands: { before: boolean; after: boolean } | null;
  roles: RoleWish[];
}

export interface Making {
  /** The room's field revision after this act. */
  readonly revision: number;
  /** The revision before it. */
  readonly standing: number;
  /** Ids for new figures, as many as `newFiguresOf` returns. */
  readonly newIds: readonly number[];
}

/** The first figure of a field gets this painting order, so that many others can go below it without moving any. */
const FIRST_ORDER = 1000;
/** `figureInput` accepts no order above this. */
const ORDER_MAX = 100_000;

type Property = Exclude<keyof Figure, 'id' | 'updatedOn'>;
const PROPERTIES: readonly Property[] = [
  'name',
  'iconType',
  'iconId',
  'color',
  'showText',
  'x',
  'y',
  'rotation',
  'scale',
  'order',
  'movableBy',
  'relations',
  'startX',
  'startY',
  'startRotation',
  'startScale',
];
const PLACE: ReadonlySet<Property> = new Set<Property>(['x', 'y', 'rotation', 'scale']);

/** Which figures a command looks at: one, or all. */
export function scopeOf(command: Command): number | 'all' {
  switch (command.kind) {
    case 'place':
    case 'drop':
    case 'toggleText':
    case 'toggleIconType':
    case 'giveRole':
    case 'takeRole':
      return command.figureId;
    case 'remove':
      return command.figureId;
    // Relations lead to other figures.
    case 'edit':
      return command.relations === undefined ? command.figureId : 'all';
    case 'save':
      return command.input.relations === undefined ? command.figureId : 'all';
    case 'activeRole':
      return command.figureId ?? 0;
    case 'hands':
      return 0;
    default:
      return 'all';
  }
}

/** Whether a command may put an own icon on a figure, so that it needs `icons`. */
export function usesIcons(command: Command): boolean {
  return (
    command.kind === 'add' ||
    command.kind === 'edit' ||
    command.kind === 'save' ||
    command.kind === 'saveAll' ||
    command.kind === 'replaceFigures' ||
    command.kind === 'undo'
  );
}

/** Whether this command of this actor needs roles or the people who are present. */
export function usesRoles(command: Command, actor: Actor): boolean {
  if (actor.as === 'client') return true;
  switch (command.kind) {
    case 'remove':
    case 'reset':
    case 'saveAll':
    case 'replaceFigures':
    case 'giveRole':
    case 'takeRole':
    case 'activeRole':
    case 'undo':
      return true;
    default:
      return false;
  }
}

/** How many new figures a command makes. */
export function newFiguresOf(command: Command): number {
  if (command.kind === 'add') return 1;
  return command.kind === 'saveAll' ? command.list.filter((one) => one.id === undefined).length : 0;
}

/** The properties in which two states of a figure can differ; `updatedOn` is not one of them. */
function differences(a: Figure, b: Figure): Property[] {
  return PROPERTIES.filter((property) => !sameValue(a[property], b[property]));
}

/** Returns the ops for a trace as everybody gets them: first new and changed figures, then removed ones, then hands. */
export function opsOf(trace: Pick<ActTrace, 'figures' | 'hands'>): FieldOp[] {
  const ops: FieldOp[] = trace.figures.map(({ id, after }) =>
    after ? { op: 'put', figure: after } : { op: 'remove', figureId: id },
  );
  if (trace.hands) ops.push({ op: 'hands', allowed: trace.hands.after });
  return ops;
}

/**
 * Decides one command. Takes the stored state, the actor, the command and the numbers to use. Returns what changes; all
 * empty if nothing does. Problems: `not_found`, `forbidden`, `figure_not_yours`, `hands_stopped`, `changed_since`,
 * `field_full`, `role_not_held`, `list_outdated`, `invalid_input`. The volatile lane has checked the holds before.
 */
export function decide(state: FieldState, actor: Actor, command: Command, making: Making): Decision {
  // If the server drops for a client, the drag was already allowed.
  if (actor.as === 'client' && command.kind !== 'drop') checkClient(state, actor.id, command);
  switch (command.kind) {
    case 'add': {
      checkRoom(state.figures.size + 1);
      checkRelations(state, null, command.figure.relations);
      return figuresOnly([
        {
          id: making.newIds[0]!,
          before: null,
          after: newFigure(state, command.figure, making.newIds[0]!, nextOrder(state), making.revision),
        },
      ]);
    }
    case 'place':
    case 'drop': {
      const { kind: _, figureId, ...place } = command;
      return change(state, figureId, place, making);
    }
    case 'edit': {
      const { kind: _, figureId, ...properties } = command;
      checkRelations(state, getFigure(state, figureId), properties.relations);
      return change(state, figureId, withIcon(state, getFigure(state, figureId), properties), making);
    }
    case 'save': {
      const { id: _, updatedOn: __, ...properties } = command.input;
      checkRelations(state, getFigure(state, command.figureId), properties.relations);
      return change(state, command.figureId, withIcon(state, getFigure(state, command.figureId), properties), making);
    }
    case 'saveAll':
      return saveAll(state, command, making);
    case 'replaceFigures':
      return replaceFigures(state, command.figures, making);
    case 'reorder':
      return reorder(state, command.figureId, command.to, making);
    case 'remove': {
      const before = getFigure(state, command.figureId);
      return {
        figures: [{ id: before.id, before, after: null }],
        hands: null,
        roles: rolesOfFigure(state, before.id)
          .filter((role) => state.present.has(role.clientId))
          .map((role) => ({ ...key(role), to: 'none' })),
      };
    }
    case 'showTexts':
      return changeAll(state, () => ({ showText: command.value }), making);
    case 'toggleText':
      return change(state, command.figureId, { showText: !getFigure(state, command.figureId).showText }, making);
    case 'toggleIconType':
      return change(
        state,
        command.figureId,
        { iconType: toggledIconType(getFigure(state, command.figureId).iconType) },
        making,
      );
    case 'reset': {
      const places = startPlaces([...state.figures.values()]);
      return {
        ...changeAll(
          state,
          (figure) => ({
            ...places.get(figure.id),
            rotation: figure.startRotation,
            scale: figure.startScale,
            showText: true,
          }),
          making,
        ),
        roles: state.roles.map((role) => ({ ...key(role), to: 'none' })),
      };
    }
    case 'hands':
      return {
        figures: [],
        hands: command.allowed === state.handsAllowed ? null : { before: state.handsAllowed, after: command.allowed },
        roles: [],
      };
    case 'giveRole': {
      if (!state.present.has(command.clientId)) throw new Problem('not_found');
      getFigure(state, command.figureId);
      return roleOnly(
        holdOf(state, command.clientId, command.figureId) === 'none'
          ? [{ clientId: command.clientId, figureId: command.figureId, to: 'held' }]
          : [],
      );
    }
    case 'takeRole': {
      getFigure(state, command.figureId);
      const hold = holdOf(state, command.clientId, command.figureId);
      if (hold === 'none' && !state.present.has(command.clientId)) throw new Problem('not_found');
      return roleOnly(hold === 'none' ? [] : [{ clientId: command.clientId, figureId: command.figureId, to: 'none' }]);
    }
    case 'activeRole': {
      if (!state.present.has(command.clientId)) throw new Problem('not_found');
      if (command.figureId === null) {
        return roleOnly(
          state.roles
            .filter((role) => role.clientId === command.clientId && role.active)
            .map((role) => ({ ...key(role), to: 'held' })),
        );
      }
      const hold = holdOf(state, command.clientId, command.figureId);
      if (hold === 'none') throw new Problem('role_not_held');
      return roleOnly(
        hold === 'active' ? [] : [{ clientId: command.clientId, figureId: command.figureId, to: 'active' }],
      );
    }
    case 'undo':
      return undo(state, command.trace, making);
  }
}

/** The commands that a client may use at all; the therapist may use all of them. */
function checkClient(state: FieldState, clientId: number, command: Command): void {
  switch (command.kind) {
    case 'place':
      return checkMove(state, clientId, getFigure(state, command.figureId));
    case 'save': {
      const standing = getFigure(state, command.figureId);
      checkMove(state, clientId, standing);
      // Programs send the whole figure back: the present values may be named, but not changed.
      for (const property of PROPERTIES) {
        const asked = command.input[property];
        if (!PLACE.has(property) && asked !== undefined && !sameValue(asked, standing[property]))
          throw new Problem('forbidden');
      }
      return;
    }
    case 'toggleText': {
      getFigure(state, command.figureId);
      if (holdOf(state, clientId, command.figureId) === 'none') throw new Problem('figure_not_yours');
      return;
    }
    case 'activeRole': {
      if (command.clientId !== clientId) throw new Problem('forbidden');
      return;
    }
    case 'undo':
      return checkClientUndo(state, clientId, command.trace);
    default:
      throw new Problem('forbidden');
  }
}

function checkMove(state: FieldState, clientId: number, figure: Figure): void {
  const roles = state.roles.filter((role) => role.clientId === clientId).map((role) => role.figureId);
  if (mayMove({ as: 'client', roles }, figure, state.handsAllowed)) return;
  throw new Problem(mayMove({ as: 'client', roles }, figure, true) ? 'hands_stopped' : 'figure_not_yours');
}

/** A client can undo only what they may still do. */
function checkClientUndo(state: FieldState, clientId: number, trace: ActTrace): void {
  if (trace.hands) throw new Problem('forbidden');
  for (const { id, before, after } of trace.figures) {
    if (!before || !after) throw new Problem('forbidden');
    const figure = state.figures.get(id);
    if (!figure) throw new Problem('changed_since');
    for (const property of differences(before, after)) {
      if (PLACE.has(property)) checkMove(state, clientId, figure);
      else if (property !== 'showText') throw new Problem('forbidden');
      else if (holdOf(state, clientId, id) === 'none') throw new Problem('figure_not_yours');
    }
  }
  for (const role of trace.roles) {
    // Clients make their own roles active, but do not get or lose roles by themselves.
    if (role.clientId !== clientId || role.before === 'none' || role.after === 'none') throw new Problem('forbidden');
  }
}

/**
 * Undoes what the trace did where it is still as the trace left it; otherwise `changed_since`, and nothing changes.
 */
function undo(state: FieldState, trace: ActTrace, making: Making): Decision {
  const figures: FigureStep[] = [];
  for (const { id, before, after } of trace.figures) {
    const current = state.figures.get(id) ?? null;
    if (before && after) {
      const touched = differences(before, after);
      if (!current || touched.some((property) => !sameValue(current[property], after[property])))
        throw new Problem('changed_since');
      const restored = {
        ...current,
        ...Object.fromEntries(touched.map((property) => [property, before[property]])),
        updatedOn: making.revision,
      };
      if (restored.iconId !== null && !state.icons.has(restored.iconId)) throw new Problem('changed_since');
      if (touched.length > 0) figures.push({ id, before: current, after: restored });
    } else if (after) {
      // If others painted something below or above it, the figure itself has not changed.
      if (!current || differences(current, after).some((property) => property !== 'order'))
        throw new Problem('changed_since');
      const given = rolesOfFigure(state, id).some(
        (role) => !trace.roles.some((traced) => traced.figureId === id && traced.clientId === role.clientId),
      );
      if (given) throw new Problem('changed_since');
      figures.push({ id, before: current, after: null });
    } else if (before) {
      if (current || (before.iconId !== null && !state.icons.has(before.iconId))) throw new Problem('changed_since');
      figures.push({ id, before: null, after: { ...before, updatedOn: making.revision } });
    }
  }
  const grown = figures.filter((step) => !step.before).length - figures.filter((step) => !step.after).length;
  if (grown > 0) checkRoom(state.figures.size + grown);

  let hands: Decision['hands'] = null;
  if (trace.hands) {
    if (state.handsAllowed !== trace.hands.after) throw new Problem('changed_since');
    hands = { before: trace.hands.after, after: trace.hands.before };
  }

  const roles: RoleWish[] = [];
  for (const { clientId, figureId, before, after } of trace.roles) {
    if (holdOf(state, clientId, figureId) !== after) throw new Problem('changed_since');
    // A client who has gone gets nothing back and loses nothing.
    if (state.present.has(clientId)) roles.push({ clientId, figureId, to: before });
  }
  const touchedAnything = trace.figures.length > 0 || trace.roles.length > 0 || trace.hands !== undefined;
  if (touchedAnything && figures.length === 0 && roles.length === 0 && !hands) throw new Problem('changed_since');
  return { figures, hands, roles };
}

/**
 * The place of each figure of a field after a reset: its start place. Where several share one, the oldest figure gets
 * it and the others are put beside it. Start places are shared when the smaller figure would be half covered. Depends
 * on the figures alone, so that a second reset changes nothing.
 */
export function startPlaces(figures: readonly Figure[]): Map<number, { x: number; y: number }> {
  const places = new Map<number, { x: number; y: number }>();
  const settled: Standing[] = [];
  const settle = (id: number, { x, y, scale }: Standing) => {
    places.set(id, { x, y });
    settled.push({ x, y, scale });
  };
  const sharing: [id: number, start: Standing][] = [];
  for (const { id, startX, startY, startScale } of figures.toSorted((a, b) => a.id - b.id)) {
    const start = { x: startX, y: startY, scale: startScale };
    if (settled.some((other) => shareOnePlace(other, start))) sharing.push([id, start]);
    else settle(id, start);
  }
  // Looking in vain for each of hundreds would stop the server for a second: once a figure finds no room, none of its
  // size or above looks again.
  let noRoomFrom = Infinity;
  for (const [id, start] of sharing) {
    const room = start.scale < noRoomFrom ? findRoom(start, settled) : null;
    if (room === null) noRoomFrom = Math.min(noRoomFrom, start.scale);
    settle(id, { ...(room ?? findFreeCell(start, settled)), scale: start.scale });
  }
  return places;
}

const shareOnePlace = (a: Standing, b: Standing): boolean =>
  Math.hypot(a.x - b.x, a.y - b.y) < (FIGURE_SIZE / 2) * Math.min(a.scale, b.scale);

function saveAll(
  state: FieldState,
  { list, relations, fromReset, stamp }: Extract<Command, { kind: 'saveAll' }>,
  making: Making,
): Decision {
  // The stamp names a state of the whole field: everything that came after it, also a removal, would be lost silently.
  if (stamp !== null) {
    if (making.standing > stamp) throw new Problem('list_outdated');
  } else {
    const newest = list.reduce((most, one) => Math.max(most, one.updatedOn ?? 0), 0);
    for (const figure of state.figures.values()) if (figure.updatedOn > newest) throw new Problem('list_outdated');
  }
  checkRoom(list.length);
  const named = new Set<number>();
  const steps: FigureStep[] = [];
  let order = nextOrder(state);
  let made = 0;
  for (const [index, input] of list.entries()) {
    const { id, updatedOn: _, ...properties } = input;
    if (fromReset) properties.showText = true;
    if (id === undefined) {
      const newId = making.newIds[made++]!;
      checkRelations(state, null, properties.relations);
      if (relations) properties.relations = relationsOfNew(relations[index] ?? [], making.newIds);
      steps.push({ id: newId, before: null, after: newFigure(state, properties, newId, order++, making.revision) });
      continue;
    }
    if (named.has(id)) throw new Problem('invalid_input', { fields: [{ path: `${index}.id`, code: 'double' }] });
    named.add(id);
    const before = getFigure(state, id);
    checkRelations(state, before, properties.relations);
    steps.push(...change(state, id, withIcon(state, before, properties), making).figures);
  }
  const roles: RoleWish[] = [];
  for (const before of state.figures.values()) {
    if (!named.has(before.id)) steps.push({ id: before.id, before, after: null });
  }
  for (const role of state.roles) {
    // The role of a client who is not in the room goes with its figure's row.
    if (state.present.has(role.clientId) && (fromReset || !named.has(role.figureId)))
      roles.push({ ...key(role), to: 'none' });
  }
  return { figures: steps, hands: null, roles };
}

/**
 * The field becomes `figures`: those that are there get all their properties, those that have gone come back under
 * their ids, and all others go with their roles. A client who has the role of a figure that stays keeps it.
 */
function replaceFigures(state: FieldState, figures: readonly Figure[], making: Making): Decision {
  checkRoom(figures.length);
  const wanted = new Map(figures.map((one) => [one.id, withStandIn(one, state.icons)]));
  const steps: FigureStep[] = [];
  const roles: RoleWish[] = [];
  for (const after of wanted.values()) {
    if (state.figures.has(after.id)) steps.push(...change(state, after.id, after, making).figures);
    else steps.push({ id: after.id, before: null, after: { ...after, updatedOn: making.revision } });
  }
  for (const before of state.figures.values()) {
    if (!wanted.has(before.id)) steps.push({ id: before.id, before, after: null });
  }
  for (const role of state.roles) {
    if (state.present.has(role.clientId) && !wanted.has(role.figureId)) roles.push({ ...key(role), to: 'none' });
  }
  return { figures: steps, hands: null, roles };
}

/**
 * New painting orders for one figure's move; renumbers as few others as possible. Figures with the same order are
 * painted by id, so a tie must be broken if it would paint them the wrong way round.
 */
function reorder(
  state: FieldState,
  figureId: number,
  to: 'front' | 'back' | 'forward' | 'backward',
  making: Making,
): Decision {
  const moved = getFigure(state, figureId);
  const sorted = sortFigures([...state.figures.values()]);
  const at = sorted.indexOf(moved);
  const target =
    to === 'front'
      ? sorted.length - 1
      : to === 'back'
        ? 0
        : to === 'forward'
          ? Math.min(at + 1, sorted.length - 1)
          : Math.max(at - 1, 0);
  if (target === at) return figuresOnly([]);
  const wanted = sorted.toSpliced(at, 1).toSpliced(target, 0, moved);
  const orders = new Map(sorted.map((figure) => [figure.id, figure.order]));
  const neighbour = sorted[target]!;
  const below = wanted[target - 1];
  const above = wanted[target + 1];
  if ((to === 'forward' || to === 'backward') && neighbour.order !== moved.order) {
    orders.set(moved.id, neighbour.order);
    orders.set(neighbour.id, moved.order);
  } else if (!below && above!.order > 0) orders.set(moved.id, above!.order - 1);
  else orders.set(moved.id, below ? below.order + 1 : 0);
  // Pushes up whatever the shortcut left out of order.
  push(wanted, orders, 0);
  if (orders.get(wanted.at(-1)!.id)! > ORDER_MAX)
    for (const [index, figure] of wanted.entries()) orders.set(figure.id, FIRST_ORDER + index);
  return figuresOnly(
    wanted.flatMap((figure) => change(state, figure.id, { order: orders.get(figure.id)! }, making).figures),
  );
}

function push(wanted: readonly Figure[], orders: Map<number, number>, from: number): void {
  for (let i = from + 1; i < wanted.length; i += 1) {
    const lower = wanted[i - 1]!;
    const upper = wanted[i]!;
    const least = orders.get(lower.id)! + (upper.id > lower.id ? 0 : 1);
    if (orders.get(upper.id)! < least) orders.set(upper.id, orders.get(lower.id)! + 1);
  }
}

function nextOrder(state: FieldState): number {
  let most = FIRST_ORDER - 1;
  for (const figure of state.figures.values()) most = Math.max(most, figure.order);
  return Math.min(most + 1, ORDER_MAX);
}

function newFigure(state: FieldState, input: FigureInput, id: number, order: number, revision: number): Figure {
  const x = input.x ?? FIELD_WIDTH / 2;
  const y = input.y ?? FIELD_HEIGHT / 2;
  const rotation = input.rotation ?? 0;
  const scale = input.scale ?? 1;
  const plain: Figure = {
    id,
    name: input.name ?? '',
    iconType: 'MALE_FIGURE',
    iconId: null,
    color: input.color ?? FIGURE_COLORS.sky,
    showText: input.showText ?? true,
    x,
    y,
    rotation,
    scale,
    order: input.order ?? order,
    movableBy: input.movableBy ?? 'holders',
    relations: input.relations ?? [],
    startX: input.startX ?? x,
    startY: input.startY ?? y,
    startRotation: input.startRotation ?? rotation,
    startScale: input.startScale ?? scale,
    updatedOn: revision,
  };
  const { iconType = plain.iconType, iconId = null } = withIcon(state, plain, {
    iconType: input.iconType,
    iconId: input.iconId,
  });
  return { ...plain, iconType, iconId };
}

/**
 * A relation leads to another figure of this field. One that the figure has already may stay though its other figure
 * has gone. Takes the figure (null for a new one), and what it is to have.
 */
function checkRelations(state: FieldState, figure: Figure | null, asked: readonly Relation[] | undefined): void {
  if (!asked) return;
  const kept = new Set(figure?.relations.map(({ to }) => to));
  for (const [index, { to }] of asked.entries()) {
    if (to === figure?.id)
      throw new Problem('invalid_input', { fields: [{ path: `relations.${index}.to`, code: 'itself' }] });
    if (!state.figures.has(to) && !kept.has(to)) throw new Problem('not_found');
  }
}

/** Relations of figures that come together: from places in their list to their new ids. */
const relationsOfNew = (relations: readonly Relation[], newIds: readonly number[]): Relation[] =>
  relations.flatMap(({ to, ...look }) => (newIds[to] === undefined ? [] : [{ to: newIds[to], ...look }]));

/** Kind and own icon belong together: CUSTOM has an icon of this therapist, all other kinds have none. */
function withIcon<P extends { iconType?: Figure['iconType']; iconId?: number | null }>(
  state: FieldState,
  figure: Figure,
  input: P,
): P {
  if (input.iconType === undefined && input.iconId === undefined) return input;
  const iconType = input.iconType ?? (input.iconId === null ? figure.iconType : 'CUSTOM');
  if (iconType !== 'CUSTOM') {
    if (input.iconId) throw new Problem('invalid_input', { fields: [{ path: 'iconId', code: 'not_custom' }] });
    return { ...input, iconType, iconId: null };
  }
  const iconId = input.iconId === undefined ? figure.iconId : input.iconId;
  if (iconId === null) throw new Problem('invalid_input', { fields: [{ path: 'iconId', code: 'required' }] });
  if (!state.icons.has(iconId)) throw new Problem('not_found');
  return { ...input, iconType, iconId };
}

function change(
  state: FieldState,
  figureId: number,
  properties: Partial<Omit<Figure, 'id' | 'updatedOn'>>,
  making: Making,
): Decision {
  const before = getFigure(state, figureId);
  const after = { ...before, updatedOn: making.revision };
  let different = false;
  for (const property of PROPERTIES) {
    const value = properties[property];
    if (value === undefined || sameValue(value, before[property])) continue;
    (after as Record<Property, unknown>)[property] = value;
    different = true;
  }
  return figuresOnly(different ? [{ id: figureId, before, after }] : []);
}

function changeAll(state: FieldState, properties: (figure: Figure) => Partial<Figure>, making: Making): Decision {
  return figuresOnly(
    [...state.figures.values()].flatMap((figure) => change(state, figure.id, properties(figure), making).figures),
  );
}

function getFigure(state: FieldState, id: number): Figure {
  const figure = state.figures.get(id);
  if (!figure) throw new Problem('not_found');
  return figure;
}

function checkRoom(count: number): void {
  if (count > FIGURES_MAX) throw new Problem('field_full');
}

/** How a client holds the role of a figure. */
function holdOf(state: Pick<FieldState, 'roles'>, clientId: number, figureId: number): RoleStep['after'] {
  const role = state.roles.find((one) => one.clientId === clientId && one.figureId === figureId);
  return !role ? 'none' : role.active ? 'active' : 'held';
}

const rolesOfFigure = (state: FieldState, figureId: number) => state.roles.filter((role) => role.figureId === figureId);
const key = ({ clientId, figureId }: RoleHeld) => ({ clientId, figureId });
const figuresOnly = (figures: FigureStep[]): Decision => ({ figures, hands: null, roles: [] });
const roleOnly = (roles: RoleWish[]): Decision => ({ figures: [], hands: null, roles });
