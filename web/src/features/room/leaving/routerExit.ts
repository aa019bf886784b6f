/** The way out of a room that is a page of the app: the router's. */
import { Link } from '@tanstack/react-router';
import { useRouterLeaving } from '../../../ui/dialogs/useRouterLeaving.ts';
import type { AppExit } from './appExit.ts';

export const routerExit: AppExit = { Link, useLeaving: useRouterLeaving };
