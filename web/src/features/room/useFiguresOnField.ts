/** From the room's figures and people to what the field draws and screen readers say. */
import type { Person } from '@fieldroom/contract/clients';
import type { Participant } from '@fieldroom/contract/field';
import { mayMove, type Mover } from '@fieldroom/contract/field.rules';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { FigureOnField } from '../field/drawing/index.ts';
import type { IconLibrary } from './icons.ts';
import { caption, figureLabel, holdersOf } from './labels.ts';
import { sameList, useRoomPart, useShownFigures } from './useRoom.ts';

/**
 * The figures with all words the drawing needs. A figure that looks as before keeps its object, and so does the list, so
 * that React draws only what changed; what did not change in the store is not even looked at.
 * In: who looks on, whether everything stands still, the own icons. Out: the figures, in the store's order.
 */
export function useFiguresOnField({
  me,
  still,
  library,
}: {
  me: { id: number; mover: Mover };
  still: boolean;
  library: IconLibrary;
}): readonly FigureOnField[] {
  const { t } = useTranslation('field');
  const shown = useShownFigures();
  const people = useRoomPart((model) => model.people);
  const hands = useRoomPart((model) => model.field?.handsAllowed ?? true);
  // Whatever the words hang on besides the figure itself: another of these, and all are made anew.
  const made = useMemo(() => {
    const holders = new Map<number, Person[]>();
    for (const id of new Set(people.flatMap((person) => person.roles))) holders.set(id, holdersOf(id, people));
    const known = new WeakMap<Participant, FigureOnField>();
    return (figure: Participant): FigureOnField => {
      let value = known.get(figure);
      if (!value) {
        value = onField(figure, holders.get(figure.id) ?? []);
        known.set(figure, value);
      }
      return value;
    };
    function onField(figure: Participant, held: readonly Person[]): FigureOnField {
      const label = figureLabel(t, figure);
      return {
        id: figure.id,
        name: figure.name,
        iconType: figure.iconType,
        color: figure.color,
        showText: figure.showText,
        x: figure.x,
        y: figure.y,
        rotation: figure.rotation,
        scale: figure.scale,
        order: figure.order,
        movable: !still && mayMove(me.mover, figure, hands),
        own: held.some((person) => person.id === me.id),
        label: held.length
          ? t('figureHolders', { label, holders: held.map((person) => person.name).join(', ') })
          : label,
        caption: caption(figure, held),
        ...(figure.iconId === null ? {} : iconOf(figure.iconId, library)),
      };
    }
  }, [people, hands, still, me, t, library]);

  const before = useRef<readonly FigureOnField[]>([]);
  return useMemo(() => {
    const known = new Map(before.current.map((figure) => [figure.id, figure]));
    const next = shown.map((figure) => {
      const value = made(figure);
      const old = known.get(figure.id);
      return old && sameOnField(old, value) ? old : value;
    });
    if (!sameList(before.current, next)) before.current = next;
    return before.current;
  }, [shown, made]);
}

/** Whether the drawing would be the same. */
function sameOnField(a: FigureOnField, b: FigureOnField): boolean {
  if (a === b) return true;
  const keys = Object.keys(a) as (keyof FigureOnField)[];
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

function iconOf(iconId: number, library: IconLibrary): Pick<FigureOnField, 'iconUrl' | 'iconWidth' | 'iconHeight'> {
  const icon = library.icons?.find((candidate) => candidate.id === iconId);
  return {
    iconUrl: library.urls.get(iconId) ?? null,
    ...(icon ? { iconWidth: icon.width, iconHeight: icon.height } : {}),
  };
}
