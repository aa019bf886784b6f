/**
 * Everything that is drawn on the field, in its layers: background and rings, light, relations, figures, names, and
 * dragged figures on top.
 */
import { type ReactElement, useCallback, useMemo } from 'react';
import { BeamGradient, ringRadius, type Scheme } from '../../../ui/figures/index.ts';
import type { LineFollower } from '../relations/lineFollower.ts';
import type { FieldRenderer } from './fieldRenderer.ts';
import type { FieldViewProps, FigureOnField } from './fieldViewTypes.ts';
import {
  FigureBeam,
  FigureBody,
  FigureName,
  FocusRing,
  HeldRing,
  HeldShadow,
  SelectionRing,
} from './figures/FigureParts.tsx';
import { FIELD_HEIGHT, FIELD_WIDTH } from './geometry.ts';
import { NamedPointer } from './pointers/NamedPointer.tsx';
import styles from './FieldView.module.css';

const RINGS = [1, 2, 3, 4, 5, 6].map((n) => Math.round(150 * ringRadius(n)));

interface FieldLayersProps extends Pick<
  FieldViewProps,
  'selectedId' | 'showBeams' | 'showNames' | 'readOnly' | 'ground' | 'sightId'
> {
  renderer: FieldRenderer;
  /** Prefix of the ids of all elements. */
  uid: string;
  /** The figures in their painting order. */
  figures: readonly FigureOnField[];
  /** The scheme in which everything is drawn, see ground.ts. */
  scheme: Scheme;
  /** The figure that this person drags. */
  ownHold: number | null;
  /** The names of other people who hold figures, by figure. */
  holders: ReadonlyMap<number, string>;
  /** Who is pointing, by the person's id. */
  pointing: ReadonlyMap<number, string>;
  /** The figure that shows the keyboard's focus. */
  keyFocus: number | null;
  /** Relations and sight; null until they are fetched. */
  parts: typeof import('./laterParts.ts') | null;
  follower: LineFollower | undefined;
}

/**
 * Unchanged parts keep their element, so that React skips them: when a drag takes one figure of many, only that one is
 * drawn again.
 */
