/**
 * The pictures of the demo's events: soft hills under a low sun. They are drawn here and rendered once, when the demo
 * is filled.
 */
import { loadSharp } from '../platform/files/pictures.ts';

const WIDTH = 1600;
const HEIGHT = 800;

interface Landscape {
  /** Top and horizon of the sky. */
  readonly sky: readonly [string, string];
  readonly sun: { readonly x: number; readonly y: number; readonly r: number; readonly color: string };
  /** From the farthest to the nearest. `points` are heights from left to right, 0 at the top and 1 at the bottom. */
  readonly hills: readonly { readonly color: string; readonly points: readonly number[] }[];
  /** Which hill it stands on, and how far to the right. */
  readonly trees: readonly {
    readonly hill: number;
    readonly at: number;
    readonly size: number;
    readonly color: string;
    readonly shade: string;
  }[];
  readonly water?: { readonly from: number; readonly color: string };
}

export const LANDSCAPES = {
  morning: {
    sky: ['#e9e4d6', '#f6dcc0'],
    sun: { x: 1010, y: 190, r: 74, color: '#fdeccb' },
    hills: [
      { color: '#b7c8c6', points: [0.5, 0.52, 0.47, 0.44, 0.34, 0.4, 0.48, 0.5] },
      { color: '#93adab', points: [0.64, 0.6, 0.52, 0.48, 0.55, 0.64, 0.67, 0.66] },
      { color: '#6b8d86', points: [0.74, 0.69, 0.68, 0.75, 0.82, 0.84, 0.83, 0.81] },
      { color: '#4b6f67', points: [0.88, 0.95, 1.02, 1.04, 1.04, 1.03, 0.97, 0.92] },
    ],
    trees: [
      { hill: 2, at: 0.2, size: 150, color: '#35544e', shade: '#2a4640' },
      { hill: 2, at: 0.265, size: 104, color: '#3f605a', shade: '#33514b' },
      { hill: 1, at: 0.74, size: 84, color: '#4f746d', shade: '#446760' },
      { hill: 1, at: 0.775, size: 62, color: '#55796f', shade: '#4a6d64' },
    ],
  },
  river: {
    sky: ['#dfe6ea', '#f1e7d3'],
    sun: { x: 420, y: 230, r: 58, color: '#fff4da' },
    hills: [
      { color: '#c3cfd3', points: [0.42, 0.38, 0.43, 0.5, 0.49, 0.44, 0.4, 0.43] },
      { color: '#a0b4b0', points: [0.55, 0.57, 0.52, 0.5, 0.56, 0.6, 0.55, 0.52] },
      { color: '#7d9a86', points: [0.66, 0.62, 0.64, 0.67, 0.65, 0.61, 0.63, 0.66] },
      { color: '#587a63', points: [0.98, 0.93, 0.96, 1.02, 1.05, 1.02, 0.94, 0.86] },
    ],
    water: { from: 0.72, color: '#b9cfd6' },
    trees: [
      { hill: 2, at: 0.62, size: 92, color: '#4c6f57', shade: '#40614b' },
      { hill: 2, at: 0.66, size: 120, color: '#44664f', shade: '#395844' },
      { hill: 2, at: 0.71, size: 80, color: '#507459', shade: '#44664d' },
      { hill: 3, at: 0.93, size: 170, color: '#36553f', shade: '#2c4835' },
    ],
  },
  evening: {
    sky: ['#4f5f7f', '#e8b79a'],
    sun: { x: 1180, y: 370, r: 66, color: '#ffe0b0' },
    hills: [
      { color: '#8d86a0', points: [0.56, 0.52, 0.55, 0.5, 0.46, 0.5, 0.56, 0.54] },
      { color: '#6c6d8b', points: [0.66, 0.68, 0.62, 0.6, 0.64, 0.68, 0.64, 0.6] },
      { color: '#4d5573', points: [0.8, 0.75, 0.74, 0.79, 0.82, 0.79, 0.76, 0.78] },
      { color: '#363d58', points: [0.92, 0.95, 0.98, 0.95, 0.91, 0.94, 0.98, 0.99] },
    ],
    trees: [
      { hill: 2, at: 0.36, size: 130, color: '#2d3450', shade: '#252b44' },
      { hill: 3, at: 0.82, size: 190, color: '#262c45', shade: '#1f243a' },
    ],
  },
  meadow: {
    sky: ['#d8e6e4', '#f7edcf'],
    sun: { x: 800, y: 170, r: 62, color: '#fff2c4' },
    hills: [
      { color: '#bcd0b4', points: [0.52, 0.46, 0.44, 0.48, 0.53, 0.5, 0.45, 0.47] },
      { color: '#9abb8f', points: [0.62, 0.65, 0.6, 0.55, 0.58, 0.64, 0.66, 0.62] },
      { color: '#7aa271', points: [0.76, 0.72, 0.75, 0.8, 0.78, 0.73, 0.71, 0.75] },
      { color: '#5d8757', points: [0.94, 0.97, 0.93, 0.9, 0.93, 0.98, 1.0, 0.96] },
    ],
    trees: [
      { hill: 1, at: 0.45, size: 90, color: '#5f8a58', shade: '#537b4d' },
      { hill: 2, at: 0.13, size: 140, color: '#4b7446', shade: '#40653c' },
      { hill: 2, at: 0.87, size: 116, color: '#517a4b', shade: '#466c41' },
    ],
  },
} as const satisfies Record<string, Landscape>;
export type LandscapeName = keyof typeof LANDSCAPES;

