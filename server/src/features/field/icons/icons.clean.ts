/**
 * Makes an uploaded SVG harmless. It is shown only as an image, where browsers run no script and load nothing; this is
 * the second wall, for people who open the file itself. Harmful parts are refused; parts that only decorate (metadata
 * of drawing programs, comments) are left out. Numbers in comments are rules of this folder's README. Source:
 * docs/product.md#5.3 and #13.10.
 *
 * Loads a DOM, so use it only in the worker (`icons.worker.ts`) and in tests.
 */
import createDOMPurify from 'dompurify';
import { JSDOM } from 'jsdom';
import { ICON_BYTES_MAX, PX_PER_MM } from '@fieldroom/contract/field';

export type Cleaned =
  | { kind: 'clean'; svg: string; width: number; height: number }
  | { kind: 'icon_unreadable' | 'icon_unsafe' };

const SVG = 'http://www.w3.org/2000/svg';
const XLINK = 'http://www.w3.org/1999/xlink';
const XML = 'http://www.w3.org/XML/1998/namespace';
const XHTML = 'http://www.w3.org/1999/xhtml';
const MATHML = 'http://www.w3.org/1998/Math/MathML';
const DEPTH_MAX = 64;
const ELEMENTS_MAX = 5000;
/**
 * Attributes of one element. A DOM looks through all of them for each that it adds, so the time grows with their
 * square.
 */
const ATTRIBUTES_MAX = 200;
const ICON_PX = 30;
const ICON_BOX_PX = 50;

const SHAPES = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'];
const TEXTS = ['text', 'tspan', 'textPath'];
const GRADIENTS = ['linearGradient', 'radialGradient'];
const FILTERS = [
  'filter',
  'feBlend',
  'feColorMatrix',
  'feComponentTransfer',
  'feComposite',
  'feConvolveMatrix',
  'feDiffuseLighting',
  'feDisplacementMap',
  'feDistantLight',
  'feDropShadow',
  'feFlood',
  'feFuncA',
  'feFuncB',
  'feFuncG',
  'feFuncR',
  'feGaussianBlur',
  'feMerge',
  'feMergeNode',
  'feMorphology',
  'feOffset',
  'fePointLight',
  'feSpecularLighting',
  'feSpotLight',
  'feTile',
  'feTurbulence',
];
/** In the spelling of XML: the cleaner compares names literally. */
const TAGS = [
  ...SHAPES,
  ...TEXTS,
  ...GRADIENTS,
  ...FILTERS,
  'svg',
  'g',
  'defs',
  'symbol',
  'use',
  'stop',
  'clipPath',
  'mask',
  'pattern',
  'marker',
  'title',
  'desc',
  'style',
  'switch',
  'view',
  '#text',
];
const ATTRIBUTES = (
  'id class style transform viewBox preserveAspectRatio x y x1 y1 x2 y2 cx cy r rx ry fx fy fr width height d points pathLength dx dy rotate textLength lengthAdjust startOffset method spacing side ' +
  'href xlink:href xmlns xmlns:xlink xml:space xml:lang version offset gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits patternUnits patternContentUnits patternTransform ' +
  'markerUnits markerWidth markerHeight refX refY orient filterUnits primitiveUnits in in2 result mode type values tableValues slope intercept amplitude exponent operator k1 k2 k3 k4 order kernelMatrix divisor bias ' +
  'targetX targetY edgeMode preserveAlpha surfaceScale diffuseConstant specularConstant specularExponent kernelUnitLength scale xChannelSelector yChannelSelector azimuth elevation z pointsAtX pointsAtY pointsAtZ ' +
  'limitingConeAngle stdDeviation radius baseFrequency numOctaves seed stitchTiles systemLanguage ' +
  'alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters color-rendering direction display dominant-baseline fill fill-opacity fill-rule filter flood-color ' +
  'flood-opacity font-family font-size font-size-adjust font-stretch font-style font-variant font-weight image-rendering isolation letter-spacing lighting-color marker-end marker-mid marker-start mask mask-type ' +
  'mix-blend-mode opacity overflow paint-order shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width ' +
  'text-anchor text-decoration text-rendering transform-origin unicode-bidi vector-effect visibility white-space word-spacing writing-mode'
).split(' ');

