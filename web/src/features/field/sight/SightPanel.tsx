/** The figures in a figure's sight, as a list (docs/product.md#5.36). Only this person sees it. */
import type { Figure } from '@fieldroom/contract/field';
import { IconX } from '@tabler/icons-react';
import { type RefObject, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FieldViewHandle } from '../drawing/index.ts';
import { figureName } from '../figureLabels.ts';
import { focusField } from '../room/SkipToField.tsx';
import { useShownFigures } from '../useField.ts';
import { type InSight, inSight } from './inSight.ts';
import styles from './Sight.module.css';

/** How often the list is updated during drags, ms. */
const LOOK_MS = 250;

export interface SightPanelProps {
  figureId: number;
  view: RefObject<FieldViewHandle | null>;
  onClose(): void;
}

/**
 * Takes the id of the figure that looks, and the field's view, which knows the positions of dragged figures. Closes on
 * Escape, and when the figure is removed.
 */
export function SightPanel({ figureId, view, onClose }: SightPanelProps) {
  const figures = useShownFigures();
  const from = figures.find(({ id }) => id === figureId);
  // The figure has gone.
  const gone = from === undefined;
  useEffect(() => {
    if (gone) onClose();
  }, [gone, onClose]);
  useEscape(onClose);
  const region = useRef<HTMLElement>(null);
  useFocusWhileOpen(region);
  return from ? <Panel ref={region} from={from} figures={figures} view={view} onClose={onClose} /> : null;
}

/** Takes the focus once, and returns it to the element that had it, or to the field, unless it has moved elsewhere. */
function useFocusWhileOpen(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const opener = document.activeElement;
    region.current?.focus({ preventScroll: true });
    return () => {
      if (document.activeElement !== document.body) return;
      if (opener instanceof HTMLElement || opener instanceof SVGElement) opener.focus({ preventScroll: true });
      // The opener was removed, or does nothing without a role.
      if (document.activeElement === document.body) focusField();
    };
  }, [region]);
}

function useEscape(onClose: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // Dialogs and menus close first.
      const inside = (event.target as Element | null)?.closest?.('[role=dialog], [role=menu]');
      if (event.key === 'Escape' && !event.defaultPrevented && !inside) onClose();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [onClose]);
}

interface PanelProps extends Pick<SightPanelProps, 'view' | 'onClose'> {
  ref: RefObject<HTMLElement | null>;
  from: Figure;
  figures: readonly Figure[];
}

function Panel({ ref, from, figures, view, onClose }: PanelProps) {
  const { t } = useTranslation('relations');
  const { t: tf } = useTranslation('field');
  const heading = useId();
  /** The list resizes inside this box, so the view of the figures stays still. */
  const place = useRef<HTMLDivElement>(null);
  const seen = useSight(from, figures, view);
  const byId = useMemo(() => new Map(figures.map((figure) => [figure.id, figure])), [figures]);
  const name = figureName(tf, from);
  useLayoutEffect(() => (place.current ? view.current?.fitBeside(place.current) : undefined), [view]);
  return (
    <div ref={place} className={styles.place}>
      <section
        ref={ref}
        className={styles.panel}
        aria-labelledby={heading}
        // Screen readers start to read here, and Escape is handled.
        tabIndex={-1}
        data-room="sight"
      >
        <header>
          <h2 id={heading}>{t('sight.title', { name })}</h2>
          <button type="button" aria-label={t('sight.close')} title={t('sight.close')} onClick={onClose}>
            <IconX size={20} stroke={1.75} aria-hidden />
          </button>
        </header>
        {seen.length === 0 ? (
          <p role="status">{t('sight.nobody')}</p>
        ) : (
          // Safari reads a list without markers as none unless its role says so. What scrolls must be reached by keys.
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-redundant-roles
          <ol role="list" tabIndex={0} aria-labelledby={heading}>
            {seen.map(({ id, range, side }) => {
              const figure = byId.get(id);
              return figure ? (
                <li key={id}>
                  <i style={{ background: figure.color }} aria-hidden />
                  <strong dir="auto">{figureName(tf, figure)}</strong>{' '}
                  <span>
                    {[tf(`kindLong.${figure.iconType}`), t(`sight.range.${range}`), t(`sight.side.${side}`)].join(
                      ' · ',
                    )}
                  </span>
                </li>
              ) : null;
            })}
          </ol>
        )}
        <p className={styles.mine}>{t('sight.onlyMe')}</p>
      </section>
    </div>
  );
}

/** The figures in sight, as the field draws them now; the same list while its text is the same. */
function useSight(from: Figure, figures: readonly Figure[], view: RefObject<FieldViewHandle | null>): InSight[] {
  const [seen, setSeen] = useState(() => inSight(from, figures));
  useEffect(() => {
    const look = () => {
      const placeOf = (figure: Figure) => ({ ...figure, ...view.current?.drawnAt(figure.id) });
      const next = inSight(placeOf(from), figures.map(placeOf));
      setSeen((before) => (sameReading(before, next) ? before : next));
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [from, figures, view]);
  return seen;
}

const sameReading = (a: readonly InSight[], b: readonly InSight[]): boolean =>
  a.length === b.length &&
  a.every((one, index) => {
    const other = b[index] as InSight;
    return one.id === other.id && one.range === other.range && one.side === other.side;
  });
