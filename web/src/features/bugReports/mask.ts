/**
 * What the picture of a page may show (docs/product.md#12.25). It fails safe: only what is known to be harmless is
 * shown. The mask works on a copy of the page, never on the page itself.
 *
 * Invariants of a masked copy, which `assertMasked` checks before it is drawn
 *  1. Every text is, word for word, a fixed text of the interface, or blocks of one length.
 *  2. No text stands where people write or are named, whatever it says: fields, cells of tables, names in drawings,
 *     messages.
 *  3. There is no picture, video, canvas or embedded page.
 *  4. No style has a picture or a text in it.
 */

/** Stands for a text, whatever its length. */
const BLOCKS = '▒▒▒▒';
/** Never copied: faces, pictures of people, drawings and icons that somebody uploaded. */
const PICTURES = 'video, img, picture, canvas, iframe, object, embed, audio, image, feImage';
/**
 * Where people write or are named. What somebody gave as a name or wrote may run in either direction, so it stands in a
 * `<bdi>` or in an element with `dir="auto"`.
 */
const PERSONAL = 'input, textarea, select, option, td, svg text, bdi, [dir="auto"], [role="log"], [contenteditable]';
/** Properties of a style that may draw a picture or a text. */
const DRAWING = /(?:url|image|image-set|element|cross-fade|paint)\(/i;

/** Whether an element or text of the page may be copied at all. */
export const mayBeCopied = (node: Node): boolean => !(node instanceof Element && node.matches(PICTURES));

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

/**
 * Makes the list of fixed texts. Takes the texts of the interface, nested by key; those with insertions do not count.
 */
export function fixedTexts(words: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof words === 'string') {
    if (!words.includes('{{')) found.add(plain(words));
  } else if (typeof words === 'object' && words !== null) {
    for (const inner of Object.values(words)) fixedTexts(inner, found);
  }
  return found;
}

function textsIn(root: Element): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
}

function isShowable(text: Text, fixed: ReadonlySet<string>): boolean {
  const words = plain(text.data);
  if (words === '' || words === BLOCKS) return true;
  return fixed.has(words) && text.parentElement?.closest(PERSONAL) === null;
}

/** Removes everything from a copy of the page that is not known to be harmless. Takes the copy and the fixed texts. */
export function mask(root: Element, fixed: ReadonlySet<string>): void {
  for (const picture of root.querySelectorAll(PICTURES)) picture.remove();
  for (const element of [root, ...root.querySelectorAll<HTMLElement>('*')]) {
    if (element.matches('input, textarea, select')) {
      element.removeAttribute('value');
      const placeholder = element.getAttribute('placeholder');
      if (placeholder !== null && !fixed.has(plain(placeholder))) element.removeAttribute('placeholder');
    }
    const { style } = element as HTMLElement | SVGElement;
    const names = Array.from({ length: style.length }, (_, index) => style.item(index));
    for (const name of names) if (DRAWING.test(style.getPropertyValue(name))) style.removeProperty(name);
  }
  for (const text of textsIn(root)) if (!isShowable(text, fixed)) text.data = BLOCKS;
}

/** Empties texts and pictures in a style sheet: the text of `::before` may be somebody's initial. */
export const withoutTexts = (css: string): string =>
  css
    .replace(/(?<![\w-])content:\s*(?:'[^']*'|"[^"]*"|[^;}]*)/g, "content: ''")
    // By declarations: one pattern over the whole sheet would take quadratic time.
    .replace(/[^;{}]+/g, (part) => (part.includes(':') && /(?:url|image-set|element)\(/.test(part) ? '' : part));

/** Throws if anything in a copy is not masked; then there is no picture. */
export function assertMasked(root: Element, fixed: ReadonlySet<string>): void {
  if (root.querySelector(PICTURES)) throw new Error('the copy of the page has a picture');
  for (const style of root.querySelectorAll('style'))
    if (withoutTexts(style.textContent) !== style.textContent)
      throw new Error('the copy of the page has a style with a text');
  for (const text of textsIn(root))
    if (text.parentElement?.tagName.toLowerCase() !== 'style' && !isShowable(text, fixed))
      throw new Error('the copy of the page has a text that is not masked');
}
