/** Painting orders: where a new figure goes, and how one moves to the front or the back. Rule 6 of ../README.md. */
import { sortFigures, type Figure } from '@fieldroom/contract/field';
import type { FieldState, Making } from './field.rules.commands.ts';
import { figuresOnly, type Decision } from './field.rules.decision.ts';
import { changeFigure, getFigure } from './field.rules.figures.ts';

/** The first figure of a field gets this painting order, so that many others can go below it without moving any. */
const FIRST_ORDER = 1000;
/** `figureInput` accepts no order above this. */
const ORDER_MAX = 100_000;

/** The painting order of a new figure: above all others. */
export function nextOrder(state: FieldState): number {
  let most = FIRST_ORDER - 1;
  for (const figure of state.figures.values()) most = Math.max(most, figure.order);
  return Math.min(most + 1, ORDER_MAX);
}

/**
 * New painting orders for one figure's move; renumbers as few others as possible. Figures with the same order are
 * painted by id, so a tie must be broken if it would paint them the wrong way round.
 */
export function reorder(
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
    wanted.flatMap((figure) => changeFigure(state, figure.id, { order: orders.get(figure.id)! }, making).figures),
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
