/** My events (/app/manage-events-client): what a therapist offers, as list and calendar, and all that can be done with it. */
import type { Booking } from '@fieldroom/contract/bookings';
import type { EventFilter, OwnEvent } from '@fieldroom/contract/events';
import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconPlus, IconWorld } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../platform/i18n/app.ts';
import { problemText } from '../../platform/i18n/faults.ts';
import { storage } from '../../platform/storage.ts';
import dialog from '../../ui/Dialog.module.css';
import { Dialog } from '../../ui/Dialog.tsx';
import { FigureIcon } from '../../ui/figures/index.ts';
import { Note } from '../../ui/Note.tsx';
import { useAppearance } from '../../ui/theme/appearance.ts';
import { CancelBookingDialog } from './CancelBookingDialog.tsx';
import { CancelEventDialog } from './CancelEventDialog.tsx';
import { EventEditDialog } from './EventEditDialog.tsx';
import { EventFilterBar, isFiltering } from './EventFilterBar.tsx';
import { type EventActs, EventRow, publicPath } from './EventRow.tsx';
import { EventsCalendar } from './EventsCalendar.tsx';
import { deleteEvent, type EventList, findBookings, findMyEvents, productNow } from './events.api.ts';
import { browserZone } from './events.format.ts';
import { ParticipantsDialog } from './ParticipantsDialog.tsx';
import { useLoaded } from './useLoaded.ts';
import { cityWords } from './words.ts';
import styles from './MyEventsPage.module.css';

const PAGE = 20;
const LISTS: readonly EventList[] = ['upcoming', 'past', 'cancelled'];

type Told = { text: string; tone: 'done' | 'fault' };

