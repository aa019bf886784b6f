/** Shared by the two pages behind email links: looking up a token, the event's summary, the calendar file. */
import { type BookingView, bookingCalendar, type lookAtConfirmLink } from '@fieldroom/contract/bookings';
import { IconCalendarDown } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { ApiProblem } from '../../../../platform/api/request.ts';
import { answersInOrder } from '../../answersInOrder.ts';
import { anonymousApi } from '../../anonymousApi.ts';
import { Alert } from '../../../../light/controls.tsx';
import { BookedPlacesFact, Facts, type ShownEvent, WhenFact, WhereFact } from '../../event/EventFacts.tsx';
import { NoticePage, ProblemPage } from '../../frame/NoticePages.tsx';
import { looksForBooking } from '../../frame/findBooking.ts';
import { Loading, PageFrame, Picture, type ShownHost } from '../../frame/PageFrame.tsx';
import { usePublicWords } from '../../usePublicWords.ts';
import { LinksForm } from './LinksForm.tsx';
import styles from './bookingByToken.module.css';
import parts from '../../frame/parts.module.css';
import buttons from '../../../../light/buttons.module.css';

export interface Looked {
  view: BookingView | null;
  problem: unknown;
  look(): Promise<void>;
  /** The booking was changed here, so answers to earlier requests are ignored. */
  outdate(): void;
}

/**
 * Looks up the booking of a token, which changes nothing. Takes the token, null where the address had none, and which
 * of the two calls to make; both have the same reply.
 */
export function useLook(token: string | null, call: typeof lookAtConfirmLink): Looked {
  const [view, setView] = useState<BookingView | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const [ask] = useState(answersInOrder);
  const look = useCallback(async () => {
    if (token === null) return;
    const question = ask();
    try {
      const found = await anonymousApi.call(call, { body: { token } });
      if (question.isLate()) return;
      question.take();
      setView(found);
      setProblem(null);
    } catch (fault) {
      if (!question.isLate()) setProblem(fault);
    }
  }, [token, call, ask]);
  useEffect(() => {
    void look();
    // Event and booking may have changed while the page was in the background.
    const back = () => {
      if (document.visibilityState === 'visible') void look();
    };
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, [look]);
  const outdate = useCallback(() => ask().take(), [ask]);
  return { view, problem, look, outdate };
}

/** Shown before the booking is known: loading, an invalid link, or no connection. */
export function Arriving({ token, problem, onAgain }: { token: string | null; problem: unknown; onAgain(): void }) {
  const { t } = usePublicWords();
  if (token === null) {
    // People who come by the footer of a page have no link that could be incomplete.
    const looks = looksForBooking(window.location.search);
    return (
      <NoticePage
        title={t(looks ? 'footer.find' : 'email.none.title')}
        text={looks ? null : t('email.none.text')}
        hidden
      >
        <LinksForm />
      </NoticePage>
    );
  }
  if (problem === null)
    return (
      <PageFrame title={null} kind="still" hidden>
        <Loading />
      </PageFrame>
    );
  const dead = problem instanceof ApiProblem && (problem.code === 'link_invalid' || problem.code === 'invalid_input');
  return dead ? (
    <NoticePage title={t('email.dead.title')} text={t('email.dead.text')} hidden>
      <LinksForm />
    </NoticePage>
  ) : (
    <ProblemPage problem={problem} onAgain={onAgain} />
  );
}

/** The therapist of a booking as the page's frame shows them, without a picture. */
export const hostOf = ({ event }: Pick<BookingView, 'event'>): ShownHost => ({
  therapistName: event.therapistName,
  firstName: event.therapistFirstName,
  lastName: event.therapistLastName,
  picture: null,
});

/** The event of an email, with its picture. `promised`: the link to its room comes later. */
export function Booked({ view, promised = false }: { view: BookingView; promised?: boolean }) {
  const { t } = usePublicWords();
  const event: ShownEvent = view.event;
  // A change does not matter if the event is cancelled, or the booking is over.
  const moved =
    view.movedOn !== null &&
    view.event.status === 'PUBLISHED' &&
    (view.state === 'HELD' || view.state === 'EXPIRED' || view.state === 'CONFIRMED');
  return (
    <div className={styles.booked}>
      {moved ? (
        <p className={parts.note} role="status">
          {t('email.moved')}
        </p>
      ) : null}
      <Picture event={event} className={styles.picture} />
      <h2>{event.eventName}</h2>
      <Facts>
        <WhenFact event={event} />
        <WhereFact event={event} host={view.event.therapistFirstName} promised={promised} />
        <BookedPlacesFact places={view.places} event={event} />
      </Facts>
    </div>
  );
}

/** Downloads the calendar file of one's own booking. Takes the private link's token. */
export function CalendarButton({ token, main = false }: { token: string; main?: boolean }) {
  const { t, refusal } = usePublicWords();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const download = async () => {
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const file = URL.createObjectURL(await anonymousApi.call(bookingCalendar, { body: { token } }));
      const link = Object.assign(document.createElement('a'), { href: file, download: 'fieldroom.ics' });
      document.body.append(link);
      link.click();
      link.remove();
      // Later, because some browsers read the file only after this task.
      setTimeout(() => URL.revokeObjectURL(file), 10_000);
    } catch (fault) {
      setProblem(fault);
    }
    setBusy(false);
  };
  return (
    <>
      <button
        type="button"
        className={main ? buttons.button : buttons.secondary}
        aria-disabled={busy}
        onClick={() => void download()}
      >
        <IconCalendarDown size={20} stroke={1.75} aria-hidden />
        {t('calendar')}
      </button>
      {problem ? <Alert>{refusal(problem)}</Alert> : null}
    </>
  );
}
