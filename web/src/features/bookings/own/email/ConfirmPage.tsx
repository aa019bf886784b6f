/**
 * The page behind the email that asks to confirm a booking. Opening it changes nothing, because mail scanners open
 * links too (docs/product.md#9.8). Only its two buttons change something.
 */
import {
  type BookingView,
  lookAtConfirmLink,
  declineBooking,
  confirmBooking,
  CONFIRM_HEADER,
} from '@fieldroom/contract/bookings';
import { eventPage, hostPage, OWN_BOOKING_PAGE } from '@fieldroom/contract/pages';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiProblem } from '../../../../platform/api/request.ts';
import { anonymousApi } from '../../anonymousApi.ts';
import { Alert } from '../../../../light/controls.tsx';
import { browserZone } from '../../../../platform/i18n/formats.ts';
import { useProductClock, useSecondsUntil } from '../../frame/productClock.ts';
import { Arriving, Booked, CalendarButton, hostOf, useLook } from './bookingByToken.tsx';
import { keepPrivateToken, readPrivateToken, announceAnswer } from '../../sessionStorage.ts';
import { NoticePage } from '../../frame/NoticePages.tsx';
import { timeAt } from '../../event/eventTimes.ts';
import { usePublicWords } from '../../usePublicWords.ts';
import buttons from '../../../../light/buttons.module.css';
import parts from '../../frame/parts.module.css';
import styles from './ConfirmPage.module.css';

/** Refusals that pressing again cannot fix; each has its own page with the next step. */
const FINAL = [
  'event_full',
  'too_few_places',
  'event_cancelled',
  'event_closed',
  'booking_ended',
  'already_booked',
  'link_invalid',
] as const;
type Final = (typeof FINAL)[number];

/**
 * Takes the token of the email's link, null if the address had none. Shows the state of the booking, even after it
 * expired or the event was cancelled. A late click still confirms if a place is free (docs/product.md#9.9).
 */
export function ConfirmPage({ token }: { token: string | null }) {
  const { view, problem, look, outdate } = useLook(token, lookAtConfirmLink);
  if (view === null || token === null) return <Arriving token={token} problem={problem} onAgain={() => void look()} />;
  return <Confirmation token={token} view={view} onLook={look} onActed={outdate} />;
}

