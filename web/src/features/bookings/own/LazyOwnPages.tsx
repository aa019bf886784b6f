/**
 * Fetches the pages about one's own booking. They are a separate file, because most visitors of an event's page never
 * need them.
 */
import { type ReactNode, useEffect, useState } from 'react';
import { ProblemPage } from '../frame/NoticePages.tsx';
import { Loading, PageFrame } from '../frame/PageFrame.tsx';

const load = () => import('./ownPages.ts');
type Pages = Awaited<ReturnType<typeof load>>;
let loaded: Pages | null = null;

async function fetchPages(): Promise<Pages> {
  return (loaded ??= await load());
}
/**
 * Fetches the pages ahead, when they are about to be needed. A failure is silent: the fetch is repeated, and a fault
 * shown, when they are drawn.
 */
export const prefetchOwnPages = (): void => void fetchPages().catch(() => {});

/**
 * Draws its children with the pages once they are there; until then a loading view, or the fault with a button that
 * reloads the document.
 */
export function OwnPages({ children }: { children(pages: Pages): ReactNode }) {
  const [pages, setPages] = useState(loaded);
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => {
    if (pages === null) void fetchPages().then(setPages, setProblem);
  }, [pages]);
  if (pages !== null) return children(pages);
  // Some browsers remember that a file failed to load. A reload requests it again; the tab keeps hold and links.
  return problem ? (
    <ProblemPage problem={problem} onAgain={() => window.location.reload()} />
  ) : (
    <PageFrame title={null} kind="still" hidden>
      <Loading />
    </PageFrame>
  );
}
