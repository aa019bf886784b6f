/**
 * What the room needs only after an act: menus, dialogs, the bar of a figure. They come in files of their own, so that the
 * field stands sooner, and are fetched at the first sign of a hand, so that they are there when they are wanted.
 */
import type { Menu as MantineMenu, MenuProps } from '@mantine/core';
import {
  type ComponentType,
  cloneElement,
  createElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

interface Part<T> {
  get(): T | null;
  load(): Promise<T>;
}

/** In: how it is fetched. A fetch that failed is tried again at the next wish. */
function part<T>(fetchIt: () => Promise<T>): Part<T> {
  let there: T | null = null;
  let coming: Promise<T> | null = null;
  return {
    get: () => there,
    load() {
      coming ??= fetchIt().then(
        (value) => {
          there = value;
          return value;
        },
        (fault: unknown) => {
          coming = null;
          throw fault;
        },
      );
      return coming;
    },
  };
}

const menu = part(() => import('./menu.ts').then((module) => module.Menu));
const bar = part(() => import('./FigureBar.tsx').then((module) => module.FigureBar));
const dialogs = part(() => import('./RoomDialogs.tsx'));
const icons = part(() => import('./IconsDialog.tsx').then((module) => module.IconsDialog));

/** Out: the part once it is there and was wanted, else null: what nobody asked for costs no drawing. `onFailed` hears that it did not come. */
function usePart<T>(wantedPart: Part<T>, wanted: boolean, onFailed?: () => void): T | null {
  const [, redraw] = useState(0);
  const [everWanted, setEverWanted] = useState(wanted);
  if (wanted && !everWanted) setEverWanted(true);
  const failed = useRef(onFailed);
  useEffect(() => {
    failed.current = onFailed;
  });
  useEffect(() => {
    if (!wanted || wantedPart.get() !== null) return undefined;
    let gone = false;
    wantedPart.load().then(
      () => {
        if (!gone) redraw((count) => count + 1);
      },
      () => {
        if (!gone) failed.current?.();
      },
    );
    return () => {
      gone = true;
    };
  }, [wantedPart, wanted]);
  return everWanted ? wantedPart.get() : null;
}

/** So long after a sign, a press or a release nothing is fetched: a drag may begin, or its drop is being answered. */
const REST_MS = 500;

/** Runs work when the browser has nothing better to do; Safari before 18 does not know how to tell. */
function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work);
}

/**
 * Fetches what this room may need after the first move, touch or key, one part after the other, in quiet moments and never
 * while a button or finger is down: reading in a part costs more than a frame, and a figure in the hand would stutter.
 * Who wants a part sooner gets it at once. In: whose room it is.
 */
export function useWarmUp(as: 'therapist' | 'client'): void {
  useEffect(() => {
    const rest: Part<unknown>[] = as === 'therapist' ? [bar, menu, dialogs, icons] : [menu, dialogs];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pressed = false;
    let fetching = false;
    const next = () => {
      if (pressed || fetching || timer === undefined) return;
      const part = rest.shift();
      if (!part) {
        stop();
        return;
      }
      fetching = true;
      const done = () => {
        fetching = false;
        whenIdle(next);
      };
      part.load().then(done, done);
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => whenIdle(next), REST_MS);
    };
    const onDown = () => {
      pressed = true;
      wait();
    };
    const onUp = () => {
      pressed = false;
      wait();
    };
    const onSign = () => {
      if (timer === undefined) wait();
    };
    const heard = [
      ['pointermove', onSign],
      ['keydown', onSign],
      ['focusin', onSign],
      ['pointerdown', onDown],
      ['pointerup', onUp],
      ['pointercancel', onUp],
    ] as const;
    const stop = () => {
      clearTimeout(timer);
      timer = undefined;
      for (const [type, listener] of heard) window.removeEventListener(type, listener);
    };
    for (const [type, listener] of heard) window.addEventListener(type, listener, { passive: true });
    return stop;
  }, [as]);
}