/** By lower-case name: elements that run, load, lead elsewhere or move. */
const REFUSED_TAGS = new Set([
  'script',
  'foreignobject',
  'image',
  'feimage',
  'a',
  'animate',
  'animatemotion',
  'animatetransform',
  'animatecolor',
  'set',
  'discard',
  'mpath',
  'handler',
  'listener',
  'iframe',
  'embed',
  'object',
  'audio',
  'video',
  'canvas',
  'link',
  'meta',
  'base',
  'cursor',
  'font-face',
  'font-face-src',
  'font-face-uri',
  'color-profile',
  'tref',
  'use-element',
  'solidcolor',
  'prefetch',
]);
/** CSS that loads, imports or runs. A backslash could hide any of it. */
const REFUSED_CSS =
  /\\|@(?!media\b)|expression\s*\(|-moz-binding|behavior\s*:|image-set\s*\(|(?:^|[^\w-])(?:image|src|cross-fade|element|attr|env|var|paint)\s*\(|javascript:|data:/i;

let dom: { window: JSDOM['window']; purify: ReturnType<typeof createDOMPurify> } | null = null;
function getDom() {
  if (!dom) {
    const { window } = new JSDOM('');
    dom = { window, purify: createDOMPurify(window) };
  }
  return dom;
}

/**
 * Cleans one drawing. Takes SVG text as it was uploaded. Returns the drawing to store with its size in px, or why it is
 * refused. `icon_unreadable`: no SVG, or nothing drawn. `icon_unsafe`: scripts, handlers, foreign objects, outside
 * references, entities, too deep, too large, or multiplying itself.
 */
export function cleanIcon(text: string): Cleaned {
  if (Buffer.byteLength(text) > ICON_BYTES_MAX) return { kind: 'icon_unsafe' };
  const source = text.replace(/^\uFEFF/, '').trim();
  const scan = scanMarkup(source);
  if (scan !== 'fine') return { kind: scan };
  const { window, purify } = getDom();
  const document = new window.DOMParser().parseFromString(source, 'image/svg+xml');
  const root = document.documentElement;
  if (!root || root.namespaceURI !== SVG || root.localName !== 'svg') return { kind: 'icon_unreadable' };
  if (isHarmful(document) || multiplies(document)) return { kind: 'icon_unsafe' };
  if (!drawsSomething(root)) return { kind: 'icon_unreadable' };

  const clean = purify.sanitize(root, {
    IN_PLACE: true,
    PARSER_MEDIA_TYPE: 'application/xhtml+xml',
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  }) as unknown as Element;
  if (!drawsSomething(clean)) return { kind: 'icon_unsafe' };
  const size = sizeOf(clean);
  clean.setAttribute('viewBox', size.viewBox);
  clean.setAttribute('width', String(size.width));
  clean.setAttribute('height', String(size.height));
  for (const name of ['x', 'y']) clean.removeAttribute(name);
  const svg = new window.XMLSerializer().serializeToString(clean);

  // The result is read once more as a browser would read it: cleaning itself may not have produced anything harmful.
  const again = new window.DOMParser().parseFromString(svg, 'image/svg+xml');
  const foreign = [...again.getElementsByTagName('*')].some((element) => element.namespaceURI !== SVG);
  if (again.documentElement?.localName !== 'svg' || foreign || isHarmful(again)) return { kind: 'icon_unsafe' };
  return { kind: 'clean', svg, width: size.width, height: size.height };
}

/**
 * Checks the text before anything parses it, so that no parser meets entities, endless nesting or a hundred thousand
 * elements. Returns `fine`, or why not.
 */
function scanMarkup(source: string): 'fine' | 'icon_unreadable' | 'icon_unsafe' {
  let depth = 0;
  let elements = 0;
  let at = 0;
  for (;;) {
    const open = source.indexOf('<', at);
    if (open === -1) break;
    if (source.startsWith('<!--', open)) {
      const end = source.indexOf('-->', open + 4);
      if (end === -1) return 'icon_unreadable';
      at = end + 3;
    } else if (source.startsWith('<![CDATA[', open)) {
      const end = source.indexOf(']]>', open + 9);
      if (end === -1) return 'icon_unreadable';
      at = end + 3;
    } else if (source.startsWith('<!', open)) {
      // DOCTYPE, ENTITY, ATTLIST: no drawing needs them. Even the plain doctype that old programs write names an
      // outside file.
      return 'icon_unsafe';
    } else if (source.startsWith('<?', open)) {
      const end = source.indexOf('?>', open + 2);
      if (end === -1) return 'icon_unreadable';
      if (!/^<\?xml\s/.test(source.slice(open, open + 6)) || open !== 0) return 'icon_unsafe';
      at = end + 2;
    } else if (source[open + 1] === '/') {
      depth -= 1;
      at = open + 2;
    } else {
      const { end, attributes } = readTag(source, open + 1);
      if (end === -1) return 'icon_unreadable';
      if (attributes > ATTRIBUTES_MAX) return 'icon_unsafe';
      elements += 1;
      if (elements > ELEMENTS_MAX) return 'icon_unsafe';
      if (source[end - 1] !== '/') {
        depth += 1;
        if (depth > DEPTH_MAX) return 'icon_unsafe';
      }
      at = end + 1;
    }
  }
  return elements === 0 ? 'icon_unreadable' : 'fine';
}

/**
 * Returns the index of the `>` that closes a tag (-1 if there is none; a `>` in quotes does not count), and the number
 * of attributes of the tag.
 */
function readTag(source: string, from: number): { end: number; attributes: number } {
  let quote = '';
  let attributes = 0;
  for (let i = from; i < source.length; i += 1) {
    const c = source[i]!;
    if (quote) {
      if (c === quote) quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '=') attributes += 1;
    else if (c === '>') return { end: i, attributes };
  }
  return { end: -1, attributes };
}

function isHarmful(document: Document): boolean {
  const ids = byId(document);
  for (const node of document.childNodes) if (node.nodeType === 7) return true;
  for (const element of document.getElementsByTagName('*')) {
    if (element.namespaceURI === XHTML || element.namespaceURI === MATHML) return true;
    // A browser ignores the private parts of drawing programs, and the cleaner removes them.
    if (element.namespaceURI !== SVG && element.namespaceURI !== null) continue;
    const name = element.localName.toLowerCase();
    if (REFUSED_TAGS.has(name)) return true;
    for (const child of element.childNodes) if (child.nodeType === 7) return true;
    if (name === 'style' && isHarmfulStyle(ids, element)) return true;
    for (const attribute of element.attributes) {
      const local = attribute.localName.toLowerCase();
      const value = attribute.value;
      if (local.startsWith('on') && attribute.namespaceURI === null) return true;
      if (
        (local === 'href' || local === 'src') &&
        (attribute.namespaceURI === null || attribute.namespaceURI === XLINK) &&
        !/^\s*#[^\s]+\s*$/.test(value)
      )
        return true;
      if (local === 'base' && attribute.namespaceURI === XML) return true;
      if (attribute.namespaceURI !== null) continue;
      if (/(?:javascript|vbscript|data)\s*:/i.test(value.replace(/\s/gu, ''))) return true;
      if (hasOutsideUrl(value)) return true;
      if (local === 'style' ? REFUSED_CSS.test(value) : local !== 'id' && local !== 'class' && value.includes('\\'))
        return true;
    }
  }
  return false;
}

function isHarmfulStyle(ids: ReadonlyMap<string, Element>, style: Element): boolean {
  const css = style.textContent ?? '';
  if (REFUSED_CSS.test(css) || hasOutsideUrl(css)) return true;
  // A style sheet may refer only to gradients: the cleaner does not count how often a rule applies, and gradients
  // contain no drawing.
  return urlTargets(css).some((id) => {
    const target = id === null ? undefined : ids.get(id);
    return target !== undefined && !GRADIENTS.includes(target.localName);
  });
}

/**
 * Each `url(` with what it refers to. An opening bracket ends it like a closing one, so that every character is read
 * once: 250,000 blanks after `url(` took half a minute to refuse.
 */
const URL_CALL = /url\s*\(([^()]*)(\)?)/gi;

/** The id in each `url(#id)`; null for one that refers to anything else, or is not closed. */
function urlTargets(value: string): (string | null)[] {
  return [...value.matchAll(URL_CALL)].map(([, inside = '', closed]) => {
    const quoted = inside.trim();
    const quote = quoted[0] === '"' || quoted[0] === "'" ? quoted[0] : '';
    const bare = quote !== '' && quoted.length > 1 && quoted.endsWith(quote) ? quoted.slice(1, -1).trim() : quoted;
    return closed === ')' && /^#[^\s'"]+$/.test(bare) ? bare.slice(1) : null;
  });
}

const hasOutsideUrl = (value: string): boolean => urlTargets(value).includes(null);

function byId(document: Document): Map<string, Element> {
  const found = new Map<string, Element>();
  for (const element of document.getElementsByTagName('*')) {
    const id = element.getAttribute('id');
    if (id !== null && !found.has(id)) found.set(id, element);
  }
  return found;
}

/**
 * Whether references turn few elements into very many (ten uses of ten uses of …), or lead back to themselves: drawing
 * that would block every browser in the room.
 */
function multiplies(document: Document): boolean {
  const ids = byId(document);
  const cost = new Map<Element, number>();
  const open = new Set<Element>();
  const costOf = (element: Element): number => {
    const known = cost.get(element);
    if (known !== undefined) return known;
    if (open.has(element)) return Infinity;
    open.add(element);
    let sum = 1;
    for (const child of element.children) sum += costOf(child);
    for (const attribute of element.attributes) {
      const targets = attribute.localName === 'href' ? [attribute.value.trim().slice(1)] : urlTargets(attribute.value);
      for (const id of targets) {
        const target = id === null ? undefined : ids.get(id);
        if (target) sum += costOf(target);
      }
    }
    open.delete(element);
    cost.set(element, sum);
    return sum;
  };
  return costOf(document.documentElement) > ELEMENTS_MAX;
}

function drawsSomething(root: Element): boolean {
  for (const element of root.getElementsByTagName('*')) {
    if (!SHAPES.includes(element.localName) && element.localName !== 'text' && element.localName !== 'use') continue;
    if (element.localName === 'text' && (element.textContent ?? '').trim() === '') continue;
    if (element.localName === 'path' && (element.getAttribute('d') ?? '').trim() === '') continue;
    let hidden = false;
    for (let up = element.parentElement; up && up !== root; up = up.parentElement) {
      if (['defs', 'symbol', 'clipPath', 'mask', 'pattern', 'marker'].includes(up.localName)) hidden = true;
    }
    if (!hidden) return true;
  }
  return false;
}

/**
 * The size to store: 30×30 px, or its own size in mm, fitted into a 50-px box. The drawing inside keeps its
 * proportions.
 */
function sizeOf(root: Element): { width: number; height: number; viewBox: string } {
  const width = length(root.getAttribute('width'));
  const height = length(root.getAttribute('height'));
  const box = (root.getAttribute('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const hasBox = box.length === 4 && box.every(Number.isFinite) && box[2]! > 0 && box[3]! > 0;
  const px = (side: typeof width) => (side ? side.value * (side.unit === 'mm' ? PX_PER_MM : 1) : null);
  const viewBox = hasBox ? box.join(' ') : `0 0 ${round(px(width) ?? 300)} ${round(px(height) ?? 150)}`;
  if (width?.unit === 'mm' && height?.unit === 'mm') {
    const shrink = Math.min(1, ICON_BOX_PX / Math.max(px(width)!, px(height)!));
    return { width: round(px(width)! * shrink), height: round(px(height)! * shrink), viewBox };
  }
  return { width: ICON_PX, height: ICON_PX, viewBox };
}

function length(text: string | null): { value: number; unit: string } | null {
  const parts = /^\+?(\d+(?:\.\d+)?|\.\d+) ?(mm|px|)$/.exec((text ?? '').trim());
  const value = Number(parts?.[1]);
  return parts && value > 0 && value < 1e6 ? { value, unit: parts[2]! } : null;
}

const round = (value: number) => Math.max(0.01, Math.round(value * 100) / 100);
