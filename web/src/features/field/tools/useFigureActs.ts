/** The tools' acts on a figure. */
import {
  type FieldAct,
  type Figure,
  type MovableBy,
  normalizeRotation,
  SCALE_MAX,
  SCALE_MIN,
  toggledIconType,
} from '@fieldroom/contract/field';
import type { Person } from '@fieldroom/contract/clients';
import { placeInside } from '../drawing/figures/placeInside.ts';
import { caption, holdersOf } from '../figureLabels.ts';
import type { IconLibrary } from '../icons/iconLibrary.ts';
import { shownOf, useFieldStore } from '../useField.ts';

const TURN_DEGREES = 15;
const SIZE_STEP = 0.1;

interface Given {
  figure: Figure;
  people?: readonly Person[];
  library?: IconLibrary;
}

export type FigureActs = ReturnType<typeof useFigureActs>;

/** Takes the figure, and the data for its size on the field: who has its role, and the sizes of own icons. */
export function useFigureActs({ figure, people = [], library }: Given) {
  const store = useFieldStore();
  const { id: figureId } = figure;
  const act = (done: FieldAct) => void store.act(done);
  // The tools are not redrawn when the figure moves: its place is read at the press.
  const standing = () => shownOf(store.get()).find(({ id }) => id === figureId);
  const now = () => standing() ?? figure;
  const turn = (degrees: number) =>
    act({ kind: 'place', figureId, rotation: normalizeRotation(now().rotation + degrees) });
  const resize = (by: number) => {
    const { x: fromX, y: fromY, rotation, scale: before } = now();
    const scale = Math.round(Math.min(SCALE_MAX, Math.max(SCALE_MIN, before + by)) * 100) / 100;
    if (scale === before) return;
    const size = figure.iconId === null ? undefined : library?.sizes.get(figure.iconId);
    // A figure that grows at an edge moves away from it, as with keys and fingers.
    const { x, y } = placeInside(
      { x: fromX, y: fromY, rotation, scale },
      { kind: figure.iconType, ...size, caption: caption(figure, holdersOf(figureId, people)) },
    );
    act({ kind: 'place', figureId, scale, ...(x === fromX && y === fromY ? {} : { x, y }) });
  };
  return {
    /** Whether the figure is still on the field. */
    isThere: () => standing() !== undefined,
    name(text: string) {
      const name = text.trim();
      if (name !== figure.name) act({ kind: 'edit', figureId, name });
    },
    color(color: string) {
      if (figure.color.toUpperCase() !== color) act({ kind: 'edit', figureId, color });
    },
    turnLeft: () => turn(-TURN_DEGREES),
    turnRight: () => turn(TURN_DEGREES),
    smaller: () => resize(-SIZE_STEP),
    larger: () => resize(SIZE_STEP),
    toggleText: () => act({ kind: 'toggleText', figureId }),
    canToggleKind: toggledIconType(figure.iconType) !== figure.iconType,
    toggleKind: () => act({ kind: 'toggleIconType', figureId }),
    reorder: (to: 'front' | 'forward' | 'backward' | 'back') => act({ kind: 'reorder', figureId, to }),
    movableBy(who: MovableBy) {
      if (who !== figure.movableBy) act({ kind: 'edit', figureId, movableBy: who });
    },
    role: (clientId: number, given: boolean) => act({ kind: given ? 'giveRole' : 'takeRole', clientId, figureId }),
    /** Returns the act's id; null if it cannot be kept, because too many acts are pending. */
    remove() {
      const removal = store.act({ kind: 'remove', figureId });
      return store.get().pending.some(({ actId }) => actId === removal) ? removal : null;
    },
  };
}
