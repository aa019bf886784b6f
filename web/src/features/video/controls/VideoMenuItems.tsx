/** The video's entries in a phone's menu while this person takes part: the layouts, devices, and leaving the video. */
import { IconAdjustmentsHorizontal, IconPlayerStop, IconVideoMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { MenuParts } from '../../../ui/lazy/LazyMenu.tsx';
import { LayoutItems } from './LayoutItems.tsx';
import { takesPart, useVideoPart, useVideoStore } from '../store/useVideo.ts';

interface VideoMenuItemsProps {
  menu: MenuParts;
  as: 'therapist' | 'client';
  /** Opens the dialog of devices, which has to outlive the menu. */
  onDevices(): void;
}

/** Entries of "More" on a phone; none while this person does not take part. */
export function VideoMenuItems({ menu: Menu, as, onDevices }: VideoMenuItemsProps) {
  const { t } = useTranslation('video');
  const store = useVideoStore();
  const taking = useVideoPart(takesPart);
  if (!taking) return null;
  const StopIcon = as === 'therapist' ? IconPlayerStop : IconVideoMinus;
  return (
    <>
      <Menu.Label>{t('layout.label')}</Menu.Label>
      <LayoutItems menu={Menu} />
      <Menu.Divider />
      <Menu.Item leftSection={<IconAdjustmentsHorizontal size={18} stroke={1.75} aria-hidden />} onClick={onDevices}>
        {t('control.options')}
      </Menu.Item>
      <Menu.Item
        leftSection={<StopIcon size={18} stroke={1.75} aria-hidden />}
        data-video="stop"
        onClick={() => void store.leave()}
      >
        {t(as === 'therapist' ? 'control.stop' : 'control.leave')}
      </Menu.Item>
      <Menu.Divider />
    </>
  );
}
