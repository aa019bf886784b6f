/**
 * One's own booking behind the private link: what it is, the calendar file, cancelling, and the way into an online
 * event's room.
 */
import { CLIENT_ROOM, DASHBOARD_PAGE, eventPage, hostPage } from '@fieldroom/contract/pages';
import {
  type BookingView,
  viewBooking,
  enterBookedRoom,
  cancelBooking,
  sendBookingLink,
} from '@fieldroom/contract/bookings';
import { fullName } from '@fieldroom/contract/names';
import { useRef, useState } from 'react';
import { ApiProblem } from '../../../../platform/api/request.ts';
import { joinPath, forgetPerson, keepSeat, storage, therapistSignedInHere } from '../../../../platform/storage.ts';
import { anonymousApi } from '../../anonymousApi.ts';
import { Alert } from '../../../../light/controls.tsx';
import { dayAt, formatDay } from '../../../events/index.ts';
import { browserZone } from '../../../../platform/i18n/formats.ts';
import { useProductClock, useSecondsUntil } from '../../frame/productClock.ts';
import { Arriving, Booked, CalendarButton, hostOf, useLook } from './bookingByToken.tsx';
import { announceAnswer } from '../../sessionStorage.ts';
import { NoticePage } from '../../frame/NoticePages.tsx';
import { timeAt } from '../../event/eventTimes.ts';
import { shownLanguage, usePublicWords } from '../../usePublicWords.ts';
import parts from '../../frame/parts.module.css';
import buttons from '../../../../light/buttons.module.css';
import styles from './OwnBookingPage.module.css';

/**
 * Takes the token of the private link, null if the address had none (docs/product.md#9.13). The room can be entered
 * from 30 minutes before the start until the end.
 */
export function OwnBookingPage({ token }: { token: string | null }) {
  const { view, problem, look } = useLook(token, viewBooking);
  if (view === null || token === null) return <Arriving token={token} problem={problem} onAgain={() => void look()} />;
  return <OwnBooking token={token} view={view} onLook={look} />;
}

/** The shown state of a booking; the event's state comes first. */
type Shown = 'eventCancelled' | 'confirmed' | 'over' | 'held' | 'expired' | 'closed' | 'declined' | 'cancelled';
const LIVE: readonly Shown[] = ['confirmed', 'held'];

function OwnBooking({ token, view, onLook }: { token: string; view: BookingView; onLook(): Promise<void> }) {
  const { t, language } = usePublicWords();
  const { event } = view;
  const [gaveBack, setGaveBack] = useState(false);
  const clock = useProductClock(true, view.asOf);
  const begun = useSecondsUntil(clock, event.startsOn) === 0;
  const ended = useSecondsUntil(clock, event.endsOn) === 0;
  const ranOut = useSecondsUntil(clock, view.heldUntil) === 0;

  const shown = (): Shown => {
    if (event.status === 'CANCELLED') return 'eventCancelled';
    if (gaveBack || view.state === 'CANCELLED') return 'cancelled';
    if (view.state === 'DECLINED') return 'declined';
    if (view.state === 'CONFIRMED') return ended ? 'over' : 'confirmed';
    if (begun) return 'closed';
    return view.state === 'EXPIRED' || ranOut ? 'expired' : 'held';
  };
  const state = shown();
  const live = LIVE.includes(state);
  const words = {
    name: event.therapistFirstName,
    firstName: view.firstName,
    time: view.heldUntil === null ? '' : timeAt(Date.parse(view.heldUntil), browserZone()),
  };
  // Once the event has begun nothing can be booked again.
  const again = (state === 'cancelled' || state === 'declined' || state === 'expired') && !begun;
  const text = begun && (state === 'cancelled' || state === 'declined') ? 'email.begun' : `private.${state}.text`;
  return (
    <NoticePage
      title={t(`private.${state}.title`, words)}
      text={<span role="status">{t(text, words)}</span>}
      host={hostOf(view)}
      hidden
    >
      <Booked view={view} />
      {state === 'confirmed' && view.roomOpen ? (
        <Room token={token} open={view.roomOpen} clock={clock} onLook={onLook} />
      ) : null}
      {state === 'confirmed' ? (
        <div className={parts.actions}>
          <CalendarButton token={token} main={view.roomOpen === null} />
        </div>
      ) : null}
      <p className={parts.small}>
        {t(view.places > 1 ? 'private.bookedAsSeveral' : 'private.bookedAs', {
          count: view.places - 1,
          name: fullName(language, view),
          email: view.email,
        })}
      </p>
      {live ? <ComeBack token={token} email={view.email} held={state === 'held'} onLook={onLook} /> : null}
      {live && !begun ? (
        <Cancel
          token={token}
          name={event.therapistFirstName}
          held={state === 'held'}
          onLook={onLook}
          onCancelled={() => {
            setGaveBack(true);
            announceAnswer({ eventId: event.id, email: view.email, state: 'CANCELLED' });
            void onLook();
          }}
        />
      ) : null}
      {live ? null : (
        <div className={parts.actions}>
          <a className={buttons.secondary} href={again ? eventPage(event) : hostPage(event.therapistName)}>
            {t(again ? 'email.toEvent' : 'email.toOthers')}
          </a>
        </div>
      )}
    </NoticePage>
  );
}

/**
 * How to return: the address bar holds no key. Sends the link to the booking's own address again; for a hold, the link
 * that confirms it.
 */
