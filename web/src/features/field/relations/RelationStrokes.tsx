/**
 * One relation's drawing, without classes, so that it is the same in the room, on a page and in a file. Its colour has
 * a dark edge and a light one around that, as figures have: one of the two is visible on every background.
 */
import type { SVGAttributes } from 'react';
import { type Scheme, toneOf } from '../../../ui/figures/index.ts';
import { NAME_SIZE } from '../names/nameText.ts';
import { GAP_WIDTHS, HEAD_WIDTHS, LINE_WIDTHS, type RelationLine, type RelationOnField } from './relationLine.ts';

interface RelationStrokesProps {
  relation: Pick<RelationOnField, 'kind' | 'color'>;
  scheme: Scheme;
  /** Its course; without it somebody else writes the positions. */
  line?: RelationLine;
  /** The size of names, px; by default the surrounding font size. */
  size?: number;
  /** Further props of every path. */
  path?: SVGAttributes<SVGPathElement>;
}

/**
 * Draws halo, edge and colour on top of one another; an arrow has a head, a double line a gap in its middle
 * (docs/product.md#5.35). Widths scale with the size of names.
 */
export function RelationStrokes({ relation: { kind, color }, scheme, line, size, path = {} }: RelationStrokesProps) {
  const { fill, outline, halo } = toneOf(color, scheme);
  const widths = kind === 'double' ? LINE_WIDTHS.double : LINE_WIDTHS.plain;
  const px = (width: number) => (size === undefined ? `${width / NAME_SIZE}em` : (width * size) / NAME_SIZE);
  const stroke = (tone: string, width: number) => (
    <path {...path} d={line?.path} data-stroke stroke={tone} strokeWidth={px(width)} />
  );
  const head = (tone: string, edge: string, width: number) => (
    <path {...path} d={line?.head} data-head fill={tone} stroke={edge} strokeWidth={px(width)} />
  );
  return (
    <g fill="none" strokeLinecap="round" strokeLinejoin="round">
      {stroke(halo, widths.halo)}
      {kind === 'arrow' && head(halo, halo, HEAD_WIDTHS.halo)}
      {stroke(outline, widths.outline)}
      {kind === 'arrow' && head(fill, outline, HEAD_WIDTHS.outline)}
      {stroke(fill, widths.colour)}
      {kind === 'double' && stroke(outline, GAP_WIDTHS.outline)}
      {kind === 'double' && stroke(halo, GAP_WIDTHS.halo)}
    </g>
  );
}