/** A soft line through evenly spaced heights (Catmull-Rom as cubic Béziers). */
function ridge(points: readonly number[]): string {
  const step = WIDTH / (points.length - 1);
  const at = (index: number): [number, number] => [
    index * step,
    points[Math.min(Math.max(index, 0), points.length - 1)]! * HEIGHT,
  ];
  const pair = ([x, y]: [number, number]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const curves = points.slice(1).map((_, index) => {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    return `C${pair([from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6])} ${pair([to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6])} ${pair(to)}`;
  });
  return `M${pair(at(0))}${curves.join('')}`;
}

/**
 * Height of a ridge at a share of the width, straight between its points: close enough for the foot of a tree.
 */
function heightAt(points: readonly number[], share: number): number {
  const place = share * (points.length - 1);
  const left = Math.floor(place);
  const [from, to] = [points[left]!, points[Math.min(left + 1, points.length - 1)]!];
  return (from + (to - from) * (place - left)) * HEIGHT;
}

function tree(landscape: Landscape, { hill, at, size, color, shade }: Landscape['trees'][number]): string {
  const x = at * WIDTH;
  const foot = heightAt(landscape.hills[hill]!.points, at) + size * 0.06;
  const top = foot - size;
  const half = size * 0.36;
  const crown = `M${x} ${top}c${half * 0.9} 0 ${half} ${size * 0.3} ${half} ${size * 0.46}c0 ${size * 0.24} ${-half * 0.4} ${size * 0.32} ${-half} ${size * 0.32}`;
  return `<rect x="${x - size * 0.025}" y="${foot - size * 0.3}" width="${size * 0.05}" height="${size * 0.3}" fill="${shade}"/>
    <path d="${crown}c${-half * 0.6} 0 ${-half} ${-size * 0.08} ${-half} ${-size * 0.32}c0 ${-size * 0.16} ${half * 0.1} ${-size * 0.46} ${half} ${-size * 0.46}z" fill="${color}"/>
    <path d="${crown}z" fill="${shade}" opacity=".55"/>`;
}

/** How far each hill fades into the horizon's colour at its foot; the farthest ones fade most. */
const MIST = [0.75, 0.65, 0.3, 0] as const;

/** Mixes two colours. Takes both as `#rrggbb`, and the share of the second. */
function mixed(from: string, to: string, share: number): string {
  const parts = [1, 3, 5].map((at) =>
    Math.round(
      Number.parseInt(from.slice(at, at + 2), 16) * (1 - share) + Number.parseInt(to.slice(at, at + 2), 16) * share,
    ),
  );
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the drawing as SVG. */
function landscapeSvg(name: LandscapeName): string {
  const landscape: Landscape = LANDSCAPES[name];
  const { sky, sun, hills, trees, water } = landscape;
  const layers = hills.map(({ color, points }, index) => {
    const standing = trees
      .filter(({ hill }) => hill === index)
      .map((one) => tree(landscape, one))
      .join('');
    // Each hill is lighter at the ridge of the hill before it, as if there were mist between them.
    const ground = `<path d="${ridge(points)}V${HEIGHT}H0Z" fill="url(#hill${index})"/>`;
    const lake =
      water && index === hills.length - 2
        ? `<rect y="${water.from * HEIGHT}" width="${WIDTH}" height="${HEIGHT}" fill="${water.color}"/>`
        : '';
    const low = mixed(color, sky[1], MIST[Math.min(index, MIST.length - 1)]!);
    return {
      defs: `<linearGradient id="hill${index}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${color}"/><stop offset="1" stop-color="${low}"/></linearGradient>`,
      markup: `${ground}${standing}${lake}`,
    };
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
    <defs>
      <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${sky[0]}"/><stop offset=".6" stop-color="${sky[1]}"/></linearGradient>
      <radialGradient id="glow"><stop offset="0" stop-color="${sun.color}" stop-opacity=".75"/><stop offset="1" stop-color="${sun.color}" stop-opacity="0"/></radialGradient>
      ${layers.map(({ defs }) => defs).join('')}
    </defs>
    <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#sky)"/>
    <circle cx="${sun.x}" cy="${sun.y}" r="${sun.r * 5}" fill="url(#glow)"/>
    <circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill="${sun.color}"/>
    ${layers.map(({ markup }) => markup).join('')}
  </svg>`;
}

/** A first start waits for the pictures. This takes half the time of the default effort, for a tenth more bytes. */
const QUICK_WEBP = { quality: 82, effort: 2 } as const;

/** Returns the drawing as WebP, as pictures of events are kept. */
export async function landscape(name: LandscapeName): Promise<Buffer> {
  const sharp = await loadSharp();
  return sharp(Buffer.from(landscapeSvg(name)))
    .webp(QUICK_WEBP)
    .toBuffer();
}
