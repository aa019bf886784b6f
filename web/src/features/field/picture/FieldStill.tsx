/**
 * A present or past field: figures with names, places and gazes, in the room's initial view, without any controls. It
 * fills its parent.
 */
import { type Figure, iconImage } from '@fieldroom/contract/field';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useId, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { storage } from '../../../platform/storage.ts';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import { type Camera, screenRadius, toScreen, UNITS_PER_BOX } from '../drawing/geometry.ts';
import { type FieldGround, groundKind, groundLook } from '../drawing/ground.ts';
import { figureLabel, figureName } from '../figureLabels.ts';
import { useIconDrawings } from '../icons/iconLibrary.ts';
import { labelWithRelations } from '../relations/relationWords.ts';
import { type Placing, STILL, stillCamera, StillDrawing, type StillFigure, stillFigures } from './StillDrawing.tsx';
import styles from './FieldStill.module.css';

export interface FieldStillProps {
  figures: readonly Figure[];
  /** The description of the picture, for screen readers. */
  label: string;
  /** Names are under the figures, even if the room hides them: only the therapist sees this. */
  names: boolean;
  /** Each figure is also read out: name, kind, place and gaze. */
  described?: boolean;
  /** The background; null while it is not known. */
  ground: FieldGround | null;
  /** Chooses the view for these instead of the figures, so that several pictures share it. */
  fit?: readonly Figure[];
  /** Figures with a ring, by id; a non-empty text is shown beside it. */
  marks?: ReadonlyMap<number, string>;
  /** Moved figures glide. Without motion for people who prefer none. */
  glide?: boolean;
}

/** The size in px to draw for until the box was measured. */
const UNMEASURED = { width: 720, height: 400 };
/** Width of the border around letters, px. A picture may have any colour behind each letter. */
const EDGE = 4;
const EDGE_ON_PICTURE = 7;
/** In a narrower box figures come closer to its edges, and leave no space for buttons; in px. */
const SMALL_BOX = 360;
const SMALL_MARGIN = 6;
/** The space for a ring. */
const SMALL_MARGIN_WITH_MARKS = 14;
/** Rings around marked figures, in px: their distance, their minimum radius, and the radius of the text's plate. */
const MARK_GAP = 5;
const MARK_LEAST = 14;
const BADGE = 10;

const NO_ICONS = { get: () => undefined };

const drawings = {
  image: (id: number) =>
    api.call(iconImage, { params: { therapistId: storage.get('user')?.id ?? 0, id } }) as Promise<Blob>,
};

/** The drawing's data of each figure, with own icons as they arrive. */
function useDrawnFigures(figures: readonly Figure[]) {
  const worn = useMemo(() => figures.flatMap(({ iconId }) => (iconId === null ? [] : [iconId])), [figures]);
  const { urls, drawn } = useIconDrawings(drawings, worn);
  return useMemo(
    () =>
      stillFigures(figures, {
        get: (iconId) => ({ url: urls.get(iconId) ?? null, width: undefined, height: undefined, ...drawn.get(iconId) }),
      }),
    [figures, urls, drawn],
  );
}

/** Rotates from angle to angle the short way round. Returns the angles to draw, which may exceed a full turn. */
function useShortTurns(figures: readonly Figure[]): ReadonlyMap<number, number> {
  const drawn = useRef<ReadonlyMap<number, number>>(new Map());
  const next = new Map(
    figures.map(({ id, rotation }) => {
      const before = drawn.current.get(id) ?? rotation;
      return [id, before + ((((rotation - before) % 360) + 540) % 360) - 180];
    }),
  );
  useEffect(() => {
    drawn.current = next;
  });
  return next;
}

/** Whether the view is the last drawn one. */
function useSameView({ k, tx, ty }: Camera): boolean {
  const view = `${k} ${tx} ${ty}`;
  const drawn = useRef(view);
  const same = drawn.current === view;
  useEffect(() => {
    drawn.current = view;
  });
  return same;
}

/**
 * Places by style, which overrides the attribute, so that figures glide from one place to the next. After a change of
 * the view, nothing glides: the style is the same without the transition.
 */
