/**
 * My events (/app/manage-events-client): a therapist's events, as list and calendar, and all acts on them.
 * `?participants=` opens the participants of an event.
 */
import type { EventFilter, OwnEvent } from '@fieldroom/contract/events';
import { PROGRAM_PAGE } from '@fieldroom/contract/pages';
import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { forgetAskedAhead } from '../../../platform/fetching/askedAhead.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { definedOnly } from '../../../platform/definedOnly.ts';
import { useProductClock } from '../../../platform/time/useProductClock.ts';
import { useWarmUp } from '../../../ui/lazy/lazyPart.ts';
import { eventQueries } from '../eventQueries.ts';
import { type EventList as WhichList, findBookings, getMyEvent } from '../eventsApi.ts';
import { browserZone } from '../../../platform/i18n/formats.ts';
import { dayAt } from '../dates/wallClock.ts';
import { type Asked, askedEvents } from './filter/askedEvents.ts';
import type { OpenDialog } from './dialogs/EventDialogs.tsx';
import { datesPopover, EventFilterBar } from './filter/EventFilterBar.tsx';
import { EventList } from './rows/EventList.tsx';
import type { EventActs } from './rows/EventMenu.tsx';
import { EventsCalendar } from './EventsCalendar.tsx';
import { eventDialogs, LazyEventDialogs } from './dialogs/LazyEventDialogs.tsx';
import { takePublished } from './outcome/justPublished.ts';
import { type Outcome, OutcomeNotice } from './outcome/OutcomeNotice.tsx';
import { publicAddress, shareEvent } from './shareEvent.ts';
import { useOutcome } from './outcome/useOutcome.ts';
import styles from './MyEventsPage.module.css';

export { fetchMyEventsAhead } from './fetchMyEventsAhead.ts';

type View = 'list' | 'calendar';
const LISTS: readonly WhichList[] = ['upcoming', 'past', 'cancelled'];
/** Fetched once the pointer moves: it is not visible before a press. */
const PRESSED = [eventDialogs, datesPopover];

/** The shown part of the events. */
interface Wanted {
  list: WhichList;
  filter: EventFilter;
  page: number;
}

/** Reports once, on arriving from the programme page, that an event is published. */
function useJustPublished(onOutcome: (outcome: Outcome) => void): void {
  const { t } = useTranslation('my-events');
  useEffect(() => {
    // Not while drawing: a drawing may be discarded and repeated, and would have consumed the report.
    const published = takePublished();
    if (published === null) return;
    getMyEvent(published).then(
      ({ event }) =>
        onOutcome({ text: t('told.published', { name: event.eventName }), tone: 'done', published: event }),
      () => onOutcome({ text: t('told.publishedPlain'), tone: 'done' }),
    );
  }, [t, onOutcome]);
}

/** Shares the link of an event and reports the result. */
function useSharing(onOutcome: (outcome: Outcome) => void): (event: OwnEvent) => void {
  const { t } = useTranslation('my-events');
  return useCallback(
    (event) => {
      void shareEvent(event).then((became) => {
        const url = publicAddress(event);
        if (became === 'copied') onOutcome({ text: t('told.copied', { url }), tone: 'done' });
        if (became === 'failed') onOutcome({ text: t('told.copyFailed', { url }), tone: 'fault' });
      });
    },
    [t, onOutcome],
  );
}

/** The rest of the address stays. */
const withoutParticipants = ({ participants: _closed, booking: _marked, ...others }: Asked): Asked => others;

/** The open dialog: one of the page's own, else the participants of the event that the address names. */
function useOpenDialog({ participants }: Asked) {
  const navigate = useNavigate();
  const [own, setOwn] = useState<OpenDialog | null>(null);
  const asked: OpenDialog | null = participants === undefined ? null : { kind: 'attendees', eventId: participants };
  const close = useCallback(() => {
    setOwn(null);
    if (participants !== undefined)
      void navigate({ to: '.', search: withoutParticipants as never, replace: true, resetScroll: false });
  }, [participants, navigate]);
  return { open: own ?? asked, setOpen: setOwn, close };
}

/**
 * Reads the initial list, keyword and day from the address, as a search or a notice leads here. Another address starts
 * a new page.
 */
export function MyEventsPage() {
  const asked = askedEvents(useSearch({ strict: false }));
  const { list, keyword, day } = asked;
  useEffect(() => forgetAskedAhead, []);
  return <MyEvents key={[list, keyword, day].join(' ')} asked={asked} />;
}

