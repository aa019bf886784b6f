/** The reset of the field, and the positions after it of figures that share a start place. Rule 38 of ../README.md. */
import { FIGURE_SIZE, findFreeCell, findRoom, type Figure, type Standing } from '@fieldroom/contract/field';
import type { FieldState, Making } from './field.rules.commands.ts';
import type { Decision } from './field.rules.decision.ts';
import { changeAllFigures } from './field.rules.figures.ts';
import { roleKey } from './field.rules.roles.ts';

/** Puts all figures back where they started, shows their texts and takes all roles. */
export function reset(state: FieldState, making: Making): Decision {
  const places = startPlaces([...state.figures.values()]);
  return {
    ...changeAllFigures(
      state,
      (figure) => ({
        ...places.get(figure.id),
        rotation: figure.startRotation,
        scale: figure.startScale,
        showText: true,
      }),
      making,
    ),
    roles: state.roles.map((role) => ({ ...roleKey(role), to: 'none' })),
  };
}

/**
 * The place of each figure of a field after a reset: its start place. If several share one, the oldest figure gets it
 * and the others are put beside it. Start places count as shared if the smaller figure would be half covered. Depends
 * only on the figures, so that a second reset changes nothing.
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
  // A search in vain for each of hundreds would block the server for a second: once a figure finds no space, none of
  // its size or larger searches again.
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