function ComeBack({
  token,
  email,
  held,
  onLook,
}: {
  token: string;
  email: string;
  held: boolean;
  onLook(): Promise<void>;
}) {
  const { t, refusal } = usePublicWords();
  const [busy, setBusy] = useState(false);
  const [sent, setSent] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const send = async () => {
    if (busy) return;
    setBusy(true);
    setSent(false);
    setProblem(null);
    try {
      await anonymousApi.call(sendBookingLink, { body: { token } });
      setSent(true);
    } catch (fault) {
      setProblem(fault);
      if (fault instanceof ApiProblem && (fault.code === 'booking_ended' || fault.code === 'event_cancelled'))
        await onLook();
    }
    setBusy(false);
  };
  return (
    <div className={styles.comeBack}>
      <p className={parts.small}>{t('private.comeBack')}</p>
      <button
        type="button"
        className={held ? buttons.secondary : `${parts.link} ${styles.flush}`}
        aria-disabled={busy}
        onClick={() => void send()}
      >
        {t(busy ? 'private.sending' : held ? 'private.sendConfirm' : 'private.sendLink')}
      </button>
      {problem ? <Alert>{refusal(problem)}</Alert> : null}
      <p role="status" className={parts.sent}>
        {sent ? t('private.linkSent', { email }) : ''}
      </p>
    </div>
  );
}

/** From half an hour before until the end: into the waiting room, under the booked name. Before that: from when. */
function Room({
  token,
  open,
  clock,
  onLook,
}: {
  token: string;
  open: NonNullable<BookingView['roomOpen']>;
  clock: ReturnType<typeof useProductClock>;
  onLook(): Promise<void>;
}) {
  const { t, language, refusal } = usePublicWords();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [blocked, setBlocked] = useState(false);
  const isOpen = useSecondsUntil(clock, open.from) === 0;

  const enter = async () => {
    if (busy) return;
    // One's own booking ends nobody's sign-in (docs/product.md#4.14: a therapist signed in here blocks the client's
    // entry).
    if (therapistSignedInHere(storage)) return setBlocked(true);
    setBusy(true);
    setProblem(null);
    try {
      const { token: seatToken, ...seat } = await anonymousApi.call(enterBookedRoom, { body: { token } });
      forgetPerson(storage);
      keepSeat(storage, { token: seatToken, client: seat.client, language: shownLanguage() });
      // The join page finds the seat and waits with it; the room is a page of the app.
      window.location.assign(seat.state === 'in' ? CLIENT_ROOM : joinPath(seat.client));
    } catch (fault) {
      setProblem(fault);
      setBusy(false);
      if (fault instanceof ApiProblem && (fault.code === 'booking_ended' || fault.code === 'event_cancelled'))
        await onLook();
    }
  };
  if (!isOpen) {
    const zone = browserZone();
    const from = Date.parse(open.from);
    return (
      <p className={parts.note}>
        {t('room.from', {
          day: formatDay(dayAt(from, zone), language, { weekday: 'long', day: 'numeric', month: 'long' }),
          time: timeAt(from, zone),
        })}
      </p>
    );
  }
  return (
    <div className={styles.room}>
      {problem ? <Alert>{refusal(problem)}</Alert> : null}
      {blocked ? (
        <div className={parts.note} role="alert">
          <p>{t('room.blocked')}</p>
          <a className={parts.link} href={DASHBOARD_PAGE}>
            {t('room.toDashboard')}
          </a>
        </div>
      ) : null}
      <button type="button" className={buttons.large} aria-disabled={busy} onClick={() => void enter()}>
        {t(busy ? 'room.entering' : 'room.enter')}
      </button>
    </div>
  );
}

/** Gives the place back, after a confirmation. */
function Cancel({
  token,
  name,
  held,
  onCancelled,
  onLook,
}: {
  token: string;
  name: string;
  held: boolean;
  onCancelled(): void;
  onLook(): Promise<void>;
}) {
  const { t, refusal } = usePublicWords();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const kept = useRef(false);
  const cancel = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await anonymousApi.call(cancelBooking, { body: { token } });
      onCancelled();
    } catch (fault) {
      setProblem(fault);
      setBusy(false);
      if (fault instanceof ApiProblem && fault.code === 'booking_ended') await onLook();
    }
  };
  if (!asked)
    return (
      <div className={styles.cancel}>
        <button
          type="button"
          // The question had the focus, and is gone.
          autoFocus={kept.current}
          className={`${parts.link} ${parts.muted} ${styles.flush}`}
          onClick={() => setAsked(true)}
        >
          {t('private.cancel')}
        </button>
      </div>
    );
  return (
    <div className={styles.question} role="group" aria-labelledby="cancel-question">
      <p id="cancel-question">{t(held ? 'private.sureHeld' : 'private.sure', { name })}</p>
      {problem ? <Alert>{refusal(problem)}</Alert> : null}
      <div className={`${parts.actions} ${styles.actions}`}>
        <button
          type="button"
          className={buttons.secondary}
          autoFocus
          aria-disabled={busy}
          onClick={() => {
            kept.current = true;
            if (!busy) setAsked(false);
          }}
        >
          {t('private.keep')}
        </button>
        <button type="button" className={buttons.danger} aria-disabled={busy} onClick={() => void cancel()}>
          {t(busy ? 'private.cancelling' : 'private.yesCancel')}
        </button>
      </div>
    </div>
  );
}
