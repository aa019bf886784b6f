/**
 * The picture of an event that has none: a quiet landscape in the palette's own colours, in a light of its own for each
 * event.
 */
import { memo, useId } from 'react';
import styles from './Landscape.module.css';

/** From far to near; the two far ones fade into mist. */
const RIDGES = [
  'M0 214C150 232 250 196 420 190C560 184 640 132 720 132C800 132 900 190 1112 198V392H0Z',
  'M0 268C120 250 220 240 330 214C440 188 520 186 620 204C760 230 820 262 1112 262V392H0Z',
  'M0 290C170 262 280 270 400 300C540 336 690 344 830 336C940 330 1040 330 1112 322V392H0Z',
  'M0 352C120 366 220 386 330 392H0ZM860 392C960 376 1040 366 1112 360V392Z',
];
/** The first is the landscape's own. */
const LIGHTS = ['', styles.light1, styles.light2];

/** A tree as a drop, the shape of the mark. */
function Tree({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`}>
      <path className={styles.trunk} d="M-2.4 0V-34H2.4V0Z" />
      <path
        className={styles.tree}
        d="M0 -98C7 -98 11 -88 17 -78C26 -64 33 -56 33 -42A33 33 0 0 1 -33 -42C-33 -56 -26 -64 -17 -78C-11 -88 -7 -98 0 -98Z"
      />
      <path
        className={styles.shade}
        d="M0 -98C7 -98 11 -88 17 -78C26 -64 33 -56 33 -42A33 33 0 0 1 4 -9.3C10 -30 10 -66 0 -98Z"
      />
    </g>
  );
}

/** A number from a text, the same each time. */
function numberOf(text: string): number {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum;
}

/**
 * A landscape in place of a picture; screen readers skip it. Takes the name of what it stands for: the same name gets
 * the same landscape everywhere.
 */
export const Landscape = memo(function Landscape({ name }: { name: string }) {
  const id = useId();
  const seed = numberOf(name);
  const sun = 500 + (seed % 5) * 62;
  const height = 60 + ((seed >> 3) % 4) * 14;
  return (
    <svg
      className={`${styles.landscape} ${LIGHTS[(seed >> 5) % LIGHTS.length]}`}
      viewBox="0 0 1112 392"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden
      focusable="false"
    >
      <defs>
        <linearGradient id={`${id}-sky`} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className={styles.skyHigh} />
          <stop offset="0.52" className={styles.skyLow} />
        </linearGradient>
        <radialGradient id={`${id}-glow`}>
          <stop offset="0" className={styles.glow} />
          <stop offset="1" className={`${styles.glow} ${styles.clear}`} />
        </radialGradient>
        {[0, 1].map((far) => (
          <linearGradient
            key={far}
            id={`${id}-mist-${far}`}
            x1="0"
            y1="130"
            x2="0"
            y2="350"
            gradientUnits="userSpaceOnUse"
          >
            <stop offset="0" className={far === 0 ? styles.far0 : styles.far1} />
            <stop offset="1" className={styles.mist} />
          </linearGradient>
        ))}
      </defs>
      <g transform={seed % 2 === 1 ? 'translate(1112 0) scale(-1 1)' : undefined}>
        <rect width="1112" height="392" fill={`url(#${id}-sky)`} />
        <circle cx={sun} cy={height} r="290" fill={`url(#${id}-glow)`} />
        <circle className={styles.sun} cx={sun} cy={height} r="40" />
        {RIDGES.map((ridge, index) => (
          <path
            key={ridge}
            className={index === 2 ? styles.ridge2 : index === 3 ? styles.ridge3 : undefined}
            d={ridge}
            fill={index < 2 ? `url(#${id}-mist-${index})` : undefined}
          />
        ))}
        <Tree x={762} y={306} size={0.62} />
        <Tree x={797} y={303} size={0.45} />
        <Tree x={338} y={346} size={0.86} />
        <Tree x={402} y={350} size={0.6} />
      </g>
    </svg>
  );
});
