import { Beam, FigureShape, Rings } from './figures/index.ts';
import type { DrawnKind } from './figures/index.ts';
import styles from './FieldPicture.module.css';

interface Standing {
  kind: DrawnKind;
  tone: string;
  x: number;
  y: number;
  turn: number;
  scale: number;
}
/** A small constellation in a box of 680 × 840: six look at one another, one looks in from the edge. */
const STANDING: readonly Standing[] = [
  { kind: 'STAR', tone: '#EFDA71', x: 340, y: 128, turn: 178, scale: 0.72 },
  { kind: 'MALE_FIGURE', tone: '#2B549D', x: 198, y: 284, turn: 62, scale: 0.98 },
  { kind: 'FEMALE_FIGURE', tone: '#953300', x: 482, y: 248, turn: 216, scale: 0.98 },
  { kind: 'MALE_FIGURE', tone: '#4C7E58', x: 380, y: 456, turn: 344, scale: 0.98 },
  { kind: 'FEMALE_FIGURE', tone: '#886AC1', x: 574, y: 440, turn: 266, scale: 0.92 },
  { kind: 'MALE_SQUARE', tone: '#2E2E2E', x: 104, y: 498, turn: 66, scale: 0.8 },
  { kind: 'FEMALE_CIRCLE', tone: '#D7739C', x: 252, y: 612, turn: 22, scale: 0.84 },
];

/** The lit floor with figures on it: the picture beside the sign-in form. Decoration, hidden from screen readers. */
export function FieldPicture({ scheme, caption }: { scheme: 'light' | 'dark'; caption?: string }) {
  return (
    <div className={styles.floor}>
      <Rings x={50} y={45} first={106} count={7} />
      <svg
        className={styles.figures}
        viewBox="0 0 680 840"
        preserveAspectRatio="xMidYMid meet"
        aria-hidden
        focusable="false"
      >
        {STANDING.map(({ tone, x, y, turn, scale }) => (
          <g key={tone} transform={`translate(${x} ${y}) rotate(${turn}) scale(${scale})`}>
            <Beam tone={tone} scheme={scheme} />
          </g>
        ))}
        {STANDING.map(({ kind, tone, x, y, turn, scale }) => (
          <g key={tone} transform={`translate(${x} ${y}) rotate(${turn}) scale(${scale})`}>
            <FigureShape kind={kind} tone={tone} scheme={scheme} />
          </g>
        ))}
      </svg>
      {caption ? <p className={styles.caption}>{caption}</p> : null}
    </div>
  );
}
