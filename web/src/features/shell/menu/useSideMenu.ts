/** The side menu's state on a page: presses, the page's width, the entry that is unfolded, and where the focus goes. */
import { useClickOutside, useWindowEvent } from '@mantine/hooks';
import { useRouterState } from '@tanstack/react-router';
import { type RefCallback, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useBackCloses } from '../../../ui/dialogs/backCloses.ts';
import { isParent, type MenuEntry, selectedEntry } from './mainMenu.ts';
import {
  isDrawer,
  isOverPage,
  menuClassNames,
  type MenuClicks,
  menuParts,
  menuRoom,
  type MenuState,
  pressed,
  unfolded,
} from './menuLayout.ts';
import { useMenuType } from './menuType.ts';

/** What depends on the page's width measures itself again once the menu has moved. In ms. */
const RESIZE_AFTER = 350;

/** Stands for an entry whose sub-entries the person put away. */
const NONE = '';

export interface SideMenuState {
  classNames: readonly string[];
  /** Whether the menu button would put something away. */
  open: boolean;
  /** The menu is a drawer: out of sight until the menu button is pressed. */
  drawer: boolean;
  /** A drawer lies over the page, which cannot be reached meanwhile. */
  covers: boolean;
  /** Only icons are seen: their words stand in tooltips. */
  rail: boolean;
  /** The id of the entry whose sub-entries are shown; null for none. */
  unfoldedId: string | null;
  /** The id of the entry that the page belongs to; null for none. */
  selectedId: string | null;
  toggle(): void;
  close(): void;
  /** Shows the sub-entries of an entry, or puts them away. */
  unfold(id: string): void;
  /** The menu, and the button that moves it: a press on these puts nothing away. */
  side: RefCallback<HTMLElement>;
  button: RefCallback<HTMLButtonElement>;
}

/** Takes the menu's entries. */
export function useSideMenu(entries: readonly MenuEntry[]): SideMenuState {
  // The page that the person went to, shown or still being fetched.
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const type = useMenuType();
  const width = usePageWidth();
  const selected = selectedEntry(entries, pathname);
  const [clicks, setClicks] = useState<MenuClicks>(0);
  // Null while the page decides, NONE when the person folded it.
  const [unfoldedId, setUnfoldedId] = useState<string | null>(null);
  const [sideNode, setSideNode] = useState<HTMLElement | null>(null);
  const [buttonNode, setButtonNode] = useState<HTMLButtonElement | null>(null);
  const current = unfoldedId === null ? selected : (entries.find(({ id }) => id === unfoldedId) ?? null);
  const state = useMemo<MenuState>(
    () => ({ type, width, clicks, hasSubEntries: current !== null && isParent(current) }),
    [type, width, clicks, current],
  );
  const parts = menuParts(state);
  const over = isOverPage(state);
  const covers = over && isDrawer(state);
  const announceMove = useMoveAnnouncement();

  const rest = useCallback(() => {
    setClicks(0);
    setUnfoldedId(null);
  }, []);
  const close = useCallback(() => {
    rest();
    // Only once the page can be reached again.
    requestAnimationFrame(() => buttonNode?.focus());
  }, [rest, buttonNode]);

  // Each navigation puts away what lies over the page. At its beginning: what is pressed while the page is still being
  // fetched stays.
  useEffect(rest, [pathname, rest]);
  const room = menuRoom(width);
  useEffect(rest, [room, rest]);
  useClickOutside(
    rest,
    ['click'],
    [sideNode, buttonNode].filter((node) => node !== null),
    over,
  );
  useBackCloses(over, close);
  useWindowEvent('keydown', (event) => {
    if (over && event.key === 'Escape') close();
  });
  // A drawer takes the focus in; what widens beside the page stays under the hand that opened it.
  useEffect(() => {
    if (covers) sideNode?.querySelector<HTMLElement>('button, a')?.focus();
  }, [covers, sideNode]);

  return {
    classNames: menuClassNames(state),
    open: parts.main !== 'hidden',
    drawer: isDrawer(state),
    covers,
    rail: menuClassNames(state).includes('menu-sub-hidden') && parts.sub !== 'temporary',
    unfoldedId: parts.sub !== 'hidden' && state.hasSubEntries ? (current?.id ?? null) : null,
    selectedId: selected?.id ?? null,
    toggle: () => {
      setClicks(pressed(state).clicks);
      announceMove();
    },
    close,
    unfold: (id) => {
      const shown = parts.sub !== 'hidden' && current?.id === id;
      // Beside the page and in a drawer only the sub-entries go. A rail that widened over the page goes back as a
      // whole.
      if (shown && over && !covers) rest();
      else {
        setUnfoldedId(shown ? NONE : id);
        setClicks(unfolded(state).clicks);
      }
      announceMove();
    },
    side: setSideNode,
    button: setButtonNode,
  };
}

/** The page's width in px. Resizes that a script made up, such as ours, are no news. */
function usePageWidth(): number {
  const [width, setWidth] = useState(() => window.innerWidth);
  useWindowEvent('resize', (event) => {
    if (event.isTrusted) setWidth(window.innerWidth);
  });
  return width;
}

function useMoveAnnouncement(): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => window.dispatchEvent(new Event('resize')), RESIZE_AFTER);
  };
}
