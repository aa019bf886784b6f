/** A menu whose code is fetched when it is opened for the first time. */
import type { Menu as MantineMenu, MenuProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import {
  cloneElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useOpened } from '../dialogs/backCloses.ts';
import { lazyPart } from './lazyPart.ts';
import { takeBackNotFetched, tellNotFetched } from './notFetched.ts';

/** The menu's code, for `useWarmUp`. */
export const lazyMenu = lazyPart(() => import('./kitMenu.ts').then((module) => module.Menu));

/** The parts that make up a menu. */
export type MenuParts = typeof MantineMenu;
interface LazyMenuProps extends Pick<
  MenuProps,
  'position' | 'width' | 'closeOnItemClick' | 'withinPortal' | 'onExitTransitionEnd'
> {
  /** The button that opens it. */
  target: ReactElement<Record<string, unknown>>;
  className?: string;
  maxWidth?: number;
  /** The entries, given the menu's parts. */
  children(parts: MenuParts): ReactNode;
}

/** Counts the presses that wait for the menu's code: only the last one opens its menu. */
let presses = 0;
/**
 * Starts to wait for the menu of a press. Takes its button. `end` returns true if nothing else was pressed in between,
 * neither by a pointer nor by a key in another element. So the menu never interrupts somebody who types in a field.
 * Where the focus is does not matter: it also moves automatically, and Safari gives a pressed button none.
 */
function awaitPress(button: HTMLElement): { end(): boolean } {
  presses += 1;
  const mine = presses;
  const elsewhere = () => {
    if (presses === mine) presses += 1;
  };
  const onKey = ({ target }: KeyboardEvent) => {
    if (target !== button && target !== document.body) elsewhere();
  };
  window.addEventListener('pointerdown', elsewhere);
  window.addEventListener('keydown', onKey, true);
  return {
    end() {
      window.removeEventListener('pointerdown', elsewhere);
      window.removeEventListener('keydown', onKey, true);
      return presses === mine;
    },
  };
}

/**
 * A menu whose code is fetched, and which is mounted, at its first opening. Until then only its button is there and
 * says the same to a screen reader; the press is kept until the code has arrived.
 */
export function LazyMenu(props: LazyMenuProps) {
  // Also when the code is loaded: most menus are never opened, and each costs as much as ten buttons.
  const [real, setReal] = useState<{ parts: MenuParts; openNow: boolean } | null>(null);
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  if (real) return <RealMenu {...props} {...real} />;
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const press = awaitPress(event.currentTarget);
    const failed = () => {
      if (press.end() && !gone.current) tellNotFetched(lazyMenu);
    };
    lazyMenu.load().then((parts) => {
      takeBackNotFetched(lazyMenu);
      // Always end it, because it listens.
      const stands = press.end();
      if (stands && !gone.current) setReal({ parts, openNow: true });
    }, failed);
  };
  return cloneElement(props.target, { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick });
}

function RealMenu({
  parts: Parts,
  openNow,
  target,
  className,
  maxWidth,
  children,
  ...menuProps
}: LazyMenuProps & { parts: MenuParts; openNow: boolean }) {
  const { opened, onChange: setOpened } = useOpened();
  const button = useRef<HTMLButtonElement>(null);
  const ref = useMergedRef(button, (target.props['ref'] as Ref<HTMLButtonElement> | undefined) ?? null);
  // The button is not the same element as the one that was pressed: focus it first, so that the menu knows where to
  // return the focus.
  useLayoutEffect(() => {
    if (openNow) button.current?.focus({ preventScroll: true });
  }, [openNow]);
  useEffect(() => {
    if (openNow) setOpened(true);
  }, [openNow, setOpened]);
  return (
    <Parts withinPortal opened={opened} onChange={setOpened} {...menuProps}>
      <Parts.Target>{cloneElement(target, { ref })}</Parts.Target>
      <Parts.Dropdown {...(className ? { className } : {})} {...(maxWidth ? { maw: maxWidth } : {})}>
        {children(Parts)}
      </Parts.Dropdown>
    </Parts>
  );
}
