/**
 * A field as it stands or stood: figures with names, places and gazes, seen as the room shows them at first, and
 * nothing to move. It fills its parent.
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
  /** What the picture is, for screen readers. */
  label: string;
  /** Names stand under the figures, also where the room hides them: the therapist alone sees this. */
  names: boolean;
  /** Each figure is said to screen readers too: name, kind, place and gaze. */
  described?: boolean;
  /** What lies behind the figures; null while nobody knows it. */
  ground: FieldGround | null;
  /** Chooses the view for these instead of the figures, so that it stays the same for several pictures. */
  fit?: readonly Figure[];
  /** Figures with a ring, by id; a text that is not empty stands beside it. */
  marks?: ReadonlyMap<number, string>;
  /** Figures that change their places glide there. Without motion for those who want none. */
  glide?: boolean;
}

/** The size in px that is drawn for until the box was measured. */
const UNMEASURED = { width: 720, height: 400 };
/** Width of the border around letters, px. A picture may have any colour behind each letter. */
const EDGE = 4;
const EDGE_ON_PICTURE = 7;
/** In a box that is narrower than this figures come closer to its edges, and leave no place for buttons; in px. */
const SMALL_BOX = 360;
const SMALL_MARGIN = 6;
/** As much as a ring needs. */
const SMALL_MARGIN_WITH_MARKS = 14;
/** Rings around marked figures, in px: their distance, their least radius, and the radius of the text's plate. */
const MARK_GAP = 5;
const MARK_LEAST = 14;
const BADGE = 10;

const NO_ICONS = { get: () => undefined };

const drawings = {
  image: (id: number) =>
    api.call(iconImage, { params: { therapistId: storage.get('user')?.id ?? 0, id } }) as Promise<Blob>,
};

/** What the drawing needs of each figure, with the own icons as they arrive. */
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

/** Turns from angle to angle the short way round. Returns the angles to draw, which may go beyond a full turn. */
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

/** Whether the view is the one that was drawn last. */
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
 * Places by style, which wins over the attribute, so that figures glide from one place to the next. When the view has
 * changed, nothing glides: the style is the same without the motion.
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

/** Rings around figures, with what is said of them on a plate. */
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
