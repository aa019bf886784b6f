// @vitest-environment happy-dom
/** What is hidden before the picture of a page is taken. Numbers are those of docs/product.md. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assertMasked, fixedTexts, mask, mayBeCopied, withoutTexts } from './mask.ts';

const FIXED = fixedTexts({ menu: { save: 'Save', help: 'Help and info' }, hello: 'Welcome, {{name}}' });
const BLOCKS = '▒▒▒▒';

function element(tag: string, text = '', attributes: Record<string, string> = {}): HTMLElement {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== '') made.textContent = text;
  return made;
}
function page(...children: Node[]): HTMLElement {
  const root = element('main');
  root.append(...children);
  return root;
}

describe('12.25 what stays visible', () => {
  test('fixed texts of the interface, word for word; everything else becomes blocks of one length', () => {
    const root = page(
      element('button', ' Save '),
      element('p', 'Help  and\ninfo'),
      element('p', 'Welcome, Borbála'),
      element('p', 'Save me'),
      element('span', 'Al'),
      element('span', 'A much longer name'),
    );
    mask(root, FIXED);
    expect([...root.children].map((each) => each.textContent)).toEqual([
      ' Save ',
      'Help  and\ninfo',
      BLOCKS,
      BLOCKS,
      BLOCKS,
      BLOCKS,
    ]);
  });

  test('places for people’s words and names hide even a fixed text', () => {
    const log = element('div', '', { role: 'log' });
    log.append(element('p', 'Save'));
    const row = element('tr');
    row.append(element('td', 'Save'));
    const drawing = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const name = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    name.textContent = 'Save';
    drawing.append(name);
    const named = element('bdi', 'Save');
    const written = element('p', 'Save', { dir: 'auto' });
    const typed = element('textarea', 'Save');
    const root = page(log, row, drawing, named, written, typed);
    mask(root, FIXED);
    expect(root.textContent).not.toContain('Save');
  });

  test('values of fields are removed, and placeholders that are not ours', () => {
    const root = page(
      element('input', '', { value: 'Borbála', placeholder: 'Save' }),
      element('input', '', { value: 'x', placeholder: 'Write to Borbála' }),
    );
    mask(root, FIXED);
    expect([...root.children].map((each) => each.outerHTML).join('')).not.toContain('Borbála');
    expect(root.children[0]!.getAttribute('placeholder')).toBe('Save');
  });

  test('faces, pictures and drawings are not even copied', () => {
    for (const tag of ['video', 'img', 'picture', 'canvas', 'iframe', 'object', 'embed']) {
      expect(mayBeCopied(element(tag)), tag).toBe(false);
      const root = page(element(tag));
      expect(() => assertMasked(root, FIXED), tag).toThrow('has a picture');
      mask(root, FIXED);
      expect(root.children, tag).toHaveLength(0);
    }
    expect(mayBeCopied(element('p', 'text'))).toBe(true);
    expect(mayBeCopied(document.createTextNode('text'))).toBe(true);
  });

  test('styles contain no picture, and text before and after an element is removed', () => {
    const root = page(element('div', '', { style: 'background-image: url("blob:face"); color: red' }));
    mask(root, FIXED);
    const { style } = root.children[0] as HTMLElement;
    expect([style.backgroundImage, style.color]).toEqual(['', 'red']);
    const css =
      ".a::before { content: 'B'; color: red; background: url(blob:face) } .b::after {content: 'it; s'; align-content: normal}";
    expect(withoutTexts(css)).not.toMatch(/'[^';]|url| s/);
    expect(withoutTexts(css)).toContain('color: red');
    const sheet = page(element('style', ".a::before { content: 'B'; }"));
    expect(() => assertMasked(sheet, FIXED)).toThrow('a style with a text');
  });
});

test('12.25 no secret survives anywhere; an unmasked copy is refused', () => {
  const tags = fc.constantFrom('p', 'span', 'button', 'td', 'textarea', 'h1', 'li', 'label', 'img', 'select', 'option');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(tags, fc.nat(3), fc.constantFrom('secret', 'Save', '')), { maxLength: 20 }),
      (parts) => {
        const root = page();
        let at: Element = root;
        for (const [tag, up, text] of parts) {
          const child = element(tag, text, { value: 'secret', placeholder: 'secret', alt: 'secret' });
          for (let step = 0; step < up && at !== root; step += 1) at = at.parentElement!;
          at.append(child);
          at = child;
        }
        if (root.textContent.includes('secret'))
          expect(() => assertMasked(root, FIXED)).toThrow('the copy of the page');
        mask(root, FIXED);
        assertMasked(root, FIXED);
        expect(root.textContent).not.toContain('secret');
        for (const field of root.querySelectorAll('input, textarea, select'))
          expect([field.getAttribute('value'), field.getAttribute('placeholder')]).toEqual([null, null]);
      },
    ),
  );
});