/** The parts of which a menu is put together. */
export type MenuParts = typeof MantineMenu;
interface LateMenuProps extends Pick<MenuProps, 'position' | 'closeOnItemClick'> {
  /** The button that opens it. */
  target: ReactElement<Record<string, unknown>>;
  className?: string;
  maxWidth?: number;
  /** The entries, given the menu's parts. */
  children(parts: MenuParts): ReactNode;
}

/** Counts the presses that wait for the menu's code: the last one alone is meant. */
let presses = 0;
/** A press begins to wait. Out: how it ends; true when nobody has pressed anything since. */
function awaitedPress(): { end(): boolean } {
  presses += 1;
  const mine = presses;
  const elsewhere = () => {
    presses += 1;
  };
  window.addEventListener('pointerdown', elsewhere, { once: true });
  return {
    end() {
      window.removeEventListener('pointerdown', elsewhere);
      return presses === mine;
    },
  };
}

/**
 * A menu whose code comes at its first opening. Until then its button alone stands there and says the same to a screen
 * reader; the press is kept until the code is there.
 */
export function LateMenu(props: LateMenuProps) {
  const [real, setReal] = useState<{ parts: MenuParts; openNow: boolean } | null>(() => {
    const parts = menu.get();
    return parts && { parts, openNow: false };
  });
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  if (real) return <RealMenu {...props} {...real} />;
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const button = event.currentTarget;
    // Safari leaves the focus in the field where it was; Chromium has moved it to the button by now.
    const focusAtPress = document.activeElement;
    const press = awaitedPress();
    menu.load().then((parts) => {
      // Whoever has gone elsewhere meanwhile is not pulled back.
      const stays = [button, document.body, focusAtPress].includes(document.activeElement as HTMLElement);
      if (!gone.current && press.end() && stays) setReal({ parts, openNow: true });
    }, press.end);
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
}: LateMenuProps & { parts: MenuParts; openNow: boolean }) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // The button is another element than the one that was pressed: focus first, so that the menu knows where to give it back.
  useLayoutEffect(() => {
    if (openNow) button.current?.focus({ preventScroll: true });
  }, [openNow]);
  useEffect(() => {
    if (openNow) setOpened(true);
  }, [openNow]);
  return (
    <Parts withinPortal opened={opened} onChange={setOpened} {...menuProps}>
      <Parts.Target>{cloneElement(target, { ref: button })}</Parts.Target>
      <Parts.Dropdown {...(className ? { className } : {})} {...(maxWidth ? { maw: maxWidth } : {})}>
        {children(Parts)}
      </Parts.Dropdown>
    </Parts>
  );
}

/** Mounts a dialog closed and opens it then: it notes where the focus was at the moment of opening. */
function Opening<P extends { opened: boolean }>({ dialog: Dialog, given }: { dialog: ComponentType<P>; given: P }) {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return <Dialog {...given} opened={given.opened && ready} />;
}

type PropsOf<C> = C extends (props: infer P) => unknown ? P : never;
type QuestionProps = PropsOf<typeof import('./RoomDialogs.tsx').Question>;
type KeysProps = PropsOf<typeof import('./RoomDialogs.tsx').KeysDialog>;
type IconsProps = PropsOf<typeof import('./IconsDialog.tsx').IconsDialog>;
type BarProps = PropsOf<typeof import('./FigureBar.tsx').FigureBar>;

export function LateQuestion(props: QuestionProps) {
  const there = usePart(dialogs, props.opened, props.onNo);
  return there && <Opening dialog={there.Question} given={props} />;
}
export function LateKeysDialog(props: KeysProps) {
  const there = usePart(dialogs, props.opened, props.onClose);
  return there && <Opening dialog={there.KeysDialog} given={props} />;
}
export function LateIconsDialog(props: IconsProps) {
  const There = usePart(icons, props.opened, props.onClose);
  return There && <Opening dialog={There} given={props} />;
}
export function LateFigureBar(props: BarProps) {
  const there = usePart(bar, true);
  return there && createElement(there, props);
}
