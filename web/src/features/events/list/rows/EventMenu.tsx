/** What can be done with an event beside looking at who is booked. */
import type { OwnEvent } from '@fieldroom/contract/events';
import { Menu, UnstyledButton } from '@mantine/core';
import {
  IconBan,
  IconCalendarX,
  IconCopy,
  IconDots,
  IconEdit,
  IconExternalLink,
  IconEyeOff,
  IconShare,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../../platform/i18n/app.ts';
import { useOpened } from '../../../../ui/dialogs/backCloses.ts';
import { formatDay } from '../../formatting.ts';
import { publicPath } from '../shareEvent.ts';
import styles from './EventRow.module.css';

export interface EventActs {
  onAttendees(event: OwnEvent): void;
  onEdit(event: OwnEvent): void;
  onShare(event: OwnEvent): void;
  onCancelEvent(event: OwnEvent): void;
  onCancelBooking(event: OwnEvent): void;
  onHide(event: OwnEvent): void;
  /** A hold of an event has ended since it was fetched. */
  onHoldEnded(): void;
}

export interface EventMenuProps {
  event: OwnEvent;
  /** It is neither over nor cancelled nor deleted. */
  changeable: boolean;
  /** Nobody is booked. */
  empty: boolean;
  acts: EventActs;
}

const ICON = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

export function EventMenu({ event, changeable, empty, acts }: EventMenuProps) {
  const { t } = useTranslation('my-events');
  const menu = useOpened();
  const day = formatDay(event.dates[0] ?? '', currentLanguage());
  return (
    <Menu {...menu} position="bottom-end" width={240} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={styles.more} aria-label={t('list.more', { name: event.eventName, day })}>
          <IconDots {...ICON} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {changeable ? (
          <Menu.Item leftSection={<IconEdit {...ICON} />} onClick={() => acts.onEdit(event)}>
            {t('list.edit')}
          </Menu.Item>
        ) : null}
        <Menu.Item
          component={Link}
          to="/app/program"
          search={{ copy: event.id } as never}
          leftSection={<IconCopy {...ICON} />}
        >
          {t('list.copy')}
        </Menu.Item>
        {changeable ? (
          <Menu.Item leftSection={<IconShare {...ICON} />} onClick={() => acts.onShare(event)}>
            {t('list.share')}
          </Menu.Item>
        ) : null}
        {event.deleted ? null : (
          <Menu.Item
            component="a"
            href={publicPath(event)}
            target="_blank"
            rel="noopener"
            leftSection={<IconExternalLink {...ICON} />}
          >
            {t('list.open')}
          </Menu.Item>
        )}
        {changeable && event.type === 'ONE_ON_ONE' ? (
          <Menu.Item leftSection={<IconCalendarX {...ICON} />} onClick={() => acts.onCancelBooking(event)}>
            {t('list.cancelBooking')}
          </Menu.Item>
        ) : null}
        {changeable ? <Menu.Divider /> : null}
        {changeable && empty ? (
          <Menu.Item leftSection={<IconEyeOff {...ICON} />} onClick={() => acts.onHide(event)}>
            {t('list.hide')}
          </Menu.Item>
        ) : null}
        {changeable ? (
          <Menu.Item color="danger" leftSection={<IconBan {...ICON} />} onClick={() => acts.onCancelEvent(event)}>
            {t('list.cancel')}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