function Confirmation({
  token,
  view,
  onLook,
  onActed,
}: {
  token: string;
  view: BookingView;
  onLook(): Promise<void>;
  onActed(): void;
}) {
  const { t, refusal } = usePublicWords();
  const [state, setState] = useState(view.state);
  const [final, setFinal] = useState<Final | null>(null);
  const [privateToken, setPrivateToken] = useState(() => readPrivateToken(token));
  const [busy, setBusy] = useState<'confirm' | 'decline' | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => setState(view.state), [view]);

  const { event } = view;
  const clock = useProductClock(true, view.asOf);
  const begun = useSecondsUntil(clock, event.startsOn) === 0;
  const over = useSecondsUntil(clock, event.endsOn) === 0;
  const ranOut = useSecondsUntil(clock, view.heldUntil) === 0;

  const act = async (what: 'confirm' | 'decline') => {
    if (busy !== null) return;
    setBusy(what);
    setProblem(null);
    try {
      if (what === 'confirm') {
        const { bookingToken } = await anonymousApi.call(confirmBooking, {
          query: { token },
          headers: { [CONFIRM_HEADER]: '1' },
        });
        keepPrivateToken(token, bookingToken);
        setPrivateToken(bookingToken);
        setState('CONFIRMED');
      } else {
        await anonymousApi.call(declineBooking, { query: { token } });
        setState('DECLINED');
      }
      onActed();
      announceAnswer({ eventId: event.id, email: view.email, state: what === 'confirm' ? 'CONFIRMED' : 'DECLINED' });
    } catch (fault) {
      const known = fault instanceof ApiProblem ? FINAL.find((code) => code === fault.code) : undefined;
      if (known) {
        setFinal(known);
        // The state says how it ended.
        if (known === 'booking_ended') await onLook();
      } else setProblem(fault);
    }
    setBusy(null);
  };

  const words = {
    name: event.therapistFirstName,
    firstName: view.firstName,
    time: view.heldUntil === null ? '' : timeAt(Date.parse(view.heldUntil), browserZone()),
  };
  const host = hostOf(view);
  const toEvent = (
    <a className={buttons.secondary} href={eventPage(event)}>
      {t('email.toEvent')}
    </a>
  );
  const toTherapist = (
    <a className={buttons.secondary} href={hostPage(event.therapistName)}>
      {t('email.toOthers')}
    </a>
  );

  // The event comes first: if it does not take place, the state of the booking does not matter.
  if (event.status === 'CANCELLED' || final === 'event_cancelled') {
    return (
      <Page
        key="off"
        title={t('email.refused.event_cancelled.title')}
        text={t('email.refused.event_cancelled.text', words)}
        host={host}
      >
        <Booked view={view} />
        <div className={parts.actions}>{toTherapist}</div>
      </Page>
    );
  }
  if (state === 'CONFIRMED' && over)
    return (
      <Page key="over" title={t('private.over.title')} text={t('private.over.text', words)} host={host}>
        <Booked view={view} />
        <div className={parts.actions}>{toTherapist}</div>
      </Page>
    );
  if (state === 'CONFIRMED') {
    return (
      <Page key="confirmed" title={t('email.confirmed.title')} text={t('email.confirmed.text', words)} done host={host}>
        <Booked view={view} />
        {privateToken === null ? (
          <p className={parts.small}>{t('email.confirmed.linkInEmail')}</p>
        ) : (
          <>
            <p className={parts.small}>{t(event.isOnline ? 'email.confirmed.online' : 'email.confirmed.onSite')}</p>
            <div className={parts.actions}>
              <CalendarButton token={privateToken} main />
              <a className={buttons.secondary} href={`${OWN_BOOKING_PAGE}#token=${encodeURIComponent(privateToken)}`}>
                {t('email.confirmed.private')}
              </a>
            </div>
          </>
        )}
      </Page>
    );
  }
  if (state === 'DECLINED')
    return (
      <Page
        key="declined"
        title={t('email.declined.title')}
        text={t(begun ? 'email.begun' : 'email.declined.text', words)}
        host={host}
      >
        <div className={parts.actions}>{begun ? toTherapist : toEvent}</div>
      </Page>
    );
  if (state === 'CANCELLED')
    return (
      <Page
        key="cancelled"
        title={t('email.cancelled.title')}
        text={t(begun ? 'email.begun' : 'email.cancelled.text', words)}
        host={host}
      >
        <Booked view={view} />
        <div className={parts.actions}>{begun ? toTherapist : toEvent}</div>
      </Page>
    );
  const ended = final ?? (begun ? 'event_closed' : null);
  if (ended !== null) {
    return (
      <Page
        key={ended}
        title={t(`email.refused.${ended}.title`)}
        text={t(`email.refused.${ended}.text`, words)}
        host={host}
      >
        <Booked view={view} />
        <div className={parts.actions}>
          {ended === 'event_full' || ended === 'event_closed' ? toTherapist : toEvent}
        </div>
      </Page>
    );
  }
  const late = state === 'EXPIRED' || ranOut;
  return (
    <Page
      title={t(late ? 'email.late.title' : 'email.ask.title', words)}
      text={t(late ? 'email.late.text' : 'email.ask.text', words)}
      host={host}
    >
      <Booked view={view} promised />
      {problem ? <Alert>{refusal(problem)}</Alert> : null}
      <div className={`${parts.actions} ${styles.decide}`}>
        <button
          type="button"
          className={buttons.large}
          aria-disabled={busy !== null}
          onClick={() => void act('confirm')}
        >
          {t(busy === 'confirm' ? 'email.confirming' : 'email.confirm')}
        </button>
        {late ? null : (
          <button
            type="button"
            className={`${buttons.secondary} ${buttons.large}`}
            aria-disabled={busy !== null}
            onClick={() => void act('decline')}
          >
            {t(busy === 'decline' ? 'email.declining' : 'email.decline')}
          </button>
        )}
      </div>
      <p className={parts.small}>{t('email.notYou')}</p>
    </Page>
  );
}

/** Moves the focus to the outcome, so that people see and hear the result of their press. */
function Page({
  title,
  text,
  host,
  done = false,
  children,
}: {
  title: string;
  text: string;
  host: ReturnType<typeof hostOf>;
  done?: boolean;
  children: ReactNode;
}) {
  const top = useRef<HTMLDivElement>(null);
  const first = useRef(document.activeElement === document.body);
  useEffect(() => {
    if (!first.current) top.current?.focus();
    window.scrollTo(0, 0);
  }, []);
  return (
    <NoticePage
      title={title}
      host={host}
      hidden
      done={done}
      text={
        <span ref={top} tabIndex={-1} role="status">
          {text}
        </span>
      }
    >
      {children}
    </NoticePage>
  );
}
