/** Opens the panel of colours, whose code is fetched with the first opening. */
import { createElement, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart, useLazyPart } from '../../../ui/lazy/lazyPart.ts';
import styles from './ColourPanel.module.css';

const colourPanel = lazyPart(() => import('./ColourPanel.tsx').then((module) => module.ColourPanel));

export interface Colours {
  opened: boolean;
  /** Takes the element that gets the focus back. */
  open(opener: HTMLElement | null): void;
  close(): void;
}

/** Whether the panel is open, and functions that open and close it. Closing returns the focus to the opener. */
export function useColours(): Colours {
  const [opened, setOpened] = useState(false);
  const opener = useRef<HTMLElement | null>(null);
  const open = useCallback((from: HTMLElement | null) => {
    opener.current = from;
    setOpened(true);
  }, []);
  const close = useCallback(() => {
    setOpened(false);
    // Only after the panel has released it.
    requestAnimationFrame(() => opener.current?.focus());
  }, []);
  return { opened, open, close };
}

/** The panel, and a button for it at the edge that is visible only when the keyboard reaches it. */
export function ColoursPanel({ opened, open, close }: Colours) {
  const { t } = useTranslation('shell');
  const panel = useLazyPart(colourPanel, opened, close);
  return (
    <>
      <button
        type="button"
        className={styles.trigger}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={({ currentTarget }) => (opened ? close() : open(currentTarget))}
      >
        {t('colours.title')}
      </button>
      {panel && createElement(panel, { opened, onClose: close })}
    </>
  );
}