export function MyEventsPage() {
  const { t } = useTranslation('my-events');
  const { t: te } = useTranslation('events');
  const { t: tc } = useTranslation('common');
  const { scheme } = useAppearance();
  const [list, setList] = useState<EventList>('upcoming');
  const [view, setView] = useState<'list' | 'calendar'>('list');
  const [filter, setFilter] = useState<EventFilter>({});
  const [page, setPage] = useState(0);
  const [round, setRound] = useState(0);
  const [told, setTold] = useState<Told | null>(null);
  const [participants, setParticipants] = useState<number | null>(null);
  const [editing, setEditing] = useState<number | null>(null);
  const [cancelling, setCancelling] = useState<number | null>(null);
  const [hiding, setHiding] = useState<OwnEvent | null>(null);
  const [hidingBusy, setHidingBusy] = useState(false);
  const [unbooking, setUnbooking] = useState<{ event: OwnEvent; booking: Booking | null } | null>(null);

  const loaded = useLoaded(view === 'list' ? JSON.stringify([list, filter, page, round]) : null, async (signal) => {
    const [found, now] = await Promise.all([findMyEvents(list, filter, page, PAGE, signal), productNow(signal)]);
    return { ...found, now };
  });
  // What stood is shown until the next has come: nothing flickers while somebody types.
  const [shown, setShown] = useState<typeof loaded.data>(null);
  useEffect(() => {
    if (loaded.data && !loaded.busy) setShown(loaded.data);
  }, [loaded.data, loaded.busy]);
  const clock = useLoaded('clock', productNow);
  // This machine's clock, until the product's has answered.
  const [begun] = useState(() => Date.now());
  const now = shown?.now ?? clock.data ?? begun;
  const today = new Date(now).toISOString().slice(0, 10);
  const again = useCallback(() => setRound((before) => before + 1), []);
  const change = useCallback((next: EventFilter) => {
    setPage(0);
    setFilter(next);
  }, []);

  // The last one of a page may be gone.
  const total = shown?.totalElements ?? 0;
  useEffect(() => {
    if (shown && shown.content.length === 0 && shown.page > 0 && shown.totalElements > 0)
      setPage(Math.ceil(shown.totalElements / PAGE) - 1);
  }, [shown]);

  const share = async (event: OwnEvent) => {
    const url = `${window.location.origin}${publicPath(event)}`;
    if (navigator.share && window.matchMedia('(pointer: coarse)').matches) {
      // Whoever closes the sheet has decided; there is nothing to say.
      await navigator.share({ title: event.eventName, url }).catch(() => undefined);
      return;
    }
    try {
      await navigator.clipboard.writeText(url);
      setTold({ text: t('told.copied', { url }), tone: 'done' });
    } catch {
      setTold({ text: t('told.copyFailed', { url }), tone: 'fault' });
    }
  };
  const hide = async () => {
    if (!hiding) return;
    setHidingBusy(true);
    try {
      await deleteEvent(hiding.id);
      setTold({ text: t('told.hidden', { name: hiding.eventName }), tone: 'done' });
      setHiding(null);
      again();
    } catch (fault) {
      setHiding(null);
      setTold({ text: problemText(sayProblem, fault), tone: 'fault' });
      again();
    } finally {
      setHidingBusy(false);
    }
  };
  const acts: EventActs = {
    onParticipants: ({ id }) => setParticipants(id),
    onEdit: ({ id }) => setEditing(id),
    onShare: (event) => void share(event),
    onCancelEvent: ({ id }) => setCancelling(id),
    onCancelBooking: (event) => {
      findBookings(event.id).then(
        (bookings) => setUnbooking({ event, booking: bookings[0] ?? null }),
        (fault: unknown) => setTold({ text: problemText(sayProblem, fault), tone: 'fault' }),
      );
    },
    onHide: setHiding,
  };
  const slug = storage.get('user')?.joinLink ?? '';
  const events = shown?.content ?? [];
  const pages = Math.max(1, Math.ceil(total / PAGE));
  const filtering = isFiltering(filter);

  return (
    <>
      <div className={styles.top}>
        <Button component={Link} to="/app/program" leftSection={<IconPlus size={20} stroke={1.75} aria-hidden />}>
          {t('list.create')}
        </Button>
      </div>
      <div className={styles.tools}>
        <div className={styles.switches}>
          <SegmentedControl
            size="md"
            aria-label={t('list.view')}
            value={view}
            onChange={(value) => setView(value as 'list' | 'calendar')}
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
              onChange={(value) => {
                setList(value as EventList);
                setPage(0);
              }}
              data={LISTS.map((value) => ({ value, label: t(`list.${value}`) }))}
            />
          ) : null}
        </div>
        <EventFilterBar filter={filter} today={today} onChange={change} />
      </div>
      <div role="status" className={styles.told}>
        {told ? (
          <p data-tone={told.tone}>
            {told.tone === 'done' ? (
              <IconCircleCheck size={20} stroke={1.75} aria-hidden />
            ) : (
              <IconAlertCircle size={20} stroke={1.75} aria-hidden />
            )}
            <span>{told.text}</span>
          </p>
        ) : null}
      </div>
      {view === 'calendar' ? (
        <EventsCalendar filter={filter} today={today} now={now} round={round} acts={acts} />
      ) : (
        <>
          {loaded.problem ? (
            <Note tone="fault" role="alert">
              {problemText(sayProblem, loaded.problem)}{' '}
              <Button size="sm" variant="subtle" onClick={loaded.again}>
                {tc('tryAgain')}
              </Button>
            </Note>
          ) : null}
          {!shown && !loaded.problem ? (
            <div className={styles.list} role="status" aria-busy="true" aria-label={tc('loading')}>
              {[1, 2, 3, 4].map((key) => (
                <div key={key} className={styles.bone}>
                  <Skeleton height={58} radius={12} />
                </div>
              ))}
            </div>
          ) : null}
          {shown && events.length === 0 ? (
            <div className={styles.empty}>
              <div aria-hidden>
                <FigureIcon kind="FEMALE_FIGURE" tone="#2B549D" scheme={scheme} size={60} rotation={60} />
                <FigureIcon kind="MALE_FIGURE" tone="#D7739C" scheme={scheme} size={60} rotation={-50} />
              </div>
              <h2>{filtering ? t('empty.filtered') : t(`empty.${list}.title`)}</h2>
              <p>{filtering ? t('empty.filteredText') : t(`empty.${list}.text`)}</p>
              {filtering ? (
                <Button variant="default" onClick={() => change({})}>
                  {t('empty.clear')}
                </Button>
              ) : null}
            </div>
          ) : null}
          {events.length > 0 ? (
            <ul className={styles.list} aria-busy={loaded.busy}>
              {events.map((event) => (
                <EventRow key={event.id} event={event} now={now} acts={acts} />
              ))}
            </ul>
          ) : null}
          {shown ? (
            <div className={styles.foot}>
              <p>{total > 0 ? t(`list.count.${list}`, { shown: events.length, count: total }) : null}</p>
              {pages > 1 ? (
                <nav className={styles.pages} aria-label={t('list.pages')}>
                  <Button size="sm" variant="default" disabled={page === 0} onClick={() => setPage(page - 1)}>
                    {t('list.before')}
                  </Button>
                  <span>{t('list.page', { page: page + 1, pages })}</span>
                  <Button size="sm" variant="default" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
                    {t('list.after')}
                  </Button>
                </nav>
              ) : null}
              <p className={styles.public}>
                <IconWorld size={18} stroke={1.75} aria-hidden />
                {t('list.yourTime', { city: cityWords(te, browserZone()) })} {t('list.publicPage')}{' '}
                <a href={`/event/${encodeURIComponent(slug)}`} target="_blank" rel="noopener">
                  /event/{slug}
                </a>
              </p>
            </div>
          ) : null}
        </>
      )}

      <ParticipantsDialog
        key={`p${participants}`}
        eventId={participants}
        onClose={() => setParticipants(null)}
        onChanged={again}
      />
      <EventEditDialog
        eventId={editing}
        opened={editing !== null}
        onClose={() => setEditing(null)}
        onSaved={() => {
          setTold({ text: t('told.saved'), tone: 'done' });
          again();
        }}
      />
      <CancelEventDialog
        eventId={cancelling}
        onClose={() => {
          setCancelling(null);
          again();
        }}
        onCancelled={(letters) =>
          setTold({
            text: letters === 0 ? t('told.cancelledNobody') : t('told.cancelled', { count: letters }),
            tone: 'done',
          })
        }
      />
      {unbooking ? (
        <CancelBookingDialog
          opened
          event={unbooking.event}
          booking={unbooking.booking}
          onClose={() => setUnbooking(null)}
          onCancelled={(name) => {
            setUnbooking(null);
            setTold({ text: t('told.unbooked', { name }), tone: 'done' });
            again();
          }}
        />
      ) : null}
      <Dialog
        opened={hiding !== null}
        onClose={() => setHiding(null)}
        size={560}
        title={t('hide.title')}
        close={tc('close')}
        busy={hidingBusy}
        closeOnClickOutside
      >
        <p className={dialog.line}>{t('hide.text', { name: hiding?.eventName ?? '' })}</p>
        <div className={dialog.acts}>
          <Button variant="default" disabled={hidingBusy} onClick={() => setHiding(null)}>
            {t('hide.keep')}
          </Button>
          <Button color="danger" loading={hidingBusy} onClick={() => void hide()}>
            {t('hide.ok')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
