/**
 * The field as it is saved (docs/product.md#5.30): one self-contained SVG. The dialog shows exactly the file's content.
 */
import type { Figure, Relation } from '@fieldroom/contract/field';
import type { Ref } from 'react';
import { StillDrawing, type StillFigure } from '../StillDrawing.tsx';
import type { PictureLook } from './pictureLook.ts';

/** The size of the whole field on a typical desktop, px, so that names have the same size as in the room. */
export const PICTURE_SIZE = { width: 960, height: 600 };
/** Width of the border around letters, px: a plate on a picture, which may have any colour behind each letter. */
const EDGE = 4;
const EDGE_ON_PICTURE = 9;
/** Other programs do not have our typeface. */
const FONT = "Figtree, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Noto Sans', sans-serif";
/** Ids contain only numbers and colours. */
const UID = 'light-';
const LIT = 'lit';

export interface PictureDrawingProps {
  ref?: Ref<SVGSVGElement>;
  figures: readonly StillFigure[];
  captionOf(figure: Figure): string;
  wordOf(relation: Pick<Relation, 'word'>): string;
  gazes: boolean;
  look: PictureLook;
  /** The background's picture as `data:` address. */
  groundUrl: string | null;
}

/**
 * Drawn in the dialog that saves the picture, and read from there as the file. `captionOf` returns the name that a
 * figure has in the picture, empty for none, and `wordOf` the word of a relation; so the caller decides which names are
 * written (docs/product.md#5.31). It shows the whole field, `PICTURE_SIZE` large.
 */
export function PictureDrawing({ ref, figures, captionOf, wordOf, gazes, look, groundUrl }: PictureDrawingProps) {
  const { width, height } = PICTURE_SIZE;
  const { field, lit } = look;
  return (
    <svg ref={ref} xmlns="http://www.w3.org/2000/svg" viewBox={`0 0 ${width} ${height}`} aria-hidden focusable="false">
      <rect width={width} height={height} fill={field.color} fillOpacity={field.opacity} />
      {lit ? (
        <>
          <radialGradient id={LIT} cx="50%" cy="50%" r="75%">
            <stop offset={0} stopColor={lit.color} stopOpacity={lit.opacity} />
            <stop offset={1} stopColor={lit.color} stopOpacity={0} />
          </radialGradient>
          <rect width={width} height={height} fill={`url(#${LIT})`} />
        </>
      ) : null}
      {groundUrl ? <image href={groundUrl} width={width} height={height} preserveAspectRatio="xMidYMid slice" /> : null}
      <StillDrawing
        size={PICTURE_SIZE}
        figures={figures}
        captionOf={captionOf}
        wordOf={wordOf}
        gazes={gazes}
        free={0}
        scheme={look.scheme}
        ink={look.ink}
        edge={look.edge}
        edgeWidth={groundUrl ? EDGE_ON_PICTURE : EDGE}
        font={FONT}
        uid={UID}
      />
    </svg>
  );
}
