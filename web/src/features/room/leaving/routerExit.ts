/** The way out of a room that is a page of the app: the router's. */
import { Link } from '@tanstack/react-router';
import { useRouterLeaving } from '../../../ui/dialogs/useRouterLeaving.ts';
import type { AppExit } from './appExit.ts';

/** The value for `AppExitContext` in the app's document. */
export const routerExit: AppExit = { Link, useLeaving: useRouterLeaving };
