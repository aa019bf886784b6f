/** The renderer's view of the figures on the field: places, sizes, and how each takes part in placing names. */
import { NAME_RANK } from '../../names/nameText.ts';
import type { FieldViewProps, FigureOnField } from '../fieldViewTypes.ts';
import { radiusOf } from './figureExtent.ts';
import type { DrawnFigure } from './figureSlot.ts';

interface Shown extends Pick<FieldViewProps, 'selectedId' | 'showNames' | 'readOnly'> {
  /** The figure that this person drags. */
  ownHold: number | null;
  /** The names of other people who hold figures, by figure. */
  holders: ReadonlyMap<number, string>;
}

/** Takes figures, and which of them are held, selected and shown. Returns them as the renderer takes them. */
export function drawnFigures(
  figures: readonly FigureOnField[],
  { ownHold, holders, selectedId, showNames, readOnly = false }: Shown,
): DrawnFigure[] {
  return figures.map((figure) => {
    const { id, x, y, rotation, scale } = figure;
    const held = ownHold === id || holders.has(id);
    const selected = id === selectedId;
    return {
      id,
      x,
      y,
      rotation,
      scale,
      radius: radiusOf(figure),
      lifted: held,
      look: {
        rank: rankOf({ held, selected, own: figure.own }),
        caption: showNames && figure.showText ? figure.caption : '',
        hasFace: figure.iconType !== 'CUSTOM',
        handle: selected && figure.movable && !readOnly,
        heldBy: holders.get(id) ?? '',
      },
    };
  });
}

/** Whose name is placed first. */
function rankOf({ held, selected, own }: { held: boolean; selected: boolean; own: boolean | undefined }): number {
  if (held) return NAME_RANK.held;
  if (selected) return NAME_RANK.selected;
  return own ? NAME_RANK.own : NAME_RANK.other;
}
