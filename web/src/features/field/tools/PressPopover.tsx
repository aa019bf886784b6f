/**
 * A popover that is mounted when its button is pressed for the first time: a bar of them costs no more than buttons.
 */
import { Popover, type PopoverProps } from '@mantine/core';
import { cloneElement, type ReactElement, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useOpened } from '../../../ui/dialogs/backCloses.ts';

interface PressPopoverProps extends Pick<PopoverProps, 'position'> {
  /** The button that opens it. */
  target: ReactElement<Record<string, unknown>>;
  className?: string | undefined;
  /** Its content; a function gets a function that closes it. */
  children: ReactNode | ((close: () => void) => ReactNode);
}

/** Draws `target` as its button. The focus moves into the popover, stays inside and returns. */
export function PressPopover(props: PressPopoverProps) {
  const [pressed, setPressed] = useState(false);
  if (pressed) return <Mounted {...props} />;
  return cloneElement(props.target, {
    'aria-haspopup': 'dialog',
    'aria-expanded': false,
    onClick: () => setPressed(true),
  });
}

function Mounted({ target, className, children, position }: PressPopoverProps) {
  const { opened, onChange: setOpened } = useOpened();
  const button = useRef<HTMLButtonElement>(null);
  // The button is a new element, not the pressed one: focus it first, so that the popover knows where to return the
  // focus.
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
  useEffect(() => setOpened(true), [setOpened]);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      withinPortal
      trapFocus
      returnFocus
      shadow="md"
      position={position ?? 'top'}
    >
      <Popover.Target>{cloneElement(target, { ref: button, onClick: () => setOpened(!opened) })}</Popover.Target>
      <Popover.Dropdown {...(className ? { className } : {})}>
        {typeof children === 'function' ? children(() => setOpened(false)) : children}
      </Popover.Dropdown>
    </Popover>
  );
}
