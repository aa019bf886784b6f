import { describe, expect, test } from 'vitest';
import {
  isOverPage,
  MENU_BREAKPOINTS,
  menuClassNames,
  type MenuClicks,
  menuParts,
  type MenuState,
  pressed,
  unfolded,
} from './menuLayout.ts';

const WIDE = MENU_BREAKPOINTS.subHidden;
const MIDDLE = MENU_BREAKPOINTS.subHidden - 1;
const NARROW = MENU_BREAKPOINTS.hidden - 1;
const at = (width: number, more: Partial<MenuState> = {}): MenuState => ({
  type: 'menu-default',
  width,
  clicks: 0,
  hasSubEntries: true,
  ...more,
});
/** The class names after each press on the button, from the given state. */
function presses(state: MenuState, count = 4): string[] {
  const shown: string[] = [];
  for (let now = state, n = 0; n <= count; n++, now = pressed(now)) shown.push(menuClassNames(now).join(' '));
  return shown;
}

describe('11.35 presses on the menu button', () => {
  test('with room for words: sub-entries hidden, all hidden, sub-entries for a moment, all', () =>
    expect(presses(at(WIDE))).toEqual([
      'menu-default',
      'menu-default sub-hidden',
      'menu-default main-hidden sub-hidden',
      'menu-default sub-show-temporary',
      'menu-default',
    ]));
  test('with room for a rail: hidden, back, expanded over the page', () =>
    expect(presses(at(MIDDLE))).toEqual([
      'menu-default menu-sub-hidden sub-hidden',
      'menu-default menu-sub-hidden main-hidden sub-hidden',
      'menu-default menu-sub-hidden sub-hidden',
      'menu-default menu-sub-hidden sub-show-temporary',
      'menu-default menu-sub-hidden sub-hidden',
    ]));
  test('hidden by choice: over the page, hidden, over it with sub-entries', () =>
    expect(presses(at(WIDE, { type: 'menu-hidden' }))).toEqual([
      'menu-hidden main-hidden sub-hidden',
      'menu-hidden main-show-temporary sub-hidden',
      'menu-hidden main-hidden sub-hidden',
      'menu-hidden main-show-temporary sub-show-temporary',
      'menu-hidden main-hidden sub-hidden',
    ]));
  test.each(['menu-default', 'menu-sub-hidden', 'menu-hidden'] as const)(
    'a drawer opens and closes, whatever was chosen (%s)',
    (type) =>
      expect(presses(at(NARROW, { type }), 2)).toEqual([
        `${type} menu-mobile main-hidden sub-hidden`,
        `${type} menu-mobile main-show-temporary sub-show-temporary`,
        `${type} menu-mobile main-hidden sub-hidden`,
      ]),
  );
});

describe('11.35 an entry without sub-entries', () => {
  test.each([WIDE, MIDDLE, NARROW])('at %i px no press shows an empty sub-menu', (width) => {
    for (const type of ['menu-default', 'menu-sub-hidden', 'menu-hidden'] as const)
      for (const clicks of [0, 1, 2, 3] as MenuClicks[]) {
        const state = at(width, { type, clicks, hasSubEntries: false });
        if (width !== NARROW) expect(menuParts(state).sub).toBe('hidden');
        expect(menuClassNames(pressed(pressed(state)))).toEqual(
          menuClassNames(pressed(pressed(pressed(pressed(state))))),
        );
        // One press always changes something.
        expect(menuClassNames(pressed(state))).not.toEqual(menuClassNames(state));
      }
  });
});

describe('11.35 an expanded entry', () => {
  test.each([
    [WIDE, 'menu-default', 'shown', false],
    [MIDDLE, 'menu-default', 'temporary', true],
    [WIDE, 'menu-sub-hidden', 'temporary', true],
    [WIDE, 'menu-hidden', 'temporary', true],
    [NARROW, 'menu-default', 'temporary', true],
  ] as const)('at %i px with %s its sub-entries are %s', (width, type, sub, over) => {
    for (const clicks of [0, 1, 2, 3] as MenuClicks[]) {
      const state = unfolded(at(width, { type, clicks, hasSubEntries: false }));
      expect(menuParts(state)).toMatchObject({ sub });
      expect(menuParts(state).main).not.toBe('hidden');
      expect(isOverPage(state)).toBe(over);
    }
  });
});