export function FieldLayers({
  renderer,
  uid,
  figures,
  scheme,
  selectedId,
  showBeams,
  showNames,
  readOnly = false,
  ground = null,
  sightId = null,
  ownHold,
  holders,
  pointing,
  keyFocus,
  parts,
  follower,
}: FieldLayersProps) {
  const relations = useMemo(() => parts?.relationsOnField(figures) ?? [], [parts, figures]);
  const colors = useMemo(() => [...new Set(figures.map((figure) => figure.color))].join(' '), [figures]);

  const lifted = useMemo(
    () => figures.filter((figure) => figure.id === ownHold || holders.has(figure.id)),
    [figures, ownHold, holders],
  );
  const standing = useMemo(
    () => (lifted.length === 0 ? figures : figures.filter((figure) => !lifted.includes(figure))),
    [figures, lifted],
  );
  const selected = selectedId === null ? undefined : figures.find((figure) => figure.id === selectedId);

  const beamOf = useKept(
    useCallback(
      (figure: FigureOnField) => (
        <FigureBeam key={figure.id} renderer={renderer} id={figure.id} light={lightOf(uid, figure.color)} />
      ),
      [renderer, uid],
    ),
  );
  const nameOf = useKept(
    useCallback(
      (figure: FigureOnField) =>
        figure.showText && figure.caption.trim() !== '' ? (
          <FigureName key={figure.id} renderer={renderer} id={figure.id} own={figure.own === true} />
        ) : null,
      [renderer],
    ),
  );
  const drawBody = useCallback(
    (figure: FigureOnField, isSelected = false, up = false) => (
      <FigureBody
        key={figure.id}
        renderer={renderer}
        id={figure.id}
        kind={figure.iconType}
        color={figure.color}
        scheme={scheme}
        iconUrl={figure.iconUrl}
        iconWidth={figure.iconWidth}
        iconHeight={figure.iconHeight}
        label={figure.label}
        selected={isSelected}
        movable={figure.movable && !readOnly}
        lifted={up}
        describedBy={helpId(uid)}
      />
    ),
    [renderer, scheme, readOnly, uid],
  );
  const plainBodyOf = useKept(useCallback((figure: FigureOnField) => drawBody(figure), [drawBody]));

  const standingBeams = useMemo(() => showBeams && standing.map(beamOf), [showBeams, standing, beamOf]);
  const standingNames = useMemo(() => showNames && standing.map(nameOf), [showNames, standing, nameOf]);
  const standingBodies = useMemo(
    () => standing.map((figure) => (figure.id === selectedId ? drawBody(figure, true) : plainBodyOf(figure))),
    [standing, selectedId, drawBody, plainBodyOf],
  );
  const lights = useMemo(() => <Lights uid={uid} colors={colors} scheme={scheme} />, [uid, colors, scheme]);

  return (
    <>
      {ground?.url ? (
        <img
          key={ground.url}
          className={styles.groundPicture}
          src={ground.url}
          alt=""
          decoding="sync"
          draggable={false}
        />
      ) : null}
      {/* Each layer is an SVG of its own, so that the browser keeps the paint of all resting figures during a
          drag. From below: 1 background and light, 2 light and shadow of held figures, 3 relations, if there
          are any, 4 resting figures, 5 held figures, 6 the names of resting figures, 7 the names of held
          figures and the marks around them. Names are above all figures, so that none is ever covered. */}
      <svg width="100%" height="100%" aria-hidden className={styles.quiet}>
        {lights}
        <g ref={renderer.attachWorld}>
          {RINGED_GROUND}
          {standingBeams}
        </g>
      </svg>
      <svg width="100%" height="100%" aria-hidden className={styles.quiet}>
        <g ref={renderer.attachWorld}>
          {showBeams && lifted.map(beamOf)}
          {parts && sightId !== null && figures.some(({ id }) => id === sightId) && (
            <parts.SightWedge renderer={renderer} figureId={sightId} />
          )}
        </g>
        {lifted.map((figure) => (
          <HeldShadow key={figure.id} renderer={renderer} id={figure.id} light={`${uid}shadow`} />
        ))}
      </svg>
      {parts && follower && relations.length > 0 && (
        <svg width="100%" height="100%" aria-hidden className={styles.quiet}>
          <g ref={renderer.attachNames}>
            <parts.RelationLayer follower={follower} relations={relations} scheme={scheme} words={showNames} />
          </g>
        </svg>
      )}
      <svg width="100%" height="100%">
        <g ref={renderer.attachWorld}>{standingBodies}</g>
      </svg>
      <svg width="100%" height="100%" className={styles.through}>
        <g ref={renderer.attachWorld}>{lifted.map((figure) => drawBody(figure, figure.id === selectedId, true))}</g>
      </svg>
      <svg width="100%" height="100%" aria-hidden className={styles.quiet}>
        <g ref={renderer.attachNames}>{standingNames}</g>
      </svg>
      <svg width="100%" height="100%" aria-hidden className={styles.through}>
        <g ref={renderer.attachNames} className={styles.quiet}>
          {showNames && lifted.map(nameOf)}
        </g>
        <g className={styles.quiet}>
          {lifted.map(
            (figure) =>
              figure.id !== ownHold && (
                <HeldRing key={figure.id} renderer={renderer} id={figure.id} by={holders.get(figure.id) ?? ''} />
              ),
          )}
          {keyFocus !== null && figures.some((figure) => figure.id === keyFocus) && (
            <FocusRing key={`focus${keyFocus}`} renderer={renderer} id={keyFocus} />
          )}
          {selected && (
            <SelectionRing
              key={`ring${selected.id}`}
              renderer={renderer}
              id={selected.id}
              handle={selected.movable && !readOnly}
            />
          )}
          {[...pointing].map(([id, name]) => (
            <NamedPointer key={id} renderer={renderer} id={id} name={name} />
          ))}
        </g>
      </svg>
    </>
  );
}

/** The id of the sentence that explains how keys move figures. */
export const helpId = (uid: string) => `${uid}help`;
const lightOf = (uid: string, color: string) => `${uid}beam${color.replace(/[^0-9a-z]/gi, '')}`;

/** The field's edges, which limit every drag, and the rings. */
const RINGED_GROUND = (
  <g className={styles.rings}>
    <rect className={styles.edgeLight} width={FIELD_WIDTH} height={FIELD_HEIGHT} rx={20} />
    <rect data-edges width={FIELD_WIDTH} height={FIELD_HEIGHT} rx={20} />
    {RINGS.map((r) => (
      <circle key={r} cx={FIELD_WIDTH / 2} cy={FIELD_HEIGHT / 2} r={r} />
    ))}
  </g>
);

/** One light for each colour (separated by spaces), and the shadow of held figures. */
function Lights({ uid, colors, scheme }: { uid: string; colors: string; scheme: FieldViewProps['scheme'] }) {
  return (
    <defs>
      {colors
        .split(' ')
        .filter(Boolean)
        .map((color) => (
          <BeamGradient key={color} id={lightOf(uid, color)} tone={color} scheme={scheme} />
        ))}
      <radialGradient id={`${uid}shadow`}>
        <stop offset={0.45} stopColor="#000" stopOpacity={scheme === 'dark' ? 0.6 : 0.3} />
        <stop offset={0.75} stopColor="#000" stopOpacity={scheme === 'dark' ? 0.3 : 0.14} />
        <stop offset={1} stopColor="#000" stopOpacity={0} />
      </radialGradient>
    </defs>
  );
}

/** The same element for the same figure: React skips it without comparing its props. */
function useKept(draw: (figure: FigureOnField) => ReactElement | null): (figure: FigureOnField) => ReactElement | null {
  return useMemo(() => {
    const kept = new WeakMap<FigureOnField, ReactElement | null>();
    return (figure) => {
      let element = kept.get(figure);
      if (element === undefined) kept.set(figure, (element = draw(figure)));
      return element;
    };
  }, [draw]);
}
