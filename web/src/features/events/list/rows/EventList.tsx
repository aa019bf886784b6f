/** One page of the therapist's events as a list: loading, a fault, nothing found, or the rows and the pager below. */
import type { EventFilter } from '@fieldroom/contract/events';
import { hostPage } from '@fieldroom/contract/pages';
import { Button, Skeleton } from '@mantine/core';
import { IconWorld } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { storage } from '../../../../platform/storage.ts';
import { EmptyState } from '../../../../ui/states/EmptyState.tsx';
import { FigureIcon } from '../../../../ui/figures/index.ts';
import { PageButtons } from '../../../../ui/controls/PageButtons.tsx';
import { useAppearance } from '../../../../ui/theme/appearance.ts';
import { eventQueries, PAGE_SIZE } from '../../eventQueries.ts';
import type { EventList as WhichList } from '../../eventsApi.ts';
import { cityWords } from '../../eventWords.ts';
import { browserZone } from '../../../../platform/i18n/formats.ts';
import { EventLoadFault } from '../../dialog/EventLoadFault.tsx';
import { isFiltering } from '../filter/EventFilterBar.tsx';
import type { EventActs } from './EventMenu.tsx';
import { EventRow } from './EventRow.tsx';
import { useShown } from '../useShown.ts';
import styles from '../MyEventsPage.module.css';

const LIST = 'event-list';

export interface EventListProps {
  list: WhichList;
  filter: EventFilter;
  page: number;
  onPage(page: number): void;
  onClearFilter(): void;
  acts: EventActs;
}

/**
 * Leaves an empty last page automatically, after its last event was removed. A page has `PAGE_SIZE` events; `page`
 * counts from 0.
 */
export function EventList({ list, filter, page, onPage, onClearFilter, acts }: EventListProps) {
  const asked = useQuery(eventQueries.page(list, filter, page));
  const { shown, onPointerDown } = useShown(asked.data);
  const total = shown?.totalElements ?? 0;

  // The last event of the last page may be gone.
  useEffect(() => {
    if (shown && shown.content.length === 0 && shown.page > 0 && shown.totalElements > 0)
      onPage(Math.ceil(shown.totalElements / PAGE_SIZE) - 1);
  }, [shown, onPage]);

  return (
    <>
      {asked.error ? <EventLoadFault fault={asked.error} onRetry={() => void asked.refetch()} /> : null}
      {!shown && !asked.error ? <Bones /> : null}
      {shown?.content.length === 0 ? (
        <NothingFound list={list} filtering={isFiltering(filter)} onClear={onClearFilter} />
      ) : null}
      {shown && shown.content.length > 0 ? (
        // A press on a row belongs to the row where it began; see `useShown`.
        <ul id={LIST} tabIndex={-1} className={styles.list} aria-busy={asked.isFetching} onPointerDown={onPointerDown}>
          {shown.content.map((event) => (
            <EventRow key={event.id} event={event} clock={shown.clock} acts={acts} />
          ))}
        </ul>
      ) : null}
      {shown ? <Foot list={list} shown={shown.content.length} total={total} page={page} onPage={onPage} /> : null}
    </>
  );
}

/** Placeholders of the rows. */
function Bones() {
  const { t: tc } = useTranslation('common');
  return (
    <div className={styles.list} role="status" aria-busy="true" aria-label={tc('loading')}>
      {[1, 2, 3, 4].map((key) => (
        <div key={key} className={styles.bone}>
          <Skeleton height={58} radius={12} />
        </div>
      ))}
    </div>
  );
}

function NothingFound({ list, filtering, onClear }: { list: WhichList; filtering: boolean; onClear(): void }) {
  const { t } = useTranslation('my-events');
  const { scheme } = useAppearance();
  return (
    <EmptyState
      picture={
        <>
          <FigureIcon kind="FEMALE_FIGURE" tone="#2B549D" scheme={scheme} size={60} rotation={60} />
          <FigureIcon kind="MALE_FIGURE" tone="#D7739C" scheme={scheme} size={60} rotation={-50} />
        </>
      }
      title={filtering ? t('empty.filtered') : t(`empty.${list}.title`)}
      text={filtering ? t('empty.filteredText') : t(`empty.${list}.text`)}
    >
      {filtering ? (
        <Button variant="default" onClick={onClear}>
          {t('empty.clear')}
        </Button>
      ) : null}
    </EmptyState>
  );
}

interface FootProps {
  list: WhichList;
  /** Number of events on this page, and in all. */
  shown: number;
  total: number;
  page: number;
  onPage(page: number): void;
}

function Foot({ list, shown, total, page, onPage }: FootProps) {
  const { t } = useTranslation('my-events');
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const slug = storage.get('user')?.slug ?? '';
  return (
    <div className={styles.foot}>
      <p>{total > 0 ? t(`list.count.${list}`, { shown, count: total }) : null}</p>
      <PageButtons page={page} pages={pages} onPage={onPage} list={LIST} label={t('list.pages')} />
      <p className={styles.public}>
        <IconWorld size={18} stroke={1.75} aria-hidden />
        {t('list.yourTime', { city: cityWords(browserZone()) })} {t('list.publicPage')}{' '}
        <a href={hostPage(slug)} target="_blank" rel="noopener">
          {window.location.host}/event/{slug}
        </a>
      </p>
    </div>
  );
}
