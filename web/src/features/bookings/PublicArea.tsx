/**
 * The public area: events to book, and the pages behind letters. No router: each address is a document of its own,
 * which
 * the server fills, so going on is a plain link.
 */
import { upcomingEvents, publicEvent, publicTherapistPage } from '@fieldroom/contract/events';
import { useCallback, useEffect, useState } from 'react';
import { ApiProblem } from '../../platform/api/request.ts';
import { takeFragmentToken } from '../../platform/fragmentToken.ts';
import { anonymousApi } from './anonymousApi.ts';
import { EventPage } from './event/EventPage.tsx';
import { NO_PERSON } from './event/bookingForm.ts';
import { useHolding } from './held/useHolding.ts';
import { takeToken } from './sessionStorage.ts';
import { Loading, PageFrame } from './frame/PageFrame.tsx';
import { OwnPages } from './LazyOwnPages.tsx';
import { type PageData, type Place, placeOf, readPageData } from './pageFromPath.ts';
import { TherapistPage } from './therapist/TherapistPage.tsx';
import { Trouble, Unknown } from './frame/Notices.tsx';

/** Events of a therapist's page that are fetched at a time; the server writes as many into the document. */
const PAGE_SIZE = 20;

interface Shown {
  place: Place;
  token: string | null;
  /** What the server wrote into the document. */
  data: PageData | null;
}

/** Reads the address and takes a token out of it at once, before anything is asked or drawn. */
function arrive(): Shown {
  const place = placeOf(window.location.pathname);
  if (place.page !== 'confirm' && place.page !== 'booking') return { place, token: null, data: readPageData(place) };
  return { place, token: takeToken(place.page, takeFragmentToken()), data: null };
}

/** What a page shows, asked from the server: in development, and where what the document brought may be outdated. */
async function findPage(place: Place): Promise<PageData> {
  try {
    if (place.page === 'event')
      return {
        kind: 'event',
        ...(await anonymousApi.call(publicEvent, { params: { therapistName: place.slug, eventId: place.eventId } })),
      };
    if (place.page !== 'therapist') return { kind: 'unknown' };
    const params = { therapistName: place.slug };
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

/** In: what is shown, where there is no window to read it from (drawOnServer.tsx). */
export function PublicArea({ first }: { first?: Shown }) {
  const [{ place, token, data }, setShown] = useState(() => first ?? arrive());

  useEffect(() => {
    // A second letter opened in this very tab changes the fragment alone.
    const again = () => window.location.hash !== '' && setShown(arrive());
    window.addEventListener('hashchange', again);
    return () => window.removeEventListener('hashchange', again);
  }, []);

  switch (place.page) {
    case 'confirm':
      return <OwnPages>{({ LetterPage }) => <LetterPage key={token} token={token} />}</OwnPages>;
    case 'booking':
      return <OwnPages>{({ PrivatePage }) => <PrivatePage key={token} token={token} />}</OwnPages>;
    default:
      return <PublicPage place={place} first={data} />;
  }
}

function PublicPage({ place, first }: { place: Place; first: PageData | null }) {
  const [data, setData] = useState(first);
  const [problem, setProblem] = useState<unknown>(null);
  const holding = useHolding(place.page === 'event' ? place.eventId : null);
  /** The event's page is looked at while its place is held. */
  const [aside, setAside] = useState(false);
  // Kept here, so that nothing of what was typed is lost while a place is held.
  const [person, setPerson] = useState(NO_PERSON);
  const look = useCallback(async () => {
    try {
      const found = await findPage(place);
      setData((before) => (found.kind === 'unknown' && before?.kind === 'event' ? { ...before, gone: true } : found));
      setProblem(null);
    } catch (fault) {
      setProblem(fault);
    }
  }, [place]);

  useEffect(() => {
    if (data === null) void look();
    // Places are taken by others meanwhile: whoever comes back to the page sees how it stands.
    const back = () => {
      if (document.visibilityState === 'visible') void look();
    };
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
    // eslint-disable-next-line react/exhaustive-deps
  }, [look]);

  const { hold, view } = holding;
  if (hold !== null && !aside) {
    if (view === null)
      return holding.problem ? (
        <Trouble problem={holding.problem} onAgain={() => void holding.look()} />
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
              setAside(true);
              void look();
            }}
            onAgain={() => {
              holding.forget();
              void look();
            }}
          />
        )}
      </OwnPages>
    );
  }
  // What is shown stays while a second look fails.
  if (data === null)
    return problem ? (
      <Trouble problem={problem} onAgain={() => void look()} />
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
          onLookAgain={look}
          onBooked={(next) => {
            window.scrollTo(0, 0);
            holding.begin(next, data);
            setAside(false);
            void look();
          }}
          onHeld={() => setAside(false)}
        />
      );
    case 'therapist':
      return <TherapistPage data={data} />;
    case 'unknown':
      return <Unknown slug={place.page === 'event' ? place.slug : null} />;
  }
}
