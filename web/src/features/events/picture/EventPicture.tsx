/** An event's picture, or a quiet landscape of our own if it has none, chosen by the event's id or name. */
import { useId, useState } from 'react';
import styles from './EventPicture.module.css';

/** Sky above, sky below, light, three hills from far to near. Like a picture, it is the same in light and dark. */
const LANDSCAPES = [
  ['#cfe3ea', '#f6e3cf', '#fff3d6', '#b3c9c6', '#7fa09a', '#45685f'],
  ['#b9bcd6', '#f2d3c4', '#ffe9cf', '#a39bb8', '#76709a', '#474770'],
  ['#cfe0ee', '#e9f1f4', '#ffffff', '#a9c3d4', '#6f98b3', '#3b6484'],
  ['#dfe9da', '#f7f0d0', '#fff8da', '#c0cfae', '#93ad82', '#58794f'],
] as const;

/** A stable number for a name. */
function seedOf(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) as number)) % 9973;
  return sum;
}

export interface EventPictureProps {
  /** Address of the picture; null draws a landscape. */
  address: string | null;
  /** Decides which landscape is shown. */
  seed: string | number;
  /** Words for the picture; left out if the name is beside it. */
  alt?: string;
  /**
   * It is visible as soon as the page is drawn: fetched at once and before other pictures, not when it scrolls into
   * view.
   */
  first?: boolean;
  className?: string | undefined;
}

/**
 * Used wherever an event is shown: lists, form, public pages. A picture that fails to load is replaced by the
 * landscape.
 */
export function EventPicture({ address, seed, alt = '', first = false, className }: EventPictureProps) {
  // Each picture has a gradient of its own. A sky filled by another picture's gradient stays empty when that one
  // is hidden.
  const id = useId();
  const [broken, setBroken] = useState<string | null>(null);
  const box = className ? `${styles.picture} ${className}` : styles.picture;
  if (address !== null && broken !== address)
    return (
      <img
        className={box}
        src={address}
        alt={alt}
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : 'auto'}
        decoding="async"
        onError={() => setBroken(address)}
      />
    );
  const colors = LANDSCAPES[seedOf(String(seed)) % LANDSCAPES.length] ?? LANDSCAPES[0];
  const [high, low, sun, far, middle, near] = colors;
  return (
    <svg className={box} viewBox="0 0 384 216" preserveAspectRatio="xMidYMid slice" aria-hidden focusable="false">
      <defs>
        <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor={high} />
          <stop offset="0.72" stopColor={low} />
        </linearGradient>
      </defs>
      <rect width="384" height="216" fill={`url(#${id})`} />
      <circle cx="262" cy="78" r="64" fill={sun} opacity="0.35" />
      <circle cx="262" cy="78" r="27" fill={sun} opacity="0.9" />
      <path d="M0 128 C52 96 96 104 140 118 S226 146 274 120 S352 96 384 112 V216 H0Z" fill={far} />
      <path d="M0 158 C60 132 118 142 176 156 S300 170 384 138 V216 H0Z" fill={middle} />
      <path d="M0 186 C74 168 150 198 232 184 S340 170 384 180 V216 H0Z" fill={near} />
      <g fill={near}>
        <path d="M86 158 v14" stroke={near} strokeWidth="2.5" />
        <ellipse cx="86" cy="147" rx="9" ry="13" />
        <path d="M107 160 v12" stroke={near} strokeWidth="2" />
        <ellipse cx="107" cy="153" rx="6.5" ry="9.5" />
      </g>
    </svg>
  );
}
