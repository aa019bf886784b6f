/**
 * Live sessions (/app/history): past ones, the newest first, with a filter and pages; one opens with its details. The
 * link of an email about a live session opens it by `?session=`.
 */
import type { SessionFilter } from '@fieldroom/contract/sessions';
import { HISTORY_PAGE } from '@fieldroom/contract/pages';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { loadWords } from '../../platform/i18n/app.ts';
import { lazyPart, OpenAfterMount, useLazyPart, useWarmUp } from '../../ui/lazy/lazyPart.ts';
import { HistoryParts } from './list/HistoryParts.tsx';
import { isFiltering, SessionFilterBar } from './list/SessionFilterBar.tsx';
import { SessionList } from './list/SessionList.tsx';
import { sessionQueries } from './sessionQueries.ts';

// Code and words together: without its words it would hide the whole page until they are loaded.
const sessionDialog = lazyPart(async () => {
  const [{ SessionDialog }] = await Promise.all([import('./details/SessionDialog.tsx'), loadWords(['field'])]);
  return SessionDialog;
});
const PRESSED = [sessionDialog];

/** The address contains the open live session. Closing it replaces its history entry. */
export function SessionsPage() {
  const { session } = useSearch({ strict: false }) as { session?: number };
  const navigate = useNavigate();
  const [wanted, setWanted] = useState<{ filter: SessionFilter; page: number }>({ filter: {}, page: 0 });
  /** How often the filter was cleared from the empty list: each time its fields start again. */
  const [clearings, setClearings] = useState(0);
  const onFilter = useCallback((filter: SessionFilter) => setWanted({ filter, page: 0 }), []);
  const onPage = useCallback((page: number) => setWanted((before) => ({ ...before, page })), []);
  const clear = () => {
    setClearings(clearings + 1);
    onFilter({});
  };
  const close = () => void navigate({ to: HISTORY_PAGE, search: {}, replace: true, resetScroll: false });

  const opened = session !== undefined;
  const details = useLazyPart(sessionDialog, opened, close);
  useWarmUp(PRESSED);

  // If there are no live sessions at all there is nothing to filter.
  const { data, isPlaceholderData } = useQuery(sessionQueries.page(wanted.filter, wanted.page));
  const nothing = data?.totalElements === 0 && !isPlaceholderData && !isFiltering(wanted.filter);

  return (
    <>
      <HistoryParts />
      {nothing ? null : <SessionFilterBar key={clearings} filter={wanted.filter} onChange={onFilter} />}
      <SessionList {...wanted} onPage={onPage} onClearFilter={clear} />
      {details && <OpenAfterMount dialog={details} given={{ opened, id: session ?? null, onClose: close }} />}
    </>
  );
}
