/** Figures by themselves: what a new one is like, its icon, and how properties change. Rule 4 of ../README.md. */
import {
  FIELD_HEIGHT,
  FIELD_WIDTH,
  FIGURE_COLORS,
  FIGURES_MAX,
  sameValue,
  type Figure,
  type FigureInput,
} from '@fieldroom/contract/field';
import { Problem } from '../../../platform/problem.ts';
import type { FieldState, Making } from './field.rules.commands.ts';
import { figuresOnly, type Decision } from './field.rules.decision.ts';

export type Property = Exclude<keyof Figure, 'id' | 'updatedOn'>;
/** All properties that an act can change. */
export const PROPERTIES: readonly Property[] = [
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

/** The properties in which two states of a figure can differ; `updatedOn` is not one of them. */
export function differences(a: Figure, b: Figure): Property[] {
  return PROPERTIES.filter((property) => !sameValue(a[property], b[property]));
}

/** Returns the figure with this id. Problem: `not_found`. */
export function getFigure(state: FieldState, id: number): Figure {
  const figure = state.figures.get(id);
  if (!figure) throw new Problem('not_found');
  return figure;
}

/** Refuses more figures than a field holds. Problem: `field_full`. */
export function checkFigureCount(count: number): void {
  if (count > FIGURES_MAX) throw new Problem('field_full');
}

/** Returns a new figure: what the caller names, and for the rest what every figure starts with. */
export function newFigure(state: FieldState, input: FigureInput, id: number, order: number, revision: number): Figure {
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

/** Kind and own icon belong together: CUSTOM has an icon of this therapist, all other kinds have none. */
export function withIcon<P extends { iconType?: Figure['iconType']; iconId?: number | null }>(
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

/** Sets properties of one figure; equal values change nothing. Problem: `not_found`. */
export function changeFigure(
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

/** Sets properties of each figure, as `changeFigure` does for one. */
export function changeAllFigures(
  state: FieldState,
  properties: (figure: Figure) => Partial<Figure>,
  making: Making,
): Decision {
  return figuresOnly(
    [...state.figures.values()].flatMap((figure) => changeFigure(state, figure.id, properties(figure), making).figures),
  );
}
