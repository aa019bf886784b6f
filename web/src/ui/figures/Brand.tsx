/** The logo, and the rings behind pages that hold little. */
import { memo } from 'react';
import type { CSSProperties } from 'react';

export interface LogoProps {
  /** Width and height in px. */
  size?: number;
  /** Its name for screen readers; without one the mark is decoration (the word beside it is read). */
  title?: string;
  className?: string;
}

/** The mark: a disc of accent, a drop-shaped head seen from above, the beam in the direction in which it looks. */
export const Logo = memo(function Logo({ size = 30, title, className }: LogoProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 32 32"
      className={className}
      focusable="false"
      style={{ display: 'block', flex: 'none' }}
      {...(title ? { role: 'img', 'aria-label': title } : { 'aria-hidden': true })}
    >
      <circle cx={16} cy={16} r={16} fill="var(--fr-accent)" />
      <path d="M16 13.2L8.73 1.75A16 16 0 0 1 23.27 1.75Z" fill="var(--fr-on-accent)" fillOpacity={0.42} />
      <path
        d="M16 11.2C16.9 11.2 17.4 12.2 18.1 13.2C19.4 15 21.6 16.6 21.6 19.7A5.6 5.6 0 0 1 10.4 19.7C10.4 16.6 12.6 15 13.9 13.2C14.6 12.2 15.1 11.2 16 11.2Z"
        fill="var(--fr-on-accent)"
      />
    </svg>
  );
});

export interface RingsProps {
  /** Centre of the rings, in % of the box. */
  x?: number;
  y?: number;
  /** Radius of the first ring in px; each next one lies a little further out. */
  first?: number;
  count?: number;
  className?: string;
  style?: CSSProperties;
}

/** Radius of ring `n` (from 1) when the first is 1: the steps widen slowly, as on water. */
export const ringRadius = (n: number) => n * (0.95 + 0.05 * n);

/** The field's faint rings as a backdrop of public pages; fills its positioned parent and lets the pointer through. */
export const Rings = memo(function Rings({ x = 50, y = 50, first = 300, count = 6, className, style }: RingsProps) {
  return (
    <svg
      aria-hidden
      focusable="false"
      className={className}
      width="100%"
      height="100%"
      style={{ position: 'absolute', inset: 0, pointerEvents: 'none', overflow: 'hidden', ...style }}
    >
      {Array.from({ length: count }, (_, index) => (
        <circle
          key={index}
          cx={`${x}%`}
          cy={`${y}%`}
          r={first * ringRadius(index + 1)}
          fill="none"
          stroke="var(--fr-text)"
          strokeOpacity={0.05}
        />
      ))}
    </svg>
  );
});