function glidingBy(turns: ReadonlyMap<number, number>, sameView: boolean): Placing {
  const className = sameView ? (styles.glide ?? '') : '';
  return {
    figure: (figure) => {
      const { id, x, y, rotation, scale } = figure;
      const transform = `translate(${x}px, ${y}px) rotate(${turns.get(id) ?? rotation}deg) scale(${UNITS_PER_BOX * scale})`;
      return { ...STILL.figure(figure), className, style: { transform } };
    },
    point: (at) => ({ ...STILL.point(at), className, style: { transform: `translate(${at.x}px, ${at.y}px)` } }),
    path: { className },
  };
}

/**
 * Used by dashboard, design, constellations, moments and past live sessions. Own icons appear as they arrive. The
 * drawing fits the box's measured size.
 */
export function FieldStill({
  figures,
  label,
  names,
  described = false,
  ground,
  fit,
  marks,
  glide = false,
}: FieldStillProps) {
  const { t } = useTranslation('field');
  const appearance = useAppearance();
  const { scheme, style } = groundLook(ground, appearance.scheme);
  const uid = useId();
  const box = useElementSize();
  const drawn = useDrawnFigures(figures);
  const size = box.width > 0 && box.height > 0 ? { width: box.width, height: box.height } : UNMEASURED;
  const small = size.width < SMALL_BOX;
  const view = {
    size,
    figures: drawn,
    captionOf: ({ name }: Figure) => (names ? name : ''),
    fit: fit && stillFigures(fit, NO_ICONS),
    ...(small ? { free: 0, margin: marks ? SMALL_MARGIN_WITH_MARKS : SMALL_MARGIN } : {}),
  };
  const gliding = glidingBy(useShortTurns(drawn), useSameView(stillCamera(view)));
  const placing = glide ? { placing: gliding } : {};
  const nameOf = (id: number) => {
    const other = figures.find((figure) => figure.id === id);
    return other && figureName(t, other);
  };
  const above = marks
    ? (camera: Camera) => <Marks figures={drawn} marks={marks} camera={camera} {...placing} />
    : undefined;

  return (
    <div
      ref={box.ref}
      className={styles.still}
      style={style}
      data-scheme={appearance.scheme}
      data-ground={groundKind(ground)}
      role={described ? 'group' : 'img'}
      aria-label={label}
    >
      {ground?.url ? (
        <img key={ground.url} className={styles.groundPicture} src={ground.url} alt="" decoding="sync" />
      ) : null}
      <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden focusable="false">
        <StillDrawing
          {...view}
          wordOf={({ word }) => (names ? word : '')}
          gazes
          scheme={scheme}
          ink="var(--fr-text)"
          edge="var(--fr-field-edge)"
          edgeWidth={ground?.url ? EDGE_ON_PICTURE : EDGE}
          uid={uid}
          marked
          above={above}
          {...placing}
        />
      </svg>
      {described ? (
        <ul className="fr-hidden">
          {drawn.map((figure) => (
            <li key={figure.id}>{labelWithRelations(t, figureLabel(t, figure), figure.relations, nameOf)}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

interface MarksProps {
  figures: readonly StillFigure[];
  marks: ReadonlyMap<number, string>;
  camera: Camera;
  placing?: Placing;
}

/** Rings around figures, with their text on a plate. */
function Marks({ figures, marks, camera, placing }: MarksProps) {
  return figures.map(({ id, x, y, radius, scale }) => {
    const mark = marks.get(id);
    if (mark === undefined) return null;
    const r = Math.max(MARK_LEAST, screenRadius(radius, scale, camera.k) + MARK_GAP);
    const at = toScreen(camera, { x, y });
    return (
      <g
        key={id}
        {...(placing ? placing.point(at) : { transform: `translate(${at.x} ${at.y})` })}
        data-mark={mark}
        data-marks={id}
      >
        <circle className={styles.mark} r={r} />
        {mark === '' ? null : (
          <g transform={`translate(${r * 0.72} ${-r * 0.72})`}>
            <circle className={styles.badge} r={BADGE} />
            <text className={styles.badgeText} dy="0.35em">
              {mark}
            </text>
          </g>
        )}
      </g>
    );
  });
}
