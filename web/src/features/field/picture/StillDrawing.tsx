/**
 * The content of a still picture of a field: rings, gazes, relations, names and figures. It is SVG content without
 * classes, so that it is the same on a page and in a file.
 */
import { type Figure, FIELD_HEIGHT, FIELD_WIDTH, type Relation } from '@fieldroom/contract/field';
import {
  BEAM_PATH,
  BeamGradient,
  boundingRadius,
  FigureShape,
  ringRadius,
  type Scheme,
} from '../../../ui/figures/index.ts';
import type { ReactNode, SVGAttributes } from 'react';
import { type Camera, screenRadius, type Point, type Size, toScreen, UNITS_PER_BOX } from '../drawing/geometry.ts';
import { fitFigures } from '../drawing/camera/views.ts';
import { NAME_LINE, nameExtent, nameLines, namePlace, nameSize } from '../names/nameText.ts';
import type { Box, Circle } from '../names/boxes.ts';
import { placeWords, wordKey } from '../names/placeWords.ts';
import { relationLine, relationsOnField, WORD_SIZE } from '../relations/relationLine.ts';
import { RelationStrokes } from '../relations/RelationStrokes.tsx';

/** An own icon, once it has arrived: its address, and its stored size in px. */
export interface StillIcon {
  url: string | null;
  width: number | undefined;
  height: number | undefined;
}

/** A figure with the data for its drawing. */
export interface StillFigure extends Figure {
  icon: StillIcon | null;
  radius: number;
}

/** Takes the figures, and own icons by id. Returns the figures in their painting order. */
export function stillFigures(
  figures: readonly Figure[],
  icons: { get(iconId: number): StillIcon | undefined },
): StillFigure[] {
  return figures
    .toSorted((a, b) => a.order - b.order || a.id - b.id)
    .map((figure) => {
      const icon = figure.iconId === null ? null : (icons.get(figure.iconId) ?? null);
      return { ...figure, icon, radius: boundingRadius(figure.iconType, icon?.width, icon?.height) };
    });
}

/** Places a figure, and an element at a place in px. */
export interface Placing {
  figure(figure: Figure): SVGAttributes<SVGElement>;
  point(at: Point): SVGAttributes<SVGElement>;
  /** Further props of a line's paths. */
  path?: SVGAttributes<SVGPathElement>;
}

/** Places them without motion. */
export const STILL: Placing = {
  figure: ({ x, y, rotation, scale }) => ({
    transform: `translate(${x} ${y}) rotate(${rotation}) scale(${UNITS_PER_BOX * scale})`,
  }),
  point: ({ x, y }) => ({ transform: `translate(${x} ${y})` }),
};

export interface StillDrawingProps {
  /** Width and height of the drawing in px. */
  size: Size;
  figures: readonly StillFigure[];
  /** The text under a figure; empty for none. */
  captionOf(figure: Figure): string;
  /** The word at the line of a relation; an empty text for none. */
  wordOf(relation: Pick<Relation, 'word'>): string;
  gazes: boolean;
  /** px at the top and the bottom that stay free for buttons; by default as in the room. */
  free?: number;
  /** px from the edges of the box; by default as in the room. */
  margin?: number | undefined;
  /** The view is that of these figures, so that several drawings share it. */
  fit?: readonly StillFigure[] | undefined;
  placing?: Placing;
  /** Drawn above everything, in px. */
  above?: ((camera: Camera) => ReactNode) | undefined;
  scheme: Scheme;
  /** Colours of letters, and of the border around them. */
  ink: string;
  edge: string;
  edgeWidth: number;
  /** The typeface of names; by default that of the page. */
  font?: string;
  /** Prefix of the ids of gradients, which must be unique in the page. */
  uid: string;
  /** Figures have their ids, by which a page finds them. */
  marked?: boolean;
}

const RINGS = [1, 2, 3, 4, 5, 6].map((n) => 150 * ringRadius(n));

type View = Pick<StillDrawingProps, 'size' | 'figures' | 'captionOf' | 'free' | 'margin' | 'fit'>;

/** The view in which a still picture shows its figures. */
export function stillCamera({ size, figures, captionOf, free, margin, fit }: View): Camera {
  return fitFigures(
    size,
    (fit ?? figures).map((figure) => ({
      x: figure.x,
      y: figure.y,
      radius: figure.radius * UNITS_PER_BOX * figure.scale,
      name: nameExtent(captionOf(figure)),
    })),
    { free, margin },
  );
}

/** How names and words are written: with a border in the colour of the background. */
const lettering = ({ ink, edge, edgeWidth, font }: Pick<StillDrawingProps, 'ink' | 'edge' | 'edgeWidth' | 'font'>) =>
  ({
    fill: ink,
    stroke: edge,
    strokeWidth: edgeWidth,
    strokeLinejoin: 'round',
    paintOrder: 'stroke',
    textAnchor: 'middle',
    fontWeight: 550,
    ...(font === undefined ? {} : { fontFamily: font }),
  }) as const;

