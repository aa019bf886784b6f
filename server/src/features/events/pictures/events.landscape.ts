/**
 * The landscape of an event without a picture as an SVG, for messengers. Colours are those of the page in the default
 * palette, mixed beforehand (`web/src/features/bookings/frame/Landscape.module.css`): a picture cannot use styles.
 */
import { LANDSCAPE_SIZE, landscapeOf, MIST, RIDGES, SUN, TREE, TREES } from '@fieldroom/contract/landscape';

const COLOURS = {
  skyHigh: '#d4d9da',
  mist: '#d3d6ce',
  far: ['#99acba', '#6c868b'],
  near: ['#647f85', '#436670'],
  tree: '#2e5762',
  dark: '#0f2724',
} as const;
const GLOW_OPACITY = 0.85;
const SHADE_OPACITY = 0.45;
/** Sky and sun of each light. */
const SKIES = [
  { skyLow: '#f7dcc1', sun: '#fff0d6' },
  { skyLow: '#f3d6c7', sun: '#fff3e4' },
  { skyLow: '#dee6e4', sun: '#fffaf0' },
] as const;

/** Takes the event's name and the height in px; the width follows. The SVG does not contain the name. */
export function landscapeSvg(name: string, heightPx: number): string {
  const { width, height } = LANDSCAPE_SIZE;
  const { sun, light, mirrored } = landscapeOf(name);
  const sky = SKIES[light]!;
  const mist = (index: number) =>
    `<linearGradient id="mist-${index}" x1="0" y1="${MIST.from}" x2="0" y2="${MIST.to}" gradientUnits="userSpaceOnUse">` +
    `<stop offset="0" stop-color="${COLOURS.far[index]!}"/><stop offset="1" stop-color="${COLOURS.mist}"/></linearGradient>`;
  const ridge = (path: string, index: number) =>
    `<path d="${path}" fill="${index < 2 ? `url(#mist-${index})` : COLOURS.near[index - 2]!}"/>`;
  const tree = ({ x, y, size }: (typeof TREES)[number]) =>
    `<g transform="translate(${x} ${y}) scale(${size})"><path d="${TREE.trunk}" fill="${COLOURS.dark}"/>` +
    `<path d="${TREE.crown}" fill="${COLOURS.tree}"/>` +
    `<path d="${TREE.shade}" fill="${COLOURS.dark}" fill-opacity="${SHADE_OPACITY}"/></g>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil((width / height) * heightPx)}" height="${heightPx}" viewBox="0 0 ${width} ${height}">`,
    '<defs>',
    `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${COLOURS.skyHigh}"/><stop offset="0.52" stop-color="${sky.skyLow}"/></linearGradient>`,
    `<radialGradient id="glow"><stop offset="0" stop-color="${sky.sun}" stop-opacity="${GLOW_OPACITY}"/><stop offset="1" stop-color="${sky.sun}" stop-opacity="0"/></radialGradient>`,
    mist(0),
    mist(1),
    '</defs>',
    `<g${mirrored ? ` transform="translate(${width} 0) scale(-1 1)"` : ''}>`,
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>`,
    `<circle cx="${sun.x}" cy="${sun.y}" r="${SUN.glow}" fill="url(#glow)"/>`,
    `<circle cx="${sun.x}" cy="${sun.y}" r="${SUN.radius}" fill="${sky.sun}"/>`,
    ...RIDGES.map(ridge),
    ...TREES.map(tree),
    '</g></svg>',
  ].join('');
}
