/** One's own booking behind the private link: what it is, the calendar file, cancelling, and the way into an online event's room. */
import type { BookingView } from '@fieldroom/contract/bookings';
import { useState } from 'react';
import { ApiProblem } from '../../platform/api/request.ts';
import { forgetPerson, keepSeat, storage, therapistSignedInHere } from '../../platform/storage.ts';
import { Alert } from '../../ui/light/parts.tsx';
import { browserZone, dayAt, formatDay } from '../events/index.ts';
import { api, CALLS } from './calls.ts';
import { useProductClock, useSecondsUntil } from './clock.ts';
import { Arriving, Booked, CalendarButton, hostOf, useLook } from './letters.tsx';
import { Still } from './Notices.tsx';
import { timeAt } from './when.ts';
import { shownLanguage, useWords } from './words.ts';

export function PrivatePage({ token }: { token: string | null }) {
  const { view, problem, look } = useLook(token, CALLS.view);
  if (view === null || token === null) return <Arriving token={token} problem={problem} onAgain={() => void look()} />;
  return <OwnBooking token={token} view={view} onLook={look} />;
}

function OwnBooking({ token, view, onLook }: { token: string; view: BookingView; onLook(): Promise<void> }) {
  const { t } = useWords();
  const { event } = view;
  const [cancelled, setCancelled] = useState(false);
  const clock = useProductClock();
  const begun = useSecondsUntil(clock, event.startsOn) === 0;
  const ended = useSecondsUntil(clock, event.endsOn) === 0;

  const off = event.status === 'CANCELLED';
  const gone = cancelled || view.state !== 'CONFIRMED';
  const state = off
    ? 'eventCancelled'
    : cancelled || view.state === 'CANCELLED'
      ? 'cancelled'
      : gone
        ? 'open'
        : ended
          ? 'over'
          : 'confirmed';
  const words = { name: event.therapistFirstName, firstName: view.firstName };
  return (
    <Still
      title={t(`private.${state}.title`, words)}
      text={<span role="status">{t(`private.${state}.text`, words)}</span>}
      host={hostOf(view)}
      hidden
    >
      <Booked view={view} />
      {state === 'confirmed' && view.roomOpen ? (
        <Room token={token} open={view.roomOpen} clock={clock} onLook={onLook} />
      ) : null}
      {state === 'confirmed' ? (
        <div className="ev-acts">
          <CalendarButton token={token} main={view.roomOpen === null} />
        </div>
      ) : null}
      <p className="ev-small">
        {t('private.bookedAs', { name: `${view.firstName} ${view.lastName}`.trim(), email: view.email })}
      </p>
      {state === 'confirmed' && !begun ? (
        <Cancel
          token={token}
          name={event.therapistFirstName}
          onCancelled={() => {
            setCancelled(true);
            void onLook();
          }}
          onLook={onLook}
        />
      ) : null}
      {state === 'confirmed' ? null : (
        <div className="ev-acts">
          <a
            className="fr-button ev-plain"
            href={`/event/${encodeURIComponent(event.therapistName)}${state === 'cancelled' ? `/${event.id}` : ''}`}
          >
            {t(state === 'cancelled' ? 'letter.toEvent' : 'letter.toOthers')}
          </a>
        </div>
      )}
    </Still>
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
  const { t, language, refusal } = useWords();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const [blocked, setBlocked] = useState(false);
  const isOpen = useSecondsUntil(clock, open.from) === 0;

  const enter = async () => {
    if (busy) return;
    // Nobody's sign-in is ended by their own booking (specification 6: a therapist signed in here blocks the client's entry).
    if (therapistSignedInHere(storage)) return setBlocked(true);
    setBusy(true);
    setProblem(null);
    try {
      const { token: seatToken, ...seat } = await api.call(CALLS.enter, { body: { token } });
      forgetPerson(storage);
      keepSeat(storage, { token: seatToken, client: seat.client, language: shownLanguage() });
      // The door finds the seat and waits with it; the room is a page of the app.
      window.location.assign(
        seat.state === 'in'
          ? '/app/play-area-view'
          : `/user/join/${encodeURIComponent(seat.client.therapist.joinLink)}`,
      );
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
      <p className="ev-note">
        {t('room.from', {
          day: formatDay(dayAt(from, zone), language, { weekday: 'long', day: 'numeric', month: 'long' }),
          time: timeAt(from, zone),
        })}
      </p>
    );
  }
  return (
    <div className="ev-room">
      {problem ? <Alert>{refusal(problem)}</Alert> : null}
      {blocked ? (
        <div className="ev-note" role="alert">
          <p>{t('room.blocked')}</p>
          <a className="ev-link" href="/app/dashboard">
            {t('room.toDashboard')}
          </a>
        </div>
      ) : null}
      <button type="button" className="fr-button fr-main-act" aria-disabled={busy} onClick={() => void enter()}>
        {t(busy ? 'room.entering' : 'room.enter')}
      </button>
    </div>
  );
}

/** Gives the place back, after a second look. */
function Cancel({
  token,
  name,
  onCancelled,
  onLook,
}: {
  token: string;
  name: string;
  onCancelled(): void;
  onLook(): Promise<void>;
}) {
  const { t, refusal } = useWords();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const cancel = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await api.call(CALLS.cancel, { body: { token } });
      onCancelled();
    } catch (fault) {
      setProblem(fault);
      setBusy(false);
      if (fault instanceof ApiProblem && fault.code === 'booking_ended') await onLook();
    }
  };
  if (!asked)
    return (
      <div className="ev-cancel">
        <button type="button" className="ev-link ev-quiet" onClick={() => setAsked(true)}>
          {t('private.cancel')}
        </button>
      </div>
    );
  return (
    <div className="ev-question" role="group" aria-labelledby="cancel-question">
      <p id="cancel-question">{t('private.sure', { name })}</p>
      {problem ? <Alert>{refusal(problem)}</Alert> : null}
      <div className="ev-acts">
        <button
          type="button"
          className="fr-button ev-plain"
          autoFocus
          aria-disabled={busy}
          onClick={() => {
            if (!busy) setAsked(false);
          }}
        >
          {t('private.keep')}
        </button>
        <button type="button" className="fr-button ev-danger" aria-disabled={busy} onClick={() => void cancel()}>
          {t(busy ? 'private.cancelling' : 'private.yesCancel')}
        </button>
      </div>
    </div>
  );
}
