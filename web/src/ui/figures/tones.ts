/**
 * Colours of the figures. The twelve named ones are values of record, checked for colour-blind distance and contrast.
 * Any other colour gets its tones in the same way. A very dark outline over a very light halo: one of the two shows on
 * any background. A very light face: the gaze is visible from afar.
 */
export type Scheme = 'light' | 'dark';

/** The colours of one figure; every value is `#RRGGBB`. */
export interface Tone {
  fill: string;
  outline: string;
  halo: string;
  face: string;
  shade: string;
  eye: string;
}

interface FigureColour {
  /** Key of the colour's name; pages translate it. */
  name: string;
  fill: string;
  light: Omit<Tone, 'fill'>;
  dark: Omit<Tone, 'fill'>;
}

export const FIGURE_COLOURS: readonly FigureColour[] = [
  {
    name: 'Chalk',
    fill: '#F4F3F3',
    light: { outline: '#3E3D3D', halo: '#FFFFFF', face: '#F6F5F5', shade: '#D6D5D5', eye: '#201F1F' },
    dark: { outline: '#100F0F', halo: '#F3EEE6', face: '#F6F5F5', shade: '#D6D5D5', eye: '#201F1F' },
  },
  {
    name: 'Straw',
    fill: '#EFDA71',
    light: { outline: '#473D07', halo: '#FFFFFF', face: '#FEF6CC', shade: '#D2BD50', eye: '#241F07' },
    dark: { outline: '#121006', halo: '#F3EEE6', face: '#FEF6CC', shade: '#D2BD50', eye: '#241F07' },
  },
  {
    name: 'Apricot',
    fill: '#D7A065',
    light: { outline: '#55350D', halo: '#FFFFFF', face: '#FEF3E8', shade: '#BA8448', eye: '#2C1B09' },
    dark: { outline: '#150E06', halo: '#F3EEE6', face: '#FEF3E8', shade: '#BA8448', eye: '#2C1B09' },
  },
  {
    name: 'Brick',
    fill: '#953300',
    light: { outline: '#3F1505', halo: '#FFFFFF', face: '#FED3C4', shade: '#B0512C', eye: '#2F1810' },
    dark: { outline: '#170C09', halo: '#F3EEE6', face: '#FED3C4', shade: '#B0512C', eye: '#2F1810' },
  },
  {
    name: 'Rose',
    fill: '#D7739C',
    light: { outline: '#592C3F', halo: '#FFFFFF', face: '#FEF1F5', shade: '#BA5781', eye: '#2E1720' },
    dark: { outline: '#160C10', halo: '#F3EEE6', face: '#FEF1F5', shade: '#BA5781', eye: '#2E1720' },
  },
  {
    name: 'Plum',
    fill: '#6F2764',
    light: { outline: '#2D0B28', halo: '#FFFFFF', face: '#F6D1ED', shade: '#89437D', eye: '#2B1827' },
    dark: { outline: '#150C13', halo: '#F3EEE6', face: '#F6D1ED', shade: '#89437D', eye: '#2B1827' },
  },
  {
    name: 'Lilac',
    fill: '#886AC1',
    light: { outline: '#42345D', halo: '#FFFFFF', face: '#E2D7FF', shade: '#6E4FA5', eye: '#221B30' },
    dark: { outline: '#100E17', halo: '#F3EEE6', face: '#E2D7FF', shade: '#6E4FA5', eye: '#221B30' },
  },
  {
    name: 'Ink blue',
    fill: '#2B549D',
    light: { outline: '#0E2244', halo: '#FFFFFF', face: '#CDDFFE', shade: '#466FB7', eye: '#141F32' },
    dark: { outline: '#0A1018', halo: '#F3EEE6', face: '#CDDFFE', shade: '#466FB7', eye: '#141F32' },
  },
  {
    name: 'Sky',
    fill: '#4BA8E2',
    light: { outline: '#11415E', halo: '#FFFFFF', face: '#ECF7FE', shade: '#268CC5', eye: '#0B2230' },
    dark: { outline: '#071117', halo: '#F3EEE6', face: '#ECF7FE', shade: '#268CC5', eye: '#0B2230' },
  },
  {
    name: 'Mint',
    fill: '#7BD6C3',
    light: { outline: '#00483E', halo: '#FFFFFF', face: '#D9FFF5', shade: '#5BB9A7', eye: '#042520' },
    dark: { outline: '#06120F', halo: '#F3EEE6', face: '#D9FFF5', shade: '#5BB9A7', eye: '#042520' },
  },
  {
    name: 'Moss',
    fill: '#4C7E58',
    light: { outline: '#1A4426', halo: '#FFFFFF', face: '#C5E9CC', shade: '#31643F', eye: '#102515' },
    dark: { outline: '#09120B', halo: '#F3EEE6', face: '#C5E9CC', shade: '#31643F', eye: '#102515' },
  },
  {
    name: 'Coal',
    fill: '#2E2E2E',
    light: { outline: '#1B1B1B', halo: '#FFFFFF', face: '#DEDEDE', shade: '#454545', eye: '#1F1F1F' },
    dark: { outline: '#0F0F0F', halo: '#F3EEE6', face: '#DEDEDE', shade: '#454545', eye: '#1F1F1F' },
  },
];

