/** The smiley that opens the bug report. The panel's code comes with the first press. */
import { ActionIcon } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { createElement, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart, useLazyPart } from '../../ui/lazy/lazyPart.ts';

const panelPart = lazyPart(async () => (await import('./BugReportPanel.tsx')).BugReportPanel);

export interface BugReportButtonProps {
  className?: string | undefined;
}

export function BugReportButton({ className }: BugReportButtonProps) {
  const { t } = useTranslation('bugReports');
  const button = useRef<HTMLButtonElement>(null);
  const [below, setBelow] = useState<{ bottom: number; right: number } | null>(null);
  const close = useCallback(() => {
    setBelow(null);
    button.current?.focus();
  }, []);
  const panel = useLazyPart(panelPart, below !== null, close);
  const toggle = () => {
    if (below) close();
    else setBelow(button.current?.getBoundingClientRect() ?? null);
  };
  return (
    <>
      <ActionIcon
        ref={button}
        size={44}
        className={className ?? ''}
        variant="transparent"
        color="gray"
        aria-label={t('ERROR_FORM.HOVER_MSG')}
        title={t('ERROR_FORM.HOVER_MSG')}
        aria-haspopup="dialog"
        aria-expanded={below !== null}
        onClick={toggle}
      >
        <IconMoodSmile size={22} stroke={1.75} aria-hidden />
      </ActionIcon>
      {below && panel ? createElement(panel, { below, onClose: close }) : null}
    </>
  );
}
