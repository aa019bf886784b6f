/** The notices by day: each leads to its subject, and is marked as read by following it or by its button. */
import type { Notice } from '@fieldroom/contract/notices';
import { Button, Skeleton } from '@mantine/core';
import { IconBell, IconChecks } from '@tabler/icons-react';
import { useNetwork } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { useProductClock } from '../../../platform/time/useProductClock.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { SidePanel } from '../../../ui/dialogs/SidePanel.tsx';
import { dayAt } from '../../events/index.ts';
import { browserZone } from '../../../platform/i18n/formats.ts';
import { stateOf } from '../noticesModel.ts';
import { noticesQuery, useMarking } from '../noticesQuery.ts';
import { byDay, dayWords } from '../noticesWords.ts';
import { NoticeItem } from './NoticeItem.tsx';
import styles from './NoticesPanel.module.css';

export interface NoticesPanelProps {
  opened: boolean;
  /** Closes it and returns to the bell. */
  onDismiss(): void;
  /** Closes it for the page of a followed notice. */
  onLeave(): void;
}

/**
 * Fetches older notices on demand. "Mark all as read" marks the loaded ones; notices that arrived in between stay
 * unread.
 */
export function NoticesPanel({ opened, onDismiss, onLeave }: NoticesPanelProps) {
  const { t } = useTranslation('notices');
  return (
    <SidePanel opened={opened} onClose={onDismiss} size={420} wholePhone title={t('title')} close={t('close')}>
      <Content onLeave={onLeave} />
    </SidePanel>
  );
}

const useNoticesList = () => useInfiniteQuery(noticesQuery());

function Content({ onLeave }: { onLeave(): void }) {
  const { t } = useTranslation('notices');
  const { t: tc } = useTranslation('common');
  const query = useNoticesList();
  const marking = useMarking();
  const { online } = useNetwork();
  const state = stateOf(query.data);
  const notices = query.data?.pages.flatMap(({ content }) => content) ?? [];
  const older = useOlder(query);
  const retry = () => {
    if (notices.length > 0 && query.isFetchNextPageError) older.want();
    else void query.refetch();
  };
  return (
    <div className={styles.content}>
      {online ? null : <Callout>{tc('offline')}</Callout>}
      {state === null || notices.length === 0 ? null : (
        <Head unread={state.unread} busy={marking.busy} onAll={() => marking.mark({ upTo: state.revision })} />
      )}
      <div role="status" className={styles.told}>
        {marking.failed ? <Callout tone="fault">{t('markFailed')}</Callout> : null}
      </div>
      {query.error ? (
        <LoadFault
          text={`${t('failed')} ${problemText(sayProblem, query.error)}`}
          retry={tc('tryAgain')}
          onRetry={retry}
        />
      ) : null}
      {state === null && !query.error ? <Bones /> : null}
      {state !== null && notices.length === 0 ? <Nothing /> : null}
      {notices.length === 0 ? null : <Days notices={notices} onRead={(id) => marking.mark({ id })} onLeave={onLeave} />}
      {query.hasNextPage ? (
        <Button variant="default" loading={older.wanted} onClick={older.want}>
          {t('older')}
        </Button>
      ) : null}
      {notices.length > 0 && !query.hasNextPage ? <p className={styles.kept}>{t('kept')}</p> : null}
    </div>
  );
}

/**
 * The next page, wanted from the press until it is loaded or has failed. Refetching the whole list, as each new notice
 * does, aborts a fetch of the next page. So the next page waits for a refetch, and does not abort it either.
 */
function useOlder({ data, hasNextPage, isFetching, fetchNextPage }: ReturnType<typeof useNoticesList>) {
  const shown = data?.pages.length ?? 0;
  /** How many pages were shown at the press; null while no more are wanted. */
  const [pressedAt, setPressedAt] = useState<number | null>(null);
  const wanted = pressedAt !== null && shown <= pressedAt && hasNextPage;
  if (pressedAt !== null && !wanted) setPressedAt(null);
  useEffect(() => {
    if (!wanted || isFetching) return;
    void fetchNextPage().then(({ isFetchNextPageError }) => {
      if (isFetchNextPageError) setPressedAt(null);
    });
  }, [wanted, isFetching, fetchNextPage]);
  return { wanted, want: () => setPressedAt(shown) };
}

function Head({ unread, busy, onAll }: { unread: number; busy: boolean; onAll(): void }) {
  const { t } = useTranslation('notices');
  return (
    <div className={styles.head}>
      <p className={styles.state}>{unread === 0 ? t('allRead') : t('unreadCount', { count: unread })}</p>
      <Button
        variant="subtle"
        size="compact-md"
        disabled={unread === 0}
        loading={busy}
        leftSection={<IconChecks size={18} stroke={1.75} aria-hidden />}
        onClick={onAll}
      >
        {t('markAll')}
      </Button>
    </div>
  );
}

function Bones() {
  const { t: tc } = useTranslation('common');
  return (
    <div className={styles.bones} role="status" aria-busy="true" aria-label={tc('loading')}>
      <Skeleton height={20} width={88} radius={8} />
      {[1, 2, 3].map((key) => (
        <Skeleton key={key} height={72} radius={12} />
      ))}
    </div>
  );
}

function Nothing() {
  const { t } = useTranslation('notices');
  return (
    <div className={styles.none}>
      <IconBell size={28} stroke={1.5} aria-hidden />
      <h3>{t('none')}</h3>
      <p>{t('noneText')}</p>
    </div>
  );
}

const TICK_MS = 30_000;

/** The product's time, in milliseconds, updated twice a minute. */
function useNow(): number {
  const clock = useProductClock();
  const [, draw] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => draw((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return clock();
}

interface DaysProps {
  notices: readonly Notice[];
  onRead(id: number): void;
  onLeave(): void;
}

function Days({ notices, onRead, onLeave }: DaysProps) {
  const now = useNow();
  const today = dayAt(now, browserZone());
  return byDay(notices).map(({ day, notices: ofDay }) => (
    <section key={day} aria-labelledby={`notices-${day}`}>
      <h3 id={`notices-${day}`} className={styles.day}>
        {dayWords(day, today, currentLanguage())}
      </h3>
      <ul className={styles.items}>
        {ofDay.map((notice) => (
          <NoticeItem
            key={notice.id}
            notice={notice}
            now={now}
            onRead={() => onRead(notice.id)}
            onFollow={() => {
              if (!notice.read) onRead(notice.id);
              onLeave();
            }}
          />
        ))}
      </ul>
    </section>
  ));
}
