/**
 * The visible parts of the side menu (docs/product.md#11.35). It has two levels: the entries (main) and the sub-entries
 * of one of them (sub). A pure model: the page's width, the type that the person chose, and a count of presses decide.
 */

/** How much of the menu is beside the page permanently. */
export const MENU_TYPES = ['menu-default', 'menu-sub-hidden', 'menu-hidden'] as const;
export type MenuType = (typeof MENU_TYPES)[number];

/** In px. Below the first the menu is a drawer over the page, below the second a rail of icons. */
export const MENU_BREAKPOINTS = { hidden: 768, subHidden: 1440 } as const;

/** How often the menu button was pressed since the base state, from 0 to 3; each count shows another part. */
export type MenuClicks = 0 | 1 | 2 | 3;

export interface MenuState {
  type: MenuType;
  /** In px. */
  width: number;
  clicks: MenuClicks;
  /** Whether the entry of the shown page, or the expanded one, has sub-entries. */
  hasSubEntries: boolean;
}

/** `temporary` covers the page until the next press elsewhere. */
type Shown = 'shown' | 'hidden' | 'temporary';
interface Parts {
  main: Shown;
  sub: Shown;
}

/** By the count of presses. */
const PARTS: Record<MenuType, readonly [Parts, Parts, Parts, Parts]> = {
  'menu-default': [
    { main: 'shown', sub: 'shown' },
    { main: 'shown', sub: 'hidden' },
    { main: 'hidden', sub: 'hidden' },
    { main: 'shown', sub: 'temporary' },
  ],
  'menu-sub-hidden': [
    { main: 'shown', sub: 'hidden' },
    { main: 'hidden', sub: 'hidden' },
    { main: 'shown', sub: 'hidden' },
    { main: 'shown', sub: 'temporary' },
  ],
  'menu-hidden': [
    { main: 'hidden', sub: 'hidden' },
    { main: 'temporary', sub: 'hidden' },
    { main: 'hidden', sub: 'hidden' },
    { main: 'temporary', sub: 'temporary' },
  ],
};
/** Counts that would show missing sub-entries, and their replacements. */
const WITHOUT_SUB: Record<MenuType, readonly [MenuClicks, MenuClicks, MenuClicks, MenuClicks]> = {
  'menu-default': [1, 1, 2, 1],
  'menu-sub-hidden': [0, 1, 0, 0],
  'menu-hidden': [0, 1, 0, 0],
};

/** Whether the menu is a drawer over the page. */
export const isDrawer = ({ width }: Pick<MenuState, 'width'>) => menuRoom(width) === 'drawer';

/** The available room for the menu. Presses made with other room are ignored. */
export const menuRoom = (width: number): 'words' | 'rail' | 'drawer' =>
  width < MENU_BREAKPOINTS.hidden ? 'drawer' : width < MENU_BREAKPOINTS.subHidden ? 'rail' : 'words';

/** The type that applies at this width: a narrow page has no room for the words of a whole menu beside it. */
const effectiveType = ({ type, width }: MenuState): MenuType =>
  type === 'menu-default' && menuRoom(width) !== 'words' ? 'menu-sub-hidden' : type;

function normalised(state: MenuState): MenuState {
  if (isDrawer(state)) return { ...state, clicks: state.clicks === 0 ? 0 : 1 };
  return state.hasSubEntries ? state : { ...state, clicks: WITHOUT_SUB[effectiveType(state)][state.clicks] };
}

/** The visible parts. A drawer shows all or nothing. */
export function menuParts(state: MenuState): Parts {
  const { clicks } = normalised(state);
  if (!isDrawer(state)) return PARTS[effectiveType(state)][clicks];
  return clicks === 0 ? { main: 'hidden', sub: 'hidden' } : { main: 'temporary', sub: 'temporary' };
}

/** The class names of the page's frame, by which the style sheet shows all this. */
export function menuClassNames(state: MenuState): string[] {
  const { main, sub } = menuParts(state);
  return [
    state.type,
    ...(isDrawer(state) ? ['menu-mobile'] : []),
    ...(!isDrawer(state) && effectiveType(state) !== state.type ? ['menu-sub-hidden'] : []),
    ...(main === 'hidden' ? ['main-hidden'] : []),
    ...(main === 'temporary' ? ['main-show-temporary'] : []),
    ...(sub === 'hidden' ? ['sub-hidden'] : []),
    ...(sub === 'temporary' ? ['sub-show-temporary'] : []),
  ];
}

/** Whether something covers the page, which a press elsewhere and Escape close. */
export function isOverPage(state: MenuState): boolean {
  return Object.values(menuParts(state)).includes('temporary');
}

/** After a press on the menu button. */
export function pressed(state: MenuState): MenuState {
  const { clicks } = normalised(state);
  const states = isDrawer(state) ? 2 : 4;
  return normalised({ ...state, clicks: ((clicks + 1) % states) as MenuClicks });
}

/** After a press on an entry that has sub-entries: these are shown. */
export function unfolded(state: MenuState): MenuState {
  const clicks = { 'menu-default': 0, 'menu-sub-hidden': 3, 'menu-hidden': 3 } as const;
  return { ...state, hasSubEntries: true, clicks: isDrawer(state) ? 1 : clicks[effectiveType(state)] };
}
