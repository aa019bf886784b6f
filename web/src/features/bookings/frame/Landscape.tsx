/**
 * The picture of an event without one: a quiet landscape in the palette's colours, with a different light for each
 * event.
 */
import { LANDSCAPE_SIZE, landscapeOf, MIST, RIDGES, SUN, TREE, TREES } from '@fieldroom/contract/landscape';
import { memo, useId } from 'react';
import styles from './Landscape.module.css';

/** The first is the landscape's own. */
const LIGHT_STYLES = ['', styles.light1, styles.light2];

function Tree({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`}>
      <path className={styles.trunk} d={TREE.trunk} />
      <path className={styles.tree} d={TREE.crown} />
      <path className={styles.shade} d={TREE.shade} />
    </g>
  );
}

/** A landscape in place of a picture; screen readers skip it. Takes the name of what it stands for. */
export const Landscape = memo(function Landscape({ name }: { name: string }) {
  const id = useId();
  const { width, height } = LANDSCAPE_SIZE;
  const { sun, light, mirrored } = landscapeOf(name);
  return (
    <svg
      className={`${styles.landscape} ${LIGHT_STYLES[light]}`}
      viewBox={`0 0 ${width} ${height}`}
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
            y1={MIST.from}
            x2="0"
            y2={MIST.to}
            gradientUnits="userSpaceOnUse"
          >
            <stop offset="0" className={far === 0 ? styles.far0 : styles.far1} />
            <stop offset="1" className={styles.mist} />
          </linearGradient>
        ))}
      </defs>
      <g transform={mirrored ? `translate(${width} 0) scale(-1 1)` : undefined}>
        <rect width={width} height={height} fill={`url(#${id}-sky)`} />
        <circle cx={sun.x} cy={sun.y} r={SUN.glow} fill={`url(#${id}-glow)`} />
        <circle className={styles.sun} cx={sun.x} cy={sun.y} r={SUN.radius} />
        {RIDGES.map((ridge, index) => (
          <path
            key={ridge}
            className={index === 2 ? styles.ridge2 : index === 3 ? styles.ridge3 : undefined}
            d={ridge}
            fill={index < 2 ? `url(#${id}-mist-${index})` : undefined}
          />
        ))}
        {TREES.map((tree) => (
          <Tree key={tree.x} {...tree} />
        ))}
      </g>
    </svg>
  );
});
