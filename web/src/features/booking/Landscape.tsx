/** The picture of an event that has none: a quiet landscape in the palette's own colours, a little different for each event. */
import { memo, useId } from 'react';

const RIDGES = [
  'M0 214C150 232 250 196 420 190C560 184 640 132 720 132C800 132 900 190 1112 198V392H0Z',
  'M0 268C120 250 220 240 330 214C440 188 520 186 620 204C760 230 820 262 1112 262V392H0Z',
  'M0 290C170 262 280 270 400 300C540 336 690 344 830 336C940 330 1040 330 1112 322V392H0Z',
  'M0 352C120 366 220 386 330 392H0ZM860 392C960 376 1040 366 1112 360V392Z',
];

/** A tree as a drop, the shape of the mark. */
function Tree({ x, y, size }: { x: number; y: number; size: number }) {
  return (
    <g transform={`translate(${x} ${y}) scale(${size})`}>
      <path className="ev-land-trunk" d="M-2.4 0V-34H2.4V0Z" />
      <path className="ev-land-tree" d="M0 -98C7 -98 11 -88 17 -78C26 -64 33 -56 33 -42A33 33 0 0 1 -33 -42C-33 -56 -26 -64 -17 -78C-11 -88 -7 -98 0 -98Z" />
      <path className="ev-land-shade" d="M0 -98C7 -98 11 -88 17 -78C26 -64 33 -56 33 -42A33 33 0 0 1 4 -9.3C10 -30 10 -66 0 -98Z" />
    </g>
  );
}

/** In: a number that gives each event its own light. Decoration: says nothing to a screen reader. */
export const Landscape = memo(function Landscape({ seed }: { seed: number }) {
  const sky = useId();
  const glow = useId();
  const turned = seed % 2 === 1;
  const sun = 560 + ((seed * 137) % 5) * 66;
  const height = 62 + ((seed * 53) % 4) * 16;
  return (
    <svg className="ev-land" viewBox="0 0 1112 392" preserveAspectRatio="xMidYMid slice" aria-hidden focusable="false">
      <defs>
        <linearGradient id={sky} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className="ev-land-high" />
          <stop offset="0.52" className="ev-land-low" />
        </linearGradient>
        <radialGradient id={glow}>
          <stop offset="0" className="ev-land-glow" />
          <stop offset="1" className="ev-land-glow" stopOpacity="0" />
        </radialGradient>
      </defs>
      <g transform={turned ? 'translate(1112 0) scale(-1 1)' : undefined}>
        <rect width="1112" height="392" fill={`url(#${sky})`} />
        <circle cx={sun} cy={height} r="260" fill={`url(#${glow})`} />
        <circle className="ev-land-sun" cx={sun} cy={height} r="40" />
        {RIDGES.map((ridge, index) => <path key={ridge} className={`ev-land-ridge ev-land-ridge-${index}`} d={ridge} />)}
        <Tree x={852} y={312} size={0.68} />
        <Tree x={891} y={310} size={0.5} />
        <Tree x={228} y={374} size={0.92} />
        <Tree x={298} y={378} size={0.64} />
      </g>
    </svg>
  );
});
