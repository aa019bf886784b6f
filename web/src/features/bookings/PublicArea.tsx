/**
 * The public area: events to book, and the pages behind email links. No router: each address is a separate document,
 * which the server fills, so links are plain.
 */
import { upcomingEvents, publicEvent, publicTherapistPage } from '@fieldroom/contract/events';
import { useCallback, useEffect, useState } from 'react';
import { ApiProblem } from '../../platform/api/request.ts';
import { takeFragmentToken } from '../../platform/links/fragmentToken.ts';
import { anonymousApi } from './anonymousApi.ts';
import { answersInOrder } from './answersInOrder.ts';
import { EventPage } from './event/EventPage.tsx';
import { NO_PERSON } from './event/bookingForm.ts';
import { useHolding } from './own/held/useHolding.ts';
import { takeToken } from './sessionStorage.ts';
import { looksForBooking } from './frame/findBooking.ts';
import { Loading, PageFrame } from './frame/PageFrame.tsx';
import { OwnPages } from './own/LazyOwnPages.tsx';
import { type PageAddress, type PageData, pageFromPath, readPageData } from './pageFromPath.ts';
import { TherapistPage } from './therapist/TherapistPage.tsx';
import { ProblemPage, UnknownPage } from './frame/NoticePages.tsx';

/** Events of a therapist's page that are fetched at a time; the server writes as many into the document. */
const PAGE_SIZE = 20;

interface Shown {
  address: PageAddress;
  token: string | null;
  /** The data that the server wrote into the document. */
  data: PageData | null;
}

/** Reads the address and removes a token from it at once, before any request or drawing. */
function readAddress(): Shown {
  const address = pageFromPath(window.location.pathname);
  if (address.page !== 'confirm' && address.page !== 'booking')
    return { address, token: null, data: readPageData(address) };
  const taken = takeFragmentToken();
  // People who look for a booking want the form, even in a tab that has shown another booking.
  const looks = taken === null && looksForBooking(window.location.search);
  return { address, token: looks ? null : takeToken(address.page, taken), data: null };
}

/** Fetches a page's data: in development, and if the data in the document may be outdated. */
async function fetchPage(address: PageAddress): Promise<PageData> {
  try {
    if (address.page === 'event')
      return {
        kind: 'event',
        ...(await anonymousApi.call(publicEvent, {
          params: { therapistName: address.slug, eventId: address.eventId },
        })),
      };
    if (address.page !== 'therapist') return { kind: 'unknown' };
    const params = { therapistName: address.slug };
    const [host, upcoming] = await Promise.all([
      anonymousApi.call(publicTherapistPage, { params }),
      anonymousApi.call(upcomingEvents, { params, query: { page: 0, size: PAGE_SIZE }, body: {} }),
    ]);
    return { kind: 'therapist', host, upcoming };
  } catch (problem) {
    if (problem instanceof ApiProblem && (problem.code === 'not_found' || problem.code === 'invalid_input'))
      return { kind: 'unknown' };
    throw problem;
  }
}

/** Takes the page's data when there is no window to read it from (drawOnServer.ts). */
export function PublicArea({ first }: { first?: Shown }) {
  const [{ address, token, data }, setShown] = useState(() => first ?? readAddress());

  useEffect(() => {
    // A second email link opened in this tab changes only the fragment.
    const onHashChange = () => window.location.hash !== '' && setShown(readAddress());
    window.addEventListener('hashchange', onHashChange);
    return () => window.removeEventListener('hashchange', onHashChange);
  }, []);

  switch (address.page) {
    case 'confirm':
      return <OwnPages>{({ ConfirmPage }) => <ConfirmPage key={token} token={token} />}</OwnPages>;
    case 'booking':
      return <OwnPages>{({ OwnBookingPage }) => <OwnBookingPage key={token} token={token} />}</OwnPages>;
    default:
      return <PublicPage address={address} first={data} />;
  }
}

function PublicPage({ address, first }: { address: PageAddress; first: PageData | null }) {
  const [data, setData] = useState(first);
  const [problem, setProblem] = useState<unknown>(null);
  const holding = useHolding(address.page === 'event' ? address.eventId : null);
  /** The event's page is shown although a place is held. */
  const [eventShown, setEventShown] = useState(false);
  // Kept here, so that typed text is not lost while a place is held.
  const [person, setPerson] = useState(NO_PERSON);
  const [ask] = useState(answersInOrder);
  const refresh = useCallback(async () => {
    const question = ask();
    try {
      const found = await fetchPage(address);
      if (question.isLate()) return;
      question.take();
      setData((before) => (found.kind === 'unknown' && before?.kind === 'event' ? { ...before, gone: true } : found));
      setProblem(null);
    } catch (fault) {
      if (!question.isLate()) setProblem(fault);
    }
  }, [address, ask]);

  useEffect(() => {
    if (data === null) void refresh();
    // Others take places in the meantime: the page refreshes when somebody returns to it.
    const onVisible = () => {
      if (document.visibilityState === 'visible') void refresh();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
    // eslint-disable-next-line react/exhaustive-deps
  }, [refresh]);

  const { hold, view } = holding;
  if (hold !== null && !eventShown) {
    if (view === null)
      return holding.problem ? (
        <ProblemPage problem={holding.problem} onAgain={() => void holding.look()} />
      ) : (
        <PageFrame title={null}>
          <Loading />
        </PageFrame>
      );
    return (
      <OwnPages>
        {({ HeldPage }) => (
          <HeldPage
            hold={hold}
            view={view}
            answer={holding.answer}
            onHold={holding.renew}
            onLook={holding.look}
            onEvent={() => {
              setEventShown(true);
              void refresh();
            }}
            onAgain={() => {
              holding.forget();
              void refresh();
            }}
          />
        )}
      </OwnPages>
    );
  }
  // The shown data stays when a refresh fails.
  if (data === null)
    return problem ? (
      <ProblemPage problem={problem} onAgain={() => void refresh()} />
    ) : (
      <PageFrame title={null}>
        <Loading />
      </PageFrame>
    );
  switch (data.kind) {
    case 'event':
      return (
        <EventPage
          data={data}
          heldUntil={holding.isHeld && view ? view.heldUntil : null}
          person={person}
          onPerson={setPerson}
          onLookAgain={refresh}
          onBooked={(next) => {
            window.scrollTo(0, 0);
            holding.begin(next, data);
            setEventShown(false);
            void refresh();
          }}
          onHeld={() => setEventShown(false)}
        />
      );
    case 'therapist':
      return <TherapistPage data={data} />;
    case 'unknown':
      return <UnknownPage slug={address.page === 'event' ? address.slug : null} />;
  }
}
