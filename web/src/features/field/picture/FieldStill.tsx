/**
 * A field as it stands or stood: figures with names, places and gazes, seen as the room shows them at first, and
 * nothing to move. It fills its parent.
 */
import { type Figure, FIELD_HEIGHT, FIELD_WIDTH, iconImage } from '@fieldroom/contract/field';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useId, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { storage } from '../../../platform/storage.ts';
import { BEAM_PATH, BeamGradient, boundingRadius, FigureShape, ringRadius } from '../../../ui/figures/index.ts';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import {
  fitFigures,
  nameExtent,
  nameLines,
  namePlace,
  nameSize,
  screenRadius,
  toScreen,
  UNITS_PER_BOX,
} from '../drawing/geometry.ts';
import { type FieldGround, groundKind, groundLook } from '../drawing/ground.ts';
import { figureLabel } from '../figureLabels.ts';
import { useIconDrawings } from '../icons/iconLibrary.ts';
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
/** In a box that is narrower than this figures come closer to its edges; in px. */
const SMALL_BOX = 260;
const SMALL_MARGIN = 6;
/** Rings around marked figures, in px: their distance, their least radius, and the radius of the text's plate. */
const MARK_GAP = 5;
const MARK_LEAST = 14;
const BADGE = 10;
const RINGS = [1, 2, 3, 4, 5, 6].map((n) => 150 * ringRadius(n));

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
      figures
        .toSorted((a, b) => a.order - b.order || a.id - b.id)
        .map((figure) => {
          const size = figure.iconId === null ? undefined : drawn.get(figure.iconId);
          return {
            ...figure,
            iconUrl: figure.iconId === null ? undefined : (urls.get(figure.iconId) ?? null),
            iconWidth: size?.width,
            iconHeight: size?.height,
            radius: boundingRadius(figure.iconType, size?.width, size?.height),
          };
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

/** Whether the view is the one that was drawn last: in another view nothing glides from where it was. */
function useSameView({ k, tx, ty }: { k: number; tx: number; ty: number }): boolean {
  const view = `${k} ${tx} ${ty}`;
  const drawn = useRef(view);
  const same = drawn.current === view;
  useEffect(() => {
    drawn.current = view;
  });
  return same;
}

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
  const seen = fit ? fit.map((figure) => ({ ...figure, radius: boundingRadius(figure.iconType) })) : drawn;
  const camera = fitFigures(
    size,
    seen.map(({ x, y, radius, scale, name }) => ({
      x,
      y,
      radius: radius * UNITS_PER_BOX * scale,
      name: names && name !== '' ? nameExtent(name) : null,
    })),
    size.width < SMALL_BOX ? SMALL_MARGIN : undefined,
  );
  const turns = useShortTurns(drawn);
  const sameView = useSameView(camera);
  const motion = glide && sameView ? styles.glide : undefined;
  const { k, tx, ty } = camera;
  const font = nameSize(k);
  const colors = [...new Set(drawn.map(({ color }) => color))];
  const lightOf = (color: string) => `${uid}${color.replace('#', '')}`;
  const inField = (figure: Figure) => {
    const factor = UNITS_PER_BOX * figure.scale;
    const transform = `translate(${figure.x} ${figure.y}) rotate(${figure.rotation}) scale(${factor})`;
    if (!glide) return { transform };
    const turned = `translate(${figure.x}px, ${figure.y}px) rotate(${turns.get(figure.id)}deg) scale(${factor})`;
    return { transform, className: motion, style: { transform: turned } };
  };
  /** What moves with a figure on the screen, in px from its place there. */
  const onScreen = (at: { x: number; y: number }) =>
    glide
      ? { className: motion, style: { transform: `translate(${at.x}px, ${at.y}px)` } }
      : { transform: `translate(${at.x} ${at.y})` };

  return (
    <div
      ref={box.ref}
      className={styles.still}
      style={style}
      data-scheme={appearance.scheme}
      data-ground={groundKind(ground)}
      data-picture={ground?.url ? true : undefined}
      role={described ? 'group' : 'img'}
      aria-label={label}
    >
      {ground?.url ? (
        <img key={ground.url} className={styles.groundPicture} src={ground.url} alt="" decoding="sync" />
      ) : null}
      <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden focusable="false">
        <defs>
          {colors.map((color) => (
            <BeamGradient key={color} id={lightOf(color)} tone={color} scheme={scheme} />
          ))}
        </defs>
        <g transform={`translate(${tx} ${ty}) scale(${k})`}>
          {RINGS.map((radius) => (
            <circle key={radius} className={styles.ring} cx={FIELD_WIDTH / 2} cy={FIELD_HEIGHT / 2} r={radius} />
          ))}
          {drawn.map((figure) => (
            <g key={figure.id} {...inField(figure)}>
              <path d={BEAM_PATH} fill={`url(#${lightOf(figure.color)})`} />
            </g>
          ))}
        </g>
        {names
          ? drawn.map(({ id, x, y, radius, scale, name }) => {
              const at = namePlace(toScreen(camera, { x, y }), screenRadius(radius, scale, k), font);
              return (
                <g key={id} {...onScreen(at)}>
                  <text className={styles.name} fontSize={font}>
                    {nameLines(name).map((line, index) => (
                      <tspan key={index} x={0} dy={index === 0 ? 0 : '1.2em'}>
                        {line}
                      </tspan>
                    ))}
                  </text>
                </g>
              );
            })
          : null}
        <g transform={`translate(${tx} ${ty}) scale(${k})`}>
          {drawn.map((figure) => (
            <g key={figure.id} {...inField(figure)} data-figure={figure.id}>
              <FigureShape
                kind={figure.iconType}
                tone={figure.color}
                scheme={scheme}
                iconUrl={figure.iconUrl}
                iconWidth={figure.iconWidth}
                iconHeight={figure.iconHeight}
              />
            </g>
          ))}
        </g>
        {marks
          ? drawn.map(({ id, x, y, radius, scale }) => {
              const mark = marks.get(id);
              if (mark === undefined) return null;
              const r = Math.max(MARK_LEAST, screenRadius(radius, scale, k) + MARK_GAP);
              return (
                <g key={id} {...onScreen(toScreen(camera, { x, y }))} data-mark={mark} data-marks={id}>
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
            })
          : null}
      </svg>
      {described ? (
        <ul className="fr-hidden">
          {drawn.map((figure) => (
            <li key={figure.id}>{figureLabel(t, figure)}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