function MyEvents({ asked }: { asked: Asked }) {
  const { t } = useTranslation('my-events');
  const queries = useQueryClient();
  const [view, setView] = useState<View>('list');
  /** The day chosen in the calendar, kept while the list is shown; another filter starts at its own first day. */
  const [day, setDay] = useState<string | null>(null);
  const [wanted, setWanted] = useState<Wanted>(() => ({
    list: asked.list ?? 'upcoming',
    filter: definedOnly({ keyword: asked.keyword, dates: asked.day === undefined ? undefined : [asked.day] }),
    page: 0,
  }));
  /** How often the filter was cleared from the empty list: each time its fields start again. */
  const [clearings, setClearings] = useState(0);
  const refresh = useCallback(() => void queries.invalidateQueries({ queryKey: eventQueries.lists() }), [queries]);
  const { outcome, setOutcome, undo, newsHandlers } = useOutcome(refresh);
  const { open, setOpen, close } = useOpenDialog(asked);
  const clock = useProductClock();
  const today = dayAt(clock(), browserZone());

  useWarmUp(PRESSED);
  useJustPublished(setOutcome);
  const share = useSharing(setOutcome);
  const onFilter = useCallback((filter: EventFilter) => {
    setDay(null);
    setWanted((before) => ({ ...before, filter, page: 0 }));
  }, []);
  const onPage = useCallback((page: number) => setWanted((before) => ({ ...before, page })), []);
  const clearFilter = () => {
    setClearings(clearings + 1);
    onFilter({});
  };

  const acts = useMemo(
    (): EventActs => ({
      onAttendees: ({ id }) => setOpen({ kind: 'attendees', eventId: id }),
      onEdit: ({ id }) => setOpen({ kind: 'edit', eventId: id }),
      onShare: share,
      onCancelEvent: ({ id }) => setOpen({ kind: 'cancelEvent', eventId: id }),
      onCancelBooking: (event) => {
        findBookings(event.id).then(
          // Not on top of another dialog, opened while the answer was pending.
          (bookings) => setOpen((opened) => opened ?? { kind: 'cancelBooking', event, booking: bookings[0] ?? null }),
          (fault: unknown) => setOutcome({ text: problemText(sayProblem, fault), tone: 'fault' }),
        );
      },
      onHide: (event) => setOpen({ kind: 'hide', event }),
      onHoldEnded: refresh,
    }),
    [share, refresh, setOpen, setOutcome],
  );

  return (
    <>
      <div className={styles.top}>
        <Button component={Link} to={PROGRAM_PAGE} leftSection={<IconPlus size={20} stroke={1.75} aria-hidden />}>
          {t('list.create')}
        </Button>
      </div>
      <div className={styles.tools}>
        <Switches
          view={view}
          list={wanted.list}
          onView={setView}
          onList={(list) => setWanted({ ...wanted, list, page: 0 })}
        />
        <EventFilterBar key={clearings} filter={wanted.filter} today={today} onChange={onFilter} />
      </div>
      <OutcomeNotice outcome={outcome} newsHandlers={newsHandlers} onShare={share} onUndo={undo} />
      {view === 'calendar' ? (
        <EventsCalendar filter={wanted.filter} today={today} clock={clock} acts={acts} day={day} onDay={setDay} />
      ) : (
        // With a key: otherwise the previous list's rows stay under the chosen list if that can't be fetched.
        <EventList key={wanted.list} {...wanted} onPage={onPage} onClearFilter={clearFilter} acts={acts} />
      )}
      <LazyEventDialogs
        open={open}
        marked={asked.booking ?? null}
        onClose={close}
        onChanged={refresh}
        onOutcome={setOutcome}
      />
    </>
  );
}

interface SwitchesProps {
  view: View;
  list: WhichList;
  onView(view: View): void;
  onList(list: WhichList): void;
}

function Switches({ view, list, onView, onList }: SwitchesProps) {
  const { t } = useTranslation('my-events');
  return (
    <div className={styles.switches}>
      <SegmentedControl
        size="md"
        aria-label={t('list.view')}
        value={view}
        onChange={(value) => onView(value as View)}
        data={[
          { value: 'list', label: t('list.asList') },
          { value: 'calendar', label: t('list.asCalendar') },
        ]}
      />
      {view === 'list' ? (
        <SegmentedControl
          size="md"
          aria-label={t('list.which')}
          value={list}
          onChange={(value) => onList(value as WhichList)}
          data={LISTS.map((value) => ({ value, label: t(`list.${value}`) }))}
        />
      ) : null}
    </div>
  );
}
