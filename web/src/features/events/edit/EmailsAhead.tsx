/** Shows who will get an email about a change, before it is saved. */
import { Loader } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { listFormat } from '../../../platform/i18n/formats.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import { formatDays } from '../formatting.ts';
import { type Announcement, peopleIn } from './useAnnouncement.ts';

/** Number of dates that are listed; nobody reads more. */
const DATES_NAMED = 8;

/** Takes the announcement, and whether the person has to read it before the save continues. */
export function EmailsAhead({
  announcement: { told, problem },
  again,
}: {
  announcement: Announcement;
  again: boolean;
}) {
  const { t } = useTranslation('events');
  const language = currentLanguage();
  if (problem) return <Callout>{t('edit.emailsCannot')}</Callout>;
  if (told === null) return <Callout icon={AskingIcon}>{t('edit.emailsAsking')}</Callout>;
  if (peopleIn(told) === 0) return <Callout icon={IconMail}>{t('edit.emailsNone')}</Callout>;
  const list = listFormat(language);
  const [held, confirmed] = [
    told.reduce((sum, one) => sum + one.held, 0),
    told.reduce((sum, one) => sum + one.confirmed, 0),
  ];
  const people = list.format([
    ...(confirmed > 0 ? [t('edit.confirmed', { count: confirmed })] : []),
    ...(held > 0 ? [t('edit.held', { count: held })] : []),
  ]);
  const booked = told.filter((one) => one.held + one.confirmed > 0);
  const named = booked.slice(0, DATES_NAMED).map(({ dates }) => formatDays(dates, language));
  const dates = list.format([
    ...named,
    ...(booked.length > DATES_NAMED ? [t('summary.more', { count: booked.length - DATES_NAMED })] : []),
  ]);
  return (
    <Callout icon={IconMail}>
      {t('edit.emails', { people })}
      {told.length > 1 ? ` ${t('edit.emailsOn', { dates })}` : ''}
      {again ? ` ${t('edit.emailsAgain')}` : ''}
    </Callout>
  );
}

const AskingIcon = () => <Loader size={20} aria-hidden />;
