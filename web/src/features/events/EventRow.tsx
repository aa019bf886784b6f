/** One of the therapist's events in a list: day, picture, what and when, how full it is, and what can be done with it. */
import type { OwnEvent } from '@fieldroom/contract/events';
import { Button, Menu, UnstyledButton } from '@mantine/core';
import {
  IconBan,
  IconCalendarX,
  IconCopy,
  IconDots,
  IconEdit,
  IconExternalLink,
  IconEyeOff,
  IconRepeat,
  IconShare,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../platform/i18n/app.ts';
import { EventPicture } from './EventPicture.tsx';
import { pictureAddress } from './events.api.ts';
import { browserZone, formatDay, formatDays, formatPrice } from './events.format.ts';
import { cityWords } from './words.ts';
import styles from './EventRow.module.css';

export interface EventActs {
  onParticipants(event: OwnEvent): void;
  onEdit(event: OwnEvent): void;
  onShare(event: OwnEvent): void;
  onCancelEvent(event: OwnEvent): void;
  onCancelBooking(event: OwnEvent): void;
  onHide(event: OwnEvent): void;
}

export const publicPath = ({ therapistName, id }: Pick<OwnEvent, 'therapistName' | 'id'>): string =>
  `/event/${encodeURIComponent(therapistName)}/${id}`;

export function EventRow({
  event,
  now,
  acts,
  level: Heading = 'h2',
}: {
  event: OwnEvent;
  now: number;
  acts: EventActs;
  /** Where the list stands under a heading of its own, one deeper. */ level?: 'h2' | 'h3';
}) {
  const { t } = useTranslation('my-events');
  const { t: te } = useTranslation('events');
  const language = currentLanguage();
  const first = event.dates[0] ?? '';
  const file = event.files[0];
  const free = event.maximumParticipant - event.currentParticipantsNumber;
  const cancelled = event.status === 'CANCELLED';
  const over = Date.parse(event.endsOn) <= now;
  const changeable = !cancelled && !over && !event.deleted;
  const otherZone = event.timeZone !== browserZone();
  const where = event.isOnline ? t('online') : [event.eventLocation, event.address].filter(Boolean).join(', ');
  const places = cancelled
    ? t('list.cancelled')
    : event.currentParticipantsNumber === 0
      ? event.type === 'ONE_ON_ONE'
        ? t('vacant')
        : t('places.left', { count: free })
      : free <= 0
        ? t('places.full')
        : event.held > 0
          ? t('places.heldLeft', {
              held: t('places.held', { count: event.held }),
              left: t('places.leftShort', { count: free }),
            })
          : t('places.left', { count: free });

  return (
    <li className={styles.row} data-quiet={cancelled || over || undefined}>
      <span className={styles.day} aria-hidden>
        <span>{formatDay(first, language, { month: 'short' }).replace('.', '')}</span>
        <b>{Number(first.slice(8))}</b>
      </span>
      <span className={styles.picture}>
        <EventPicture address={file ? pictureAddress(event.id, file) : null} seed={event.seriesId} />
      </span>
      <div className={styles.what}>
        <Heading>
          {event.eventName}
          {event.repetitions.length > 0 || event.repetitionRule ? (
            <span className={styles.repeats} title={t('list.series')}>
              <IconRepeat size={18} stroke={1.75} aria-hidden />
              <span className="fr-hidden">{t('list.series')}</span>
            </span>
          ) : null}
        </Heading>
        <p>
          {event.dates.length > 1 || first.slice(0, 4) !== new Date(now).toISOString().slice(0, 4)
            ? `${formatDays(event.dates, language)} · `
            : null}
          {event.type === 'GROUP' ? t('group') : t('oneToOne')} · {where}
        </p>
        {cancelled && event.cancelReason ? (
          <p className={styles.reason}>{t('list.reason', { reason: event.cancelReason })}</p>
        ) : null}
      </div>
      <p className={styles.when}>
        <span>{t('times', { from: event.startTime, to: event.endTime })}</span>
        <span>
          {Number(event.price) === 0
            ? te('summary.free')
            : formatPrice(event.price, event.currency, language, { short: true })}
        </span>
        {otherZone ? <span>{t('list.zone', { city: cityWords(te, event.timeZone) })}</span> : null}
      </p>
      <div className={styles.places}>
        <p>
          <span>{t('places.of', { taken: event.currentParticipantsNumber, max: event.maximumParticipant })}</span>
          <span
            data-tone={cancelled ? 'cancelled' : event.held > 0 && free > 0 ? 'held' : free <= 0 ? 'full' : undefined}
          >
            {places}
          </span>
        </p>
        <svg className={styles.bar} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden focusable="false">
          <rect width="100" height="6" rx="1" className={styles.track} />
          <rect
            width={(100 * event.currentParticipantsNumber) / Math.max(1, event.maximumParticipant)}
            height="6"
            rx="1"
            className={styles.fill}
          />
        </svg>
      </div>
      <div className={styles.acts}>
        <Button
          size="sm"
          variant="default"
          aria-label={t('list.participantsOf', { name: event.eventName })}
          onClick={() => acts.onParticipants(event)}
        >
          {t('list.participants')}
        </Button>
        <Menu position="bottom-end" width={240} withinPortal={false}>
          <Menu.Target>
            <UnstyledButton
              className={styles.more}
              aria-label={t('list.more', { name: event.eventName, day: formatDay(first, language) })}
            >
              <IconDots size={20} stroke={1.75} aria-hidden />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {changeable ? (
              <Menu.Item
                leftSection={<IconEdit size={20} stroke={1.75} aria-hidden />}
                onClick={() => acts.onEdit(event)}
              >
                {t('list.edit')}
              </Menu.Item>
            ) : null}
            <Menu.Item
              component={Link}
              to="/app/program"
              search={{ copy: event.id } as never}
              leftSection={<IconCopy size={20} stroke={1.75} aria-hidden />}
            >
              {t('list.copy')}
            </Menu.Item>
            {changeable ? (
              <Menu.Item
                leftSection={<IconShare size={20} stroke={1.75} aria-hidden />}
                onClick={() => acts.onShare(event)}
              >
                {t('list.share')}
              </Menu.Item>
            ) : null}
            {event.deleted ? null : (
              <Menu.Item
                component="a"
                href={publicPath(event)}
                target="_blank"
                rel="noopener"
                leftSection={<IconExternalLink size={20} stroke={1.75} aria-hidden />}
              >
                {t('list.open')}
              </Menu.Item>
            )}
            {changeable && event.type === 'ONE_ON_ONE' ? (
              <Menu.Item
                leftSection={<IconCalendarX size={20} stroke={1.75} aria-hidden />}
                onClick={() => acts.onCancelBooking(event)}
              >
                {t('list.cancelBooking')}
              </Menu.Item>
            ) : null}
            {changeable ? (
              <>
                <Menu.Divider />
                {event.currentParticipantsNumber === 0 ? (
                  <Menu.Item
                    leftSection={<IconEyeOff size={20} stroke={1.75} aria-hidden />}
                    onClick={() => acts.onHide(event)}
                  >
                    {t('list.hide')}
                  </Menu.Item>
                ) : null}
                <Menu.Item
                  color="danger"
                  leftSection={<IconBan size={20} stroke={1.75} aria-hidden />}
                  onClick={() => acts.onCancelEvent(event)}
                >
                  {t('list.cancel')}
                </Menu.Item>
              </>
            ) : null}
          </Menu.Dropdown>
        </Menu>
      </div>
    </li>
  );
}
