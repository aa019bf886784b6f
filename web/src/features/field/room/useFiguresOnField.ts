/** Prepares the room's figures and people for the field's drawing and screen readers. */
import type { Person } from '@fieldroom/contract/clients';
import { type Figure, mayMove, type Mover, sameRelations } from '@fieldroom/contract/field';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { sameList } from '../../../platform/useStorePart.ts';
import type { FigureOnField } from '../drawing/index.ts';
import { caption, figureLabel, figureName, holdersOf } from '../figureLabels.ts';
import type { IconLibrary } from '../icons/iconLibrary.ts';
import { labelWithRelations } from '../relations/relationWords.ts';
import { useFieldPart, useShownFigures } from '../useField.ts';

/**
 * The figures with all words for the drawing. An unchanged figure keeps its object, and so does the list, so that React
 * draws only what changed. Takes the viewer, the clients in the room, whether nothing may be moved, and the therapist's
 * icons. Returns the figures in the store's order.
 */
export function useFiguresOnField({
  me,
  people,
  still,
  library,
}: {
  me: { id: number; mover: Mover };
  people: readonly Person[];
  still: boolean;
  library: IconLibrary;
}): readonly FigureOnField[] {
  const { t } = useTranslation('field');
  const shown = useShownFigures();
  const hands = useFieldPart((model) => model.field?.handsAllowed ?? true);
  // The words depend on these besides the figure itself: a change of one creates all again.
  const made = useMemo(() => {
    const holders = new Map<number, Person[]>();
    for (const id of new Set(people.flatMap((person) => person.roles))) holders.set(id, holdersOf(id, people));
    const known = new WeakMap<Figure, FigureOnField>();
    return (figure: Figure): FigureOnField => {
      let value = known.get(figure);
      if (!value) {
        value = onField(figure, holders.get(figure.id) ?? []);
        known.set(figure, value);
      }
      return value;
    };
    function onField(figure: Figure, held: readonly Person[]): FigureOnField {
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
        relations: figure.relations,
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

  /** The last figures with relations, by the figure without them, with the names in their labels. */
  const related = useRef(new WeakMap<FigureOnField, { names: readonly unknown[]; value: FigureOnField }>());
  const before = useRef<readonly FigureOnField[]>([]);
  return useMemo(() => {
    const known = new Map(before.current.map((figure) => [figure.id, figure]));
    // These words depend on other figures.
    const byId = shown.some(({ relations }) => relations.length > 0)
      ? new Map(shown.map((figure) => [figure.id, figure]))
      : null;
    const nameOf = (id: number) => {
      const other = byId?.get(id);
      return other && figureName(t, other);
    };
    const withRelations = (plain: FigureOnField, { relations }: Figure): FigureOnField => {
      const names = relations.map(({ to }) => nameOf(to));
      const kept = related.current.get(plain);
      if (kept && sameList(kept.names, names)) return kept.value;
      const value = { ...plain, label: labelWithRelations(t, plain.label, relations, nameOf) };
      related.current.set(plain, { names, value });
      return value;
    };
    const next = shown.map((figure) => {
      const plain = made(figure);
      const value = figure.relations.length === 0 ? plain : withRelations(plain, figure);
      const old = known.get(figure.id);
      return old && sameOnField(old, value) ? old : value;
    });
    if (!sameList(before.current, next)) before.current = next;
    return before.current;
  }, [shown, made, t]);
}

/** Whether the drawing would be the same. */
function sameOnField(a: FigureOnField, b: FigureOnField): boolean {
  if (a === b) return true;
  const keys = Object.keys(a) as (keyof FigureOnField)[];
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => (key === 'relations' ? sameRelations(a[key] ?? [], b[key] ?? []) : a[key] === b[key]))
  );
}

function iconOf(iconId: number, library: IconLibrary): Pick<FigureOnField, 'iconUrl' | 'iconWidth' | 'iconHeight'> {
  const size = library.sizes.get(iconId);
  return {
    iconUrl: library.urls.get(iconId) ?? null,
    ...(size ? { iconWidth: size.width, iconHeight: size.height } : {}),
  };
}
