/** The way out of a room that is a page of the app: the router's. */
import { Link, useBlocker } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { AppExit, LeavingRules } from './appExit.ts';

function useLeaving({ asks, warns }: LeavingRules) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: useCallback(
      ({ current, next }: { current: { pathname: string }; next: { pathname: string } }) =>
        current.pathname !== next.pathname && asks(),
      [asks],
    ),
    enableBeforeUnload: warns,
    withResolver: true,
  });
  return { asked: status === 'blocked', stay: () => reset?.(), go: () => proceed?.() };
}

export const routerExit: AppExit = { Link, useLeaving };
