/** The menus' colours in all their states, over a grid of chosen ones (docs/product.md#11.14). */
import { contrast, TEXT_CONTRAST } from '@fieldroom/contract/colours/contrast';
import { expect, test } from 'vitest';
import { leftMenuLook, topMenuLook } from './menuLook.ts';

const STEPS = [0, 51, 102, 119, 136, 153, 204, 255];
const GRID = STEPS.flatMap((red) =>
  STEPS.flatMap((green) =>
    STEPS.map((blue) => `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`),
  ),
);
const readable = (text: string | undefined, ground: string | undefined, what: string) =>
  expect(contrast(text as string, ground as string), what).toBeGreaterThanOrEqual(TEXT_CONTRAST);

test('11.14: on every background entries, hover, selected entry and focus ring are readable and distinguishable', () => {
  for (const bgColor of GRID) {
    const left = leftMenuLook({ bgColor, textColor: null, selectedColor: null });
    readable(left['--fr-text'], bgColor, `text on ${bgColor}`);
    readable(left['--fr-muted'], left['--fr-sunken'], `hover on ${bgColor}`);
    readable(left['--menu-selected-text'], left['--fr-surface'], `selected on ${bgColor}`);
    readable(left['--fr-focus'], bgColor, `focus on ${bgColor}`);
    expect(new Set([left['--fr-bg'], left['--fr-sunken'], left['--fr-surface'], left['--fr-line']]).size).toBe(4);

    const top = topMenuLook({ bgColor, textColor: null });
    readable(top['--menu-text'], bgColor, `bar ${bgColor}`);
    readable(top['--menu-text'], top['--menu-hover'], `hover on the bar ${bgColor}`);
    expect(top['--menu-hover']).not.toBe(bgColor);
  }
});

test('11.14: a readable chosen text colour is kept in every state', () => {
  for (const bgColor of GRID)
    for (const textColor of ['#ffffff', '#000000', '#1f2732', '#b00020', '#a0e0ff'].filter(
      (text) => contrast(text, bgColor) >= TEXT_CONTRAST,
    )) {
      const left = leftMenuLook({ bgColor, textColor, selectedColor: null });
      expect([left['--fr-text'], left['--menu-selected-text']]).toEqual([textColor, textColor]);
      readable(textColor, left['--fr-sunken'], `${textColor} under the pointer on ${bgColor}`);
      readable(textColor, left['--fr-surface'], `${textColor} selected on ${bgColor}`);
      readable(textColor, topMenuLook({ bgColor, textColor })['--menu-hover'], `${textColor} on the bar ${bgColor}`);
    }
});

test('11.14: the selected entry has its own text colour if the menu’s is unreadable on it', () => {
  for (const selectedColor of GRID)
    for (const bgColor of [null, '#ffffff', '#1f2d4a', '#777777']) {
      const left = leftMenuLook({ bgColor, textColor: null, selectedColor });
      expect(left['--fr-surface']).toBe(selectedColor);
      readable(left['--menu-selected-text'], selectedColor, `selected ${selectedColor} on ${bgColor}`);
    }
});

test('parts without a choice follow the theme', () => {
  expect(leftMenuLook({ bgColor: null, textColor: null, selectedColor: null })).toEqual({});
  expect(topMenuLook({ bgColor: null, textColor: null })).toEqual({});
});
