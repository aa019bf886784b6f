/** One notice: a link to its subject, and a button that marks it as read. */
import type { Notice, NoticeKind } from '@fieldroom/contract/notices';
import { MY_EVENTS_PAGE, PACKAGE_PAGE, THERAPIST_ROOM } from '@fieldroom/contract/pages';
import { ActionIcon } from '@mantine/core';
import {
  type Icon,
  IconCalendarCheck,
  IconCalendarX,
  IconCheck,
  IconDoorEnter,
  IconReceipt,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { Tooltip } from '../../../ui/controls/Tooltip.tsx';
import { aboutWords, sentence, whenWords } from '../noticesWords.ts';
import styles from './NoticesPanel.module.css';

const ICONS: Readonly<Record<NoticeKind, Icon>> = {
  booked: IconCalendarCheck,
  cancelled: IconCalendarX,
  arrival: IconDoorEnter,
  bill: IconReceipt,
};

export interface NoticeItemProps {
  notice: Notice;
  /** Product time in milliseconds. */
  now: number;
  onRead(): void;
  onFollow(): void;
}

/** The caller marks it as read in `onFollow` (docs/product.md#11.23). */
export function NoticeItem({ notice, now, onRead, onFollow }: NoticeItemProps) {
  const { t } = useTranslation('notices');
  const language = currentLanguage();
  const KindIcon = ICONS[notice.kind];
  const words = sentence(t, notice, language);
  const about = aboutWords(notice, language);
  return (
    <li className={styles.item} data-unread={notice.read ? undefined : true}>
      <Way notice={notice} onFollow={onFollow}>
        <KindIcon size={22} stroke={1.75} aria-hidden />
        <span className={styles.words}>
          <span className={styles.sentence}>
            {notice.read ? null : <span className="fr-hidden">{t('unread')}: </span>}
            {words}
          </span>
          {about === null ? null : <span className={styles.about}>{about}</span>}
          <time dateTime={notice.at} className={styles.when}>
            {whenWords(Date.parse(notice.at), now, language)}
          </time>
        </span>
      </Way>
      {notice.read ? null : (
        <Tooltip label={t('markOne')} side="left">
          <ActionIcon
            size={44}
            variant="transparent"
            className={styles.mark}
            aria-label={t('markOneOf', { words })}
            onClick={onRead}
          >
            <span className={styles.dot} aria-hidden />
            <IconCheck size={20} stroke={2} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  );
}

/** Leads to the participants of the event, the bills, or the room. */
function Way({ notice, onFollow, children }: { notice: Notice; onFollow(): void; children: ReactNode }) {
  const common = { className: styles.way ?? '', onClick: onFollow, children };
  switch (notice.kind) {
    case 'arrival':
      return <Link to={THERAPIST_ROOM} {...common} />;
    case 'bill':
      return <Link to={PACKAGE_PAGE} hash="bills-title" {...common} />;
    default:
      return <Link to={MY_EVENTS_PAGE} search={{ participants: notice.event.id }} {...common} />;
  }
}
