/** The side menu's state on a page: presses, the page's width, the expanded entry, and where the focus moves. */
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

/** Elements that depend on the page's width are measured again once the menu has moved. In ms. */
const RESIZE_AFTER = 350;

/** Stands for an entry whose sub-entries the person collapsed. */
const NONE = '';

export interface SideMenuState {
  classNames: readonly string[];
  /** Whether the menu button would hide something. */
  open: boolean;
  /** The menu is a drawer: hidden until the menu button is pressed. */
  drawer: boolean;
  /** A drawer covers the page, which is then inert. */
  covers: boolean;
  /** Only icons are visible: tooltips have their words. */
  rail: boolean;
  /** The id of the entry whose sub-entries are visible; null for none. */
  unfoldedId: string | null;
  /** The id of the entry that the page belongs to; null for none. */
  selectedId: string | null;
  toggle(): void;
  close(): void;
  /** Shows the sub-entries of an entry, or hides them. */
  unfold(id: string): void;
  /** The menu, and the button that controls it: a press on these hides nothing. */
  side: RefCallback<HTMLElement>;
  button: RefCallback<HTMLButtonElement>;
}

/** Takes the menu's entries. */
export function useSideMenu(entries: readonly MenuEntry[]): SideMenuState {
  // The page that the person navigated to, shown or still loading.
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const type = useMenuType();
  const width = usePageWidth();
  const selected = selectedEntry(entries, pathname);
  const [clicks, setClicks] = useState<MenuClicks>(0);
  // Null while the page decides, NONE when the person collapsed it.
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
    // Only once the page is no longer inert.
    requestAnimationFrame(() => buttonNode?.focus());
  }, [rest, buttonNode]);

  // Each navigation closes what covers the page, at its beginning: a press while the page is still loading stays in
  // effect.
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
  // A drawer takes the focus; a part that expands beside the page leaves it where it is.
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
      // Beside the page and in a drawer only the sub-entries close. A rail that expanded over the page closes as a
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

/** The page's width in px. Ignores resize events that a script dispatched, such as ours. */
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
