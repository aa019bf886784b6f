/** What opens the bug report: the smiley in a bar, and an entry of a phone's menu. */
import { ActionIcon } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { MenuParts } from '../../ui/lazy/LazyMenu.tsx';

interface BugReportButtonProps {
  className?: string | undefined;
  opened: boolean;
  onPress(): void;
}

/**
 * The smiley (docs/product.md#12.26). `data-opens` lets the panel find it, to open below it and to give back the focus.
 */
export function BugReportButton({ className, opened, onPress }: BugReportButtonProps) {
  const { t } = useTranslation('bugReports');
  return (
    <ActionIcon
      size={44}
      className={className ?? ''}
      variant="transparent"
      color="gray"
      data-opens="bug-report"
      aria-label={t('ERROR_FORM.HOVER_MSG')}
      title={t('ERROR_FORM.HOVER_MSG')}
      aria-haspopup="dialog"
      aria-expanded={opened}
      onClick={onPress}
    >
      <IconMoodSmile size={22} stroke={1.75} aria-hidden />
    </ActionIcon>
  );
}

export interface BugReportItemProps {
  menu: MenuParts;
  onChoose(): void;
}

/** The entry at the end of a phone's "More" (docs/product.md#12.29). */
export function BugReportItem({ menu: Menu, onChoose }: BugReportItemProps) {
  const { t } = useTranslation('bugReports');
  return (
    <Menu.Item leftSection={<IconMoodSmile size={18} stroke={1.75} aria-hidden />} onClick={onChoose}>
      {t('title')}
    </Menu.Item>
  );
}
