/** The acts on an event, apart from opening its bookings. */
import type { OwnEvent } from '@fieldroom/contract/events';
import { eventPage, PROGRAM_PAGE } from '@fieldroom/contract/pages';
import { UnstyledButton } from '@mantine/core';
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
import { LazyMenu } from '../../../../ui/lazy/LazyMenu.tsx';
import { formatDay } from '../../formatting.ts';
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

/** The menu "more" of a row. Acts that are impossible in the event's state are left out. */
export function EventMenu({ event, changeable, empty, acts }: EventMenuProps) {
  const { t } = useTranslation('my-events');
  const day = formatDay(event.dates[0] ?? '', currentLanguage());
  const target = (
    <UnstyledButton className={styles.more} aria-label={t('list.more', { name: event.eventName, day })}>
      <IconDots {...ICON} />
    </UnstyledButton>
  );
  return (
    <LazyMenu target={target} position="bottom-end" width={240} withinPortal={false}>
      {(Parts) => (
        <>
          {changeable ? (
            <Parts.Item leftSection={<IconEdit {...ICON} />} onClick={() => acts.onEdit(event)}>
              {t('list.edit')}
            </Parts.Item>
          ) : null}
          <Parts.Item
            component={Link}
            to={PROGRAM_PAGE}
            search={{ copy: event.id } as never}
            leftSection={<IconCopy {...ICON} />}
          >
            {t('list.copy')}
          </Parts.Item>
          {changeable ? (
            <Parts.Item leftSection={<IconShare {...ICON} />} onClick={() => acts.onShare(event)}>
              {t('list.share')}
            </Parts.Item>
          ) : null}
          {event.deleted ? null : (
            <Parts.Item
              component="a"
              href={eventPage(event)}
              target="_blank"
              rel="noopener"
              leftSection={<IconExternalLink {...ICON} />}
            >
              {t('list.open')}
            </Parts.Item>
          )}
          {changeable && event.type === 'ONE_ON_ONE' ? (
            <Parts.Item leftSection={<IconCalendarX {...ICON} />} onClick={() => acts.onCancelBooking(event)}>
              {t('list.cancelBooking')}
            </Parts.Item>
          ) : null}
          {changeable ? <Parts.Divider /> : null}
          {changeable && empty ? (
            <Parts.Item leftSection={<IconEyeOff {...ICON} />} onClick={() => acts.onHide(event)}>
              {t('list.hide')}
            </Parts.Item>
          ) : null}
          {changeable ? (
            <Parts.Item color="danger" leftSection={<IconBan {...ICON} />} onClick={() => acts.onCancelEvent(event)}>
              {t('list.cancel')}
            </Parts.Item>
          ) : null}
        </>
      )}
    </LazyMenu>
  );
}
