/** The background under the figures: never a wrong one, and names are readable on each (docs/product.md#11.14). */
import { contrast, TEXT_CONTRAST } from '@fieldroom/contract/colours/contrast';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type FieldGround, FieldView, groundLook } from './index.ts';

afterEach(cleanup);
const nothing = vi.fn();
const TEXTS = { field: 'Field', keyboardHelp: '', outside: '', show: String };
const view = (ground: FieldGround | null, scheme: 'light' | 'dark' = 'light') => (
  <FieldView
    figures={[]}
    selectedId={null}
    onSelect={nothing}
    showBeams
    showNames
    scheme={scheme}
    reducedMotion={false}
    texts={TEXTS}
    ground={ground}
  />
);
const drawn = () => {
  const field = document.querySelector<HTMLElement>('[aria-label=Field]');
  return {
    ground: field?.dataset['ground'],
    color: field?.style.getPropertyValue('--fr-field'),
    picture: field?.querySelector('img')?.getAttribute('src') ?? null,
  };
};

test('11.14: names, rings and pointers are readable on every colour, in light and dark', () => {
  for (let red = 0; red < 256; red += 51)
    for (let green = 0; green < 256; green += 51)
      for (let blue = 0; blue < 256; blue += 51) {
        const color = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
        const light = groundLook({ color, url: null }, 'light');
        expect(light).toEqual(groundLook({ color, url: null }, 'dark'));
        for (const token of ['--fr-text', '--fr-focus', '--fr-muted'])
          expect(contrast(String(light.style[token as '--fr-text']), color)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
        expect([light.style['--fr-field'], light.style['--fr-field-edge']]).toEqual([color, color]);
      }
});

test('11.14: on a picture without a colour names have a light plate, in light and dark', () => {
  for (const scheme of ['light', 'dark'] as const) {
    const { style } = groundLook({ color: null, url: 'blob:x' }, scheme);
    expect(contrast(String(style['--fr-text']), String(style['--fr-field-edge']))).toBeGreaterThanOrEqual(7);
    // The theme's background is visible until the picture covers it.
    expect(style).not.toHaveProperty('--fr-field');
  }
});

test('no background is painted until it is known; then the chosen one, and the theme’s after a reset', () => {
  const { rerender } = render(view(null));
  expect(drawn()).toEqual({ ground: 'unknown', color: '', picture: null });
  rerender(view({ color: '#224466', url: null }));
  expect(drawn()).toEqual({ ground: 'own', color: '#224466', picture: null });
  rerender(view({ color: '#224466', url: 'blob:picture' }, 'dark'));
  expect(drawn()).toEqual({ ground: 'own', color: '#224466', picture: 'blob:picture' });
  rerender(view({ color: null, url: null }));
  expect(drawn()).toEqual({ ground: 'theme', color: '', picture: null });
});