/**
 * Draws in px, in this order: rings of the background, gazes, relations, names, figures. The caller provides the `svg`
 * element.
 */
export function StillDrawing(props: StillDrawingProps) {
  const { figures, captionOf, gazes, scheme, ink, uid, marked = false } = props;
  const { placing = STILL, above } = props;
  const named = figures.map((figure) => ({ figure, caption: captionOf(figure) }));
  const camera = stillCamera(props);
  const { k, tx, ty } = camera;
  const fontSize = nameSize(k);
  const colors = gazes ? [...new Set(figures.map(({ color }) => color))] : [];
  const lightOf = (color: string) => `${uid}${color.replace(/[^0-9a-z]/gi, '')}`;

  return (
    <>
      <defs>
        {colors.map((color) => (
          <BeamGradient key={color} id={lightOf(color)} tone={color} scheme={scheme} />
        ))}
      </defs>
      <g transform={`translate(${tx} ${ty}) scale(${k})`}>
        <g fill="none" stroke={ink} strokeOpacity={0.05} strokeWidth={1 / k}>
          {RINGS.map((radius) => (
            <circle key={radius} cx={FIELD_WIDTH / 2} cy={FIELD_HEIGHT / 2} r={radius} />
          ))}
        </g>
        {gazes
          ? figures.map((figure) => (
              <g key={figure.id} {...placing.figure(figure)}>
                <path d={BEAM_PATH} fill={`url(#${lightOf(figure.color)})`} />
              </g>
            ))
          : null}
      </g>
      <Relations {...props} camera={camera} placing={placing} fontSize={fontSize} />
      <g {...lettering(props)} fontSize={fontSize}>
        {named.map(({ figure: { id, x, y, radius, scale }, caption }) => {
          if (caption === '') return null;
          const at = namePlace(toScreen(camera, { x, y }), screenRadius(radius, scale, k), fontSize);
          return (
            <text key={id} {...placing.point(at)}>
              {nameLines(caption).map((line, index) => (
                <tspan key={index} x={0} dy={index === 0 ? 0 : '1.2em'}>
                  {line}
                </tspan>
              ))}
            </text>
          );
        })}
      </g>
      <g transform={`translate(${tx} ${ty}) scale(${k})`}>
        {figures.map((figure) => (
          <g key={figure.id} {...placing.figure(figure)} {...(marked ? { 'data-figure': figure.id } : {})}>
            <FigureShape
              kind={figure.iconType}
              tone={figure.color}
              scheme={scheme}
              iconUrl={figure.icon?.url}
              iconWidth={figure.icon?.width}
              iconHeight={figure.icon?.height}
            />
          </g>
        ))}
      </g>
      {above?.(camera)}
    </>
  );
}

interface RelationsProps extends StillDrawingProps {
  camera: Camera;
  placing: Placing;
  fontSize: number;
}

/** The box of a name below its figure; none for no name. */
function nameBox(caption: string, circle: Circle, fontSize: number): Box[] {
  const extent = nameExtent(caption);
  if (!extent) return [];
  const { x, top } = namePlace(circle, circle.radius, fontSize);
  const half = (extent.width * fontSize) / 2;
  return [{ left: x - half, top, right: x + half, bottom: top + extent.lines * NAME_LINE * fontSize }];
}

/** The lines between figures, each with its word, which covers no name. */
function Relations(props: RelationsProps) {
  const { figures, scheme, camera, placing, fontSize, wordOf, captionOf, size } = props;
  const circles = new Map(
    figures.map(({ id, x, y, radius, scale }) => [
      id,
      { ...toScreen(camera, { x, y }), radius: screenRadius(radius, scale, camera.k) },
    ]),
  );
  const lines = relationsOnField(figures).flatMap((relation) => {
    const line = relationLine(circles.get(relation.from)!, circles.get(relation.to)!, relation, fontSize);
    return line ? [{ relation, line, from: relation.from, to: relation.to, word: wordOf(relation) }] : [];
  });
  const words = lines.flatMap(({ line: { curve }, ...rest }) => (rest.word === '' ? [] : [{ ...rest, curve }]));
  const names = figures.flatMap((figure) => nameBox(captionOf(figure), circles.get(figure.id)!, fontSize));
  const places = placeWords(words, { ...size, font: fontSize, names, bodies: [...circles.values()] }, new Map());
  return (
    <>
      {lines.map(({ relation, line }) => (
        <RelationStrokes
          key={wordKey(relation)}
          relation={relation}
          scheme={scheme}
          line={line}
          size={fontSize}
          path={placing.path ?? {}}
        />
      ))}
      {/* Above all lines, so that none crosses out a word. */}
      <g {...lettering(props)} fontSize={fontSize * WORD_SIZE}>
        {[...places].map(([key, place]) => (
          <text key={key} {...placing.point(place)} dy="0.35em">
            {place.text}
          </text>
        ))}
      </g>
    </>
  );
}
