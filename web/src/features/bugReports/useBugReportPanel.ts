/** The bug report's panel, below its opener. Its code and texts are fetched with the first press. */
import { createElement, type ReactNode, useCallback, useState } from 'react';
import { loadWords } from '../../platform/i18n/app.ts';
import { lazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';
import type { BugReportPanelProps } from './BugReportPanel.tsx';

const panelPart = lazyPart(async () => {
  const [{ BugReportPanel }] = await Promise.all([import('./BugReportPanel.tsx'), loadWords(['bugReports'])]);
  return BugReportPanel;
});

/** Looked up each time: a page that is resized has another opener. */
const findOpener = () =>
  document.querySelector<HTMLElement>('[data-opens="bug-report"]') ??
  document.querySelector<HTMLElement>('[data-room="more"]');

/** Whether the focus is in the panel or lost, because the element that had it is gone. */
function mayMoveFocus(): boolean {
  const focus = document.activeElement;
  return focus === null || focus === document.body || focus.closest('[data-bug-report]') !== null;
}

export interface OpenedBugReport {
  opened: boolean;
  open(): void;
  close(): void;
  /** Drawn where it stays mounted while its opener comes and goes. */
  panel: ReactNode;
}

/**
 * Opens and closes the panel and fetches it with the first press. Returns the panel as a node for the caller to draw.
 * Closing returns the focus to the opener, unless the person has moved on (docs/product.md#12.29).
 */
export function useBugReportPanel(): OpenedBugReport {
  const [below, setBelow] = useState<BugReportPanelProps['below'] | null>(null);
  const open = useCallback(() => setBelow(findOpener()?.getBoundingClientRect() ?? null), []);
  const close = useCallback(() => {
    setBelow(null);
    // A person who continued in the room after sending stays there.
    if (mayMoveFocus()) findOpener()?.focus({ preventScroll: true });
  }, []);
  const panel = useLazyPart(panelPart, below !== null, close);
  return {
    opened: below !== null,
    open,
    close,
    panel: below && panel ? createElement(panel, { below, onClose: close }) : null,
  };
}
