/**
 * The public area: events to book, and the pages behind letters. No router: each address is a document of its own, which
 * the server fills, so going on is a plain link.
 */
import { useCallback, useEffect, useState } from 'react';
import { ApiProblem } from '../../platform/api/request.ts';
import { takeFragmentToken } from '../../platform/fragment-token.ts';
import { api, CALLS } from './calls.ts';
import { EventPage } from './EventPage.tsx';
import { LetterPage } from './LetterPage.tsx';
import { takeToken } from './memory.ts';
import { Loading, PageFrame } from './parts.tsx';
import { type PageData, type Place, placeOf, readPageData } from './place.ts';
import { PrivatePage } from './PrivatePage.tsx';
import { TherapistPage } from './TherapistPage.tsx';
import { Trouble, Unknown } from './Notices.tsx';

/** Events of a therapist's page that are fetched at a time; the server writes as many into the document. */
export const PAGE_SIZE = 20;

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
        ...(await api.call(CALLS.publicEvent, { params: { therapistName: place.slug, eventId: place.eventId } })),
      };
    if (place.page !== 'therapist') return { kind: 'unknown' };
    const params = { therapistName: place.slug };
    const [host, upcoming] = await Promise.all([
      api.call(CALLS.therapistPage, { params }),
      api.call(CALLS.upcoming, { params, query: { page: 0, size: PAGE_SIZE }, body: {} }),
    ]);
    return { kind: 'therapist', host, upcoming };
  } catch (problem) {
    if (problem instanceof ApiProblem && (problem.code === 'not_found' || problem.code === 'invalid_input'))
      return { kind: 'unknown' };
    throw problem;
  }
}

/** In: what is shown, where there is no window to read it from (first-sight.tsx). */
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
      return <LetterPage key={token} token={token} />;
    case 'booking':
      return <PrivatePage key={token} token={token} />;
    default:
      return <PublicPage place={place} first={data} />;
  }
}

function PublicPage({ place, first }: { place: Place; first: PageData | null }) {
  const [data, setData] = useState(first);
  const [problem, setProblem] = useState<unknown>(null);
  const look = useCallback(async () => {
    try {
      setData(await findPage(place));
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
      return <EventPage data={data} onLookAgain={look} />;
    case 'therapist':
      return <TherapistPage data={data} />;
    case 'unknown':
      return <Unknown slug={place.page === 'event' ? place.slug : null} />;
  }
}