/** Halo of every figure: white on the light ground, warm paper on the dark one, where pure white would glare. */
const HALO: Record<Scheme, string> = { light: '#FFFFFF', dark: '#F3EEE6' };

/** Used when a stored colour can't be read. */
const FALLBACK_FILL = '#4C7E58';

/** A little above the required 10:1, so that rounding to 8 bits never falls below it. */
const OUTLINE_CONTRAST = 10.2;

interface Oklch {
  l: number;
  c: number;
  h: number;
}

const channels = (hex: string): [number, number, number] => [
  parseInt(hex.slice(1, 3), 16) / 255,
  parseInt(hex.slice(3, 5), 16) / 255,
  parseInt(hex.slice(5, 7), 16) / 255,
];

const toLinear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const fromLinear = (v: number) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055);

/**
 * Normalises a colour to `#RRGGBB`.
 * @param colour `#rgb` or `#rrggbb`, any case
 * @returns the normal form, or null if it is not a colour
 */
export function normalHex(colour: string): string | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(colour);
  if (short) return `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}`.toUpperCase();
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour.toUpperCase() : null;
}

/** Relative luminance of a `#RRGGBB` colour, 0..1 (WCAG 2.2, "relative luminance"). */
function luminance(hex: string): number {
  const [r, g, b] = channels(hex);
  return 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);
}

/** Contrast of two `#RRGGBB` colours, 1..21 (WCAG 2.2, "contrast ratio"). */
export function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

// OKLab by Björn Ottosson: equal steps of lightness look equal, which HSL does not give.
function toOklch(hex: string): Oklch {
  const [r, g, b] = channels(hex).map(toLinear) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, c: Math.hypot(a, bb), h: Math.atan2(bb, a) };
}

function linearRgb({ l, c, h }: Oklch): [number, number, number] {
  const a = c * Math.cos(h);
  const b = c * Math.sin(h);
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z,
    -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z,
  ];
}

function toHex(colour: Oklch): string {
  let { c } = colour;
  // Outside sRGB reduce the chroma, never the lightness that carries the contrast.
  while (c > 0.001 && linearRgb({ ...colour, c }).some((v) => v < -0.0005 || v > 1.0005)) c -= 0.004;
  const rgb = linearRgb({ ...colour, c: Math.max(c, 0) });
  return (
    '#' +
    rgb
      .map((v) =>
        Math.round(Math.min(1, Math.max(0, fromLinear(Math.min(1, Math.max(0, v))))) * 255)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')
      .toUpperCase()
  );
}

/** Darkens until the contrast to `against` is reached. */
function darkUntil(colour: Oklch, against: string, ratio: number): string {
  for (let l = colour.l; l > 0; l -= 0.01) {
    const hex = toHex({ ...colour, l });
    if (contrast(hex, against) >= ratio) return hex;
  }
  return '#000000';
}

function derive(fill: string, scheme: Scheme): Tone {
  const { l, c, h } = toOklch(fill);
  const halo = HALO[scheme];
  const outline =
    scheme === 'light'
      ? { l: Math.min(0.37, Math.max(0.2, l * 0.6)), c: Math.min(c * 0.7, 0.08), h }
      : { l: 0.17, c: Math.min(c * 0.3, 0.02), h };
  return {
    fill,
    halo,
    outline: darkUntil(outline, halo, OUTLINE_CONTRAST),
    // Light bodies take the lightest face; a dark body keeps more of its colour in the face, or it would look like a
    // mask.
    face: toHex({ l: l < 0.62 ? 0.9 : 0.97, c: Math.min(c, 0.05), h }),
    shade: toHex({ l: l < 0.5 ? l + 0.09 : l - 0.09, c, h }),
    eye: toHex({ l: 0.23, c: Math.min(c * 0.3, 0.03), h }),
  };
}

const known = new Map<string, Tone>();
for (const colour of FIGURE_COLOURS) {
  known.set(`light${colour.fill}`, { fill: colour.fill, ...colour.light });
  known.set(`dark${colour.fill}`, { fill: colour.fill, ...colour.dark });
}
const derived = new Map<string, Tone>();

/**
 * All tones of one figure colour.
 * @param colour `#rgb` or `#rrggbb`; anything else is drawn in Moss
 * @param scheme the scheme of the background
 * @returns the same object for equal arguments, so that memoised drawings stay
 */
export function toneOf(colour: string, scheme: Scheme): Tone {
  const fill = normalHex(colour) ?? FALLBACK_FILL;
  const key = scheme + fill;
  const found = known.get(key) ?? derived.get(key);
  if (found) return found;
  // Dragging in a colour picker requests hundreds of colours: keep only a few.
  if (derived.size > 500) derived.clear();
  const tone = derive(fill, scheme);
  derived.set(key, tone);
  return tone;
}

/** Mixes two `#RRGGBB` colours, `share` (0..1) of the first. */
export function mix(a: string, b: string, share: number): string {
  const x = channels(a);
  const y = channels(b);
  return (
    '#' +
    x
      .map((v, i) =>
        Math.round((v * share + (y[i] ?? 0) * (1 - share)) * 255)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')
      .toUpperCase()
  );
}
