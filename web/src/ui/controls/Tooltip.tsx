/**
 * The words for an icon without text, shown beside it while it is hovered or has keyboard focus. It is our own, because
 * the kit's adds a positioning library of 20 kB to every page.
 */
import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import styles from './Tooltip.module.css';

/** A mouse that only passes opens no tooltip. */
export const OPEN_DELAY_MS = 400;
/** Distance from the words to their element, and to the edge of the screen. */
const GAP = 5;

type Side = 'bottom' | 'right' | 'left';
export interface TooltipProps {
  /** The same as the name that screen readers know already: nothing refers to the tooltip, or they would say it
   * twice. */
  label: string;
  side?: Side;
  disabled?: boolean;
  /** One element. */
  children: ReactNode;
}

/**
 * Opens after 400 ms of hovering, and at once on keyboard focus; never for a finger. Escape and a press close it.
 */
export function Tooltip({ label, side = 'bottom', disabled = false, children }: TooltipProps) {
  const around = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [shown, setShown] = useState(false);
  const show = () => setShown(true);
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    setShown(false);
  }, []);
  useEffect(() => hide, [hide]);
  // Otherwise it would appear by itself once it is enabled again.
  useEffect(() => {
    if (disabled) hide();
  }, [disabled, hide]);
  const onEnter = ({ pointerType }: PointerEvent) => {
    // A finger presses at once, without hovering.
    if (pointerType !== 'touch') timer.current = setTimeout(show, OPEN_DELAY_MS);
  };
  return (
    <span
      ref={around}
      className={styles.around}
      onPointerEnter={onEnter}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={({ target }) => {
        if (target.matches(':focus-visible')) show();
      }}
      onBlur={hide}
    >
      {children}
      {shown && !disabled ? <Tip label={label} side={side} around={around} onGone={hide} /> : null}
    </span>
  );
}

interface TipProps {
  label: string;
  side: Side;
  around: RefObject<HTMLSpanElement | null>;
  onGone(): void;
}

function Tip({ label, side, around, onGone }: TipProps) {
  const tip = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const element = around.current?.firstElementChild;
    if (!tip.current || !element) return undefined;
    const words = tip.current;
    const place = () => {
      words.style.left = '0';
      words.style.top = '0';
      // Inside a panel with a transform, `position: fixed` is relative to the panel.
      const corner = words.getBoundingClientRect();
      const { left, top } = placeOf(element.getBoundingClientRect(), corner, side);
      words.style.left = `${left - corner.left}px`;
      words.style.top = `${top - corner.top}px`;
    };
    place();
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') onGone();
    };
    // The focus itself may scroll its element into view.
    const moved = { capture: true, passive: true } as const;
    window.addEventListener('scroll', place, moved);
    window.addEventListener('resize', place, moved);
    window.addEventListener('keydown', onKey, true);
    return () => {
      window.removeEventListener('scroll', place, moved);
      window.removeEventListener('resize', place, moved);
      window.removeEventListener('keydown', onKey, true);
    };
  }, [around, side, label, onGone]);
  return (
    <span ref={tip} role="tooltip" className={styles.tip}>
      {label}
    </span>
  );
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
  width: number;
  height: number;
}

/** Returns where the words are placed beside an element, within the window. Px from the window's corner. */
export function placeOf(element: Box, tip: Pick<Box, 'width' | 'height'>, side: Side): { left: number; top: number } {
  const middle = element.top + element.height / 2 - tip.height / 2;
  const wanted = {
    bottom: { left: element.left + element.width / 2 - tip.width / 2, top: element.bottom + GAP },
    right: { left: element.right + GAP, top: middle },
    left: { left: element.left - GAP - tip.width, top: middle },
  }[side];
  const within = (value: number, size: number, whole: number) => Math.max(GAP, Math.min(value, whole - size - GAP));
  return {
    left: within(wanted.left, tip.width, window.innerWidth),
    top: within(wanted.top, tip.height, window.innerHeight),
  };
}
